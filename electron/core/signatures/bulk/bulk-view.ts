import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Bulk, BulkColumn, BulkReview, BulkRow, BulkText } from '../../../../contract/bulk.ts';
import { bulkColumns } from '../../../../contract/bulk.ts';
import { lacks } from '../../../../contract/carried.ts';
import type { Connection } from '../../../../contract/connections.ts';
import { emailKey } from '../../../../contract/email.ts';
import type { Failure } from '../../../../contract/failure.ts';
import type { StoredBulkRow } from '../../../store/signatures/bulk-rows.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { Context } from '../../context.ts';
import { canCorrect } from '../../jobs/corrections.ts';
import { prepaidCreditType, prepaidPerRequest } from '../compose/prepare-request.ts';
import { usualCreditType } from './row-order.ts';
import type { BulkPlan, RowPlan } from './row-plan.ts';

/** A bulk as the window sees it, with the counts of its rows and jobs. */
export function bulkView({ store }: Pick<Context, 'store'>, bulk: StoredBulk, failure: Failure | null): Bulk {
  const { rows, errors, leftClean, leftWarnings, leftBefore, ...counted } = store.bulks.countRows(bulk.seq);
  const { takenBack, jobs, open, asking, sentLastMinute } = counted;
  const { id, connectionId, kind, fileName, state, columns, perMinute, includeWarnings, batchId } = bulk;
  const { createdAt, updatedAt, draftId } = bulk;
  return {
    id,
    connectionId,
    kind,
    fileName,
    state,
    columns,
    failure,
    perMinute,
    includeWarnings,
    batchId,
    createdAt,
    updatedAt,
    draftId,
    rowCount: rows,
    counts: {
      ready: leftClean,
      withErrors: errors,
      withWarnings: leftWarnings,
      sentBefore: leftBefore,
      queued: Object.values({ ...jobs, cancelled: 0 }).reduce((sum, n) => sum + n, 0),
      waiting: open,
      asking,
      done: jobs.done ?? 0,
      refused: jobs.refused ?? 0,
      failed: jobs.failed ?? 0,
      cancelled: (jobs.cancelled ?? 0) + takenBack,
      passedOver: jobs['passed-over'] ?? 0,
      inDoubt: jobs['in-doubt'] ?? 0,
      sentLastMinute,
    },
  };
}

/** A row as the window sees it, with the state of its job; no paths and no secret words. */
export function bulkRowView(bulk: StoredBulk, row: StoredBulkRow): BulkRow {
  const common = JSON.parse(bulk.plan) as BulkPlan;
  const plan = JSON.parse(row.plan) as RowPlan;
  const isTemplate = bulk.kind === 'easy-sign-template';
  const severities = row.problems.map(({ severity }) => severity);
  const isSkipped = severities.includes('error') || (severities.includes('warning') && !bulk.includeWarnings);
  return {
    row: row.row,
    jobId: row.jobId,
    people: plan.people,
    documentName: plan.documentName,
    document: isTemplate ? plan.templateId : ((plan.file ?? common.file)?.name ?? ''),
    cells: bulk.columns.map(({ column }, index) => (column === 'secretWord' ? '' : (row.cells[index] ?? ''))),
    problems: row.problems,
    hasSecretWord: row.secret !== null,
    mended: row.mended,
    state: row.job?.state ?? (row.isTakenBack ? 'cancelled' : isSkipped ? 'skipped' : 'ready'),
    isAsking: row.isAsking,
    raw: row.job?.raw ?? null,
    answer: row.job?.answer ?? null,
    documentId: row.job?.documentId ?? null,
    failure: row.job?.failure ?? null,
    canCorrect: row.job !== null && canCorrect(row.job),
  };
}

const rowsPerTurn = 500;
const namedPeople = 3;

/** Columns that requests of a kind do not have. */
const lackedBy = (kind: Bulk['kind']) => bulkColumns.filter((column) => lacks(kind, column.replace(/\d$/, '')));

/** Whom sending would e-mail, with which words and at what cost. Nothing is sent. */
export async function reviewBulk(
  { store, vault, connections }: Context,
  bulk: StoredBulk,
  { rows, includeWarnings }: { readonly rows: 'first' | 'all'; readonly includeWarnings: boolean },
): Promise<Omit<BulkReview, 'sentBefore'>> {
  const { content, file } = JSON.parse(bulk.plan) as BulkPlan;
  const people = new Map<string, string>();
  const unnamed = new Set<string>();
  const copies = new Set<string>();
  const documents = new Map<string, string>();
  const texts = { subject: new Set<string>(), message: new Set<string>() };
  const secrets: string[] = [];
  const notSent = new Set<BulkColumn>();
  let [requests, signatures] = [0, 0];
  const add = (row: StoredBulkRow) => {
    const plan = JSON.parse(row.plan) as RowPlan;
    requests += 1;
    const secret = row.secret ?? bulk.secret;
    if (secret !== null) secrets.push(secret);
    for (const column of uncarriedIn(bulk, row)) notSent.add(column);
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
    copies: copies.size,
    ownerSigns: content.ownerSigns,
    first: [...people.values()].slice(0, namedPeople),
    document: textOf([...documents.values()]),
    subject: textOf([...texts.subject]),
    message: textOf([...texts.message]),
    credit: bulk.kind === 'plain' ? nameOfCredit(await connections.get(bulk.connectionId), content) : null,
    notSent: lackedBy(bulk.kind).filter((column) => notSent.has(column)),
    prepaidCredits: isPrepaid ? requests * prepaidPerRequest : null,
    idChecks: bulk.kind !== 'plain' && content.idVerify === true ? signatures : 0,
    secretWords: bulk.kind === 'plain' ? await secretWordsOf(vault, bulk, secrets) : null,
  };
}

function nameOfCredit({ creditTypes }: Connection, { creditType }: BulkPlan['content']): string {
  const used = creditType ?? usualCreditType;
  return creditTypes.find(({ value }) => value === used)?.name ?? String(used);
}

function uncarriedIn({ kind, columns }: StoredBulk, { cells, secret }: StoredBulkRow): readonly BulkColumn[] {
  const cellOf = (column: BulkColumn) => cells[columns.findIndex((one) => one.column === column)]?.trim();
  return lackedBy(kind).filter((column) => (column === 'secretWord' ? secret : cellOf(column)));
}

async function secretWordsOf(vault: Context['vault'], bulk: StoredBulk, secrets: readonly string[]) {
  // Reads the key, without which nothing is known to be lost.
  if (secrets[0] !== undefined) await vault.open(secrets[0]);
  const lost = secrets.filter(vault.isLost);
  const lostInRows = lost.filter((secret) => secret !== bulk.secret).length;
  return { given: secrets.length - lost.length, lost: lost.length, lostInRows };
}

function textOf(different: readonly string[]): BulkText {
  return different.length > 1 ? { varies: true } : { varies: false, text: different[0] ?? '' };
}
