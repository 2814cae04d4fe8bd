import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BulkReview, BulkText } from '../../../../contract/bulk.ts';
import { emailKey } from '../../../../contract/email.ts';
import type { StoredBulkRow } from '../../../store/signatures/bulk-rows.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { Context } from '../../context.ts';
import { prepaidCreditType, prepaidPerRequest } from '../compose/preview-request.ts';
import type { BulkPlan, RowPlan } from './row-plan.ts';

const rowsPerTurn = 500;
const namedPeople = 3;

/** Whom sending would e-mail, with which words and at what cost. Nothing is sent. */
export async function reviewBulk(
  { store }: Context,
  bulk: StoredBulk,
  { rows, includeWarnings }: { readonly rows: 'first' | 'all'; readonly includeWarnings: boolean },
): Promise<BulkReview> {
  const { content, file } = JSON.parse(bulk.plan) as BulkPlan;
  const people = new Map<string, string>();
  const unnamed = new Set<string>();
  const copies = new Set<string>();
  const documents = new Map<string, string>();
  const texts = { subject: new Set<string>(), message: new Set<string>() };
  let [requests, signatures] = [0, 0];
  const add = (row: StoredBulkRow) => {
    const plan = JSON.parse(row.plan) as RowPlan;
    requests += 1;
    signatures += plan.people.length + (content.ownerSigns ? 1 : 0);
    for (const { email, name } of plan.people) {
      const key = emailKey(email);
      if (name === '' && bulk.kind !== 'plain') unnamed.add(key);
      if (!people.has(key)) people.set(key, people.size < namedPeople ? name || email : '');
    }
    if (bulk.kind !== 'plain') for (const email of plan.ccEmails) copies.add(emailKey(email));
    const { path, name } = plan.file ?? file ?? { path: '', name: '' };
    // Files of different folders may have the same name.
    if (bulk.kind === 'easy-sign-template') documents.set(plan.templateId, plan.templateId);
    else documents.set(path, name);
    texts.subject.add(plan.customSubject);
    texts.message.add(plan.messageToSigners);
  };
  const limit = rows === 'first' ? 1 : rowsPerTurn;
  for (let offset = 0; ; offset += limit) {
    const page = store.bulks.rows(bulk.seq, 'ready', includeWarnings, { offset, limit });
    page.rows.forEach(add);
    if (rows === 'first' || page.rows.length < limit) break;
    await nextTurn();
  }
  const isPrepaid = bulk.kind === 'plain' && content.creditType === prepaidCreditType;
  return {
    requests,
    people: people.size,
    unnamed: unnamed.size,
    first: [...people.values()].slice(0, namedPeople),
    copies: copies.size,
    ownerSigns: content.ownerSigns,
    document: textOf([...documents.values()]),
    subject: textOf([...texts.subject]),
    message: textOf([...texts.message]),
    prepaidCredits: isPrepaid ? requests * prepaidPerRequest : null,
    idChecks: bulk.kind !== 'plain' && content.idVerify === true ? signatures : 0,
  };
}

function textOf(different: readonly string[]): BulkText {
  return different.length > 1 ? { varies: true } : { varies: false, text: different[0] ?? '' };
}
