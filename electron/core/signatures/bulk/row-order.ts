import type { StoredBulkRow } from '../../../store/signatures/bulk-rows.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { Context } from '../../context.ts';
import type { LocalFile } from '../../files/local-file.ts';
import { appError } from '../../foundation/app-error.ts';
import type { JobOrder } from '../../jobs/enqueue.ts';
import type { Request } from '../compose/prepare-request.ts';
import { signatureOrder } from '../signature-order.ts';
import type { BulkPlan, RowPlan } from './row-plan.ts';

/** One row as an order for the queue. Rejects as `orderOfRow`, and with bad-input if the secret word is lost. */
export async function rowOrder(context: Context, bulk: StoredBulk, row: StoredBulkRow): Promise<JobOrder> {
  const order = await orderOfRow(context, bulk, row);
  return { ...order, secretWord: order.secretWord === undefined ? undefined : await secretWordOf(context, bulk, row) };
}

/** One row as it would be sent, with an empty secret word if it has one. Rejects with not-found (the connection was removed). */
export async function orderOfRow(context: Context, bulk: StoredBulk, row: StoredBulkRow): Promise<JobOrder> {
  const { separator } = await context.connections.get(bulk.connectionId);
  const common = JSON.parse(bulk.plan) as BulkPlan;
  const plan = JSON.parse(row.plan) as RowPlan;
  const isTemplate = bulk.kind === 'easy-sign-template';
  const file = isTemplate ? null : (plan.file ?? common.file);
  const order = signatureOrder({
    request: requestOf(bulk, common, plan),
    separator,
    file: local(file),
    image: bulk.kind === 'plain' ? undefined : local(common.image),
  });
  const hasSecret = bulk.kind === 'plain' && (row.secret ?? bulk.secret) !== null;
  return {
    ...order,
    secretWord: hasSecret ? '' : undefined,
    expectedSha256: file?.sha256,
    // Empty if the check could not read it; a plan of an earlier version has none.
    expectedImageSha256: order.image && (common.image?.sha256 || undefined),
  };
}

function local(file: Pick<LocalFile, 'path' | 'name' | 'sizeBytes'> | null): LocalFile | undefined {
  return file ? { path: file.path, name: file.name, sizeBytes: file.sizeBytes, folder: '' } : undefined;
}

/** The request of a row. Empty texts are left out, as an empty field is. */
function requestOf({ connectionId, kind }: StoredBulk, { content }: BulkPlan, plan: RowPlan): Request {
  const text = (given: string) => (given === '' ? undefined : given);
  const common = {
    connectionId,
    documentName: text(plan.documentName),
    description: text(plan.description),
    clientId: text(plan.clientId),
    emails: plan.people.map(({ email }) => email),
    ownerSigns: content.ownerSigns,
  };
  if (kind === 'plain') {
    const creditType = content.creditType ?? 1;
    return { kind, ...common, fileToken: '', creditType, ownerFirst: content.ownerFirst };
  }
  const easySign = {
    ...common,
    names: plan.people.some(({ name }) => name !== '') ? plan.people.map(({ name }) => name) : undefined,
    ccEmails: plan.ccEmails.length > 0 ? [...plan.ccEmails] : undefined,
    xmlData: text(content.xmlData),
    uniqueId: text(plan.uniqueId),
    allowSignerElementAdd: content.allowSignerElementAdd ?? undefined,
    enforceSigClick: content.enforceSigClick ?? undefined,
    messageToSigners: text(plan.messageToSigners),
    customSubject: text(plan.customSubject),
    idVerify: content.idVerify ?? undefined,
  };
  return kind === 'easy-sign'
    ? { kind, ...easySign, fileToken: '', elementsFromTemplateId: text(content.elementsFromTemplateId) }
    : { kind, ...easySign, templateId: plan.templateId };
}

async function secretWordOf({ vault }: Context, bulk: StoredBulk, row: StoredBulkRow): Promise<string | undefined> {
  const sealed = row.secret ?? bulk.secret;
  if (sealed === null) return undefined;
  const word = await vault.open(sealed);
  if (word !== null) return word;
  throw appError('bad-input', 'the secret words were kept for a run that is over', {
    detail: 'secret-word-missing',
    fields: { secretWord: 'must be given again' },
  });
}
