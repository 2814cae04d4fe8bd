import { type BulkColumn, bulkColumns } from '../../../../contract/bulk.ts';
import { lacks } from '../../../../contract/carried.ts';
import { nameOfFile } from '../../../../contract/text.ts';
import type { StoredJob } from '../../../store/jobs/job-rows.ts';
import type { RowValues, StoredBulkRow } from '../../../store/signatures/bulk-rows.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { Context } from '../../context.ts';
import type { LocalFile } from '../../files/local-file.ts';
import { appError } from '../../foundation/app-error.ts';
import type { JobOrder } from '../../jobs/enqueue.ts';
import { contentOfJob } from '../compose/form-store.ts';
import type { Request } from '../compose/prepare-request.ts';
import { signatureOrder } from '../signature-order.ts';
import { type BulkPlan, cellText, planRow, type RowPlan } from './row-plan.ts';

/** Used where the form names no kind of credit. */
export const usualCreditType = 1;

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
    const creditType = content.creditType ?? usualCreditType;
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
    idVerify: content.idVerify ?? undefined,
    messageToSigners: text(plan.messageToSigners),
    customSubject: text(plan.customSubject),
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

/**
 * A row with the values of its job: of its corrected request, or after that was taken back of the one before. So the results stand beside the values that were sent. Only
 * cells whose value changed are rewritten, each with what the spreadsheet has; more than three people have no columns and are only in the plan. `separator`: that of the job's connection.
 */
export function rowOfJob(
  bulk: Pick<StoredBulk, 'kind' | 'columns' | 'plan'>,
  row: RowValues,
  job: StoredJob,
  separator: string,
): RowValues {
  const before = JSON.parse(row.plan) as RowPlan;
  const common = JSON.parse(bulk.plan) as BulkPlan;
  const plan = planOf(job, separator, before, bulk.kind);
  const stood = placesOf(bulk.columns, row, before.people);
  const stands = placesOf(bulk.columns, row, plan.people, (at) => stood[earlierOf(plan.people, before.people, at)]);
  const [was, is] = [valuesOf({ ...before, file: before.file ?? common.file }, stood), valuesOf(plan, stands)];
  const ofEmpty = valuesOf(planRow({}, common, common.file));
  const cells = [...row.cells];
  let { mended } = row;
  for (const column of bulkColumns.filter((one) => was[one] !== is[one])) {
    const index = bulk.columns.findIndex((one) => one.column === column);
    const given = mended.find((one) => one.column === column)?.was ?? cells[index] ?? was[column];
    const isGiven = (cellText(column, given) || ofEmpty[column]) === is[column];
    mended = mended.filter((one) => one.column !== column).concat(isGiven ? [] : { column, was: given });
    if (index >= 0) cells[index] = isGiven ? given : is[column];
  }
  return { cells, plan: JSON.stringify(plan), mended };
}

/** Whether a row would be shown, its people asked, or its file known, with other values. */
export function isOther(...rows: readonly RowValues[]): boolean {
  const told = rows.map(({ cells, plan, mended }) => {
    const { people, file } = JSON.parse(plan) as RowPlan;
    return JSON.stringify([cells, mended, people.map(({ email, name }) => [email, name]), file?.sha256 === '']);
  });
  return new Set(told).size > 1;
}

/** What neither the bulk's requests carry nor the job's was not sent by either: it stays as it was. */
function planOf(job: StoredJob, separator: string, before: RowPlan, kind: StoredBulk['kind']): RowPlan {
  const content = contentOfJob(job, separator);
  const kept = (what: string) => lacks(kind, what) && lacks(content.kind, what);
  const name = job.record?.fileName ?? '';
  // A document without a name of its own is sent with that of its file.
  const isNamed = before.documentName !== '' || content.documentName !== nameOfFile({ name });
  const file =
    job.sourcePath === null ? null : { path: job.sourcePath, name, sizeBytes: job.sizeBytes, sha256: job.sha256 ?? '' };
  const texts = kept('message') ? before : content;
  const earlier = (at: number) => before.people[earlierOf(content.recipients, before.people, at)];
  const withName = ({ email }: { email: string }, at: number) => ({ email, name: earlier(at)?.name ?? '' });
  return {
    people: kept('name') ? content.recipients.map(withName) : content.recipients,
    ccEmails: texts.ccEmails,
    documentName: isNamed ? content.documentName : '',
    description: content.description,
    clientId: content.clientId,
    messageToSigners: texts.messageToSigners,
    customSubject: texts.customSubject,
    uniqueId: texts.uniqueId,
    templateId: kept('templateId') ? before.templateId : content.templateId,
    file: kept('file') ? before.file : file,
  };
}

/** Which of the people before has the address of one of these, or that in whose place it is; -1 for a new one. */
function earlierOf(people: RowPlan['people'], before: RowPlan['people'], index: number): number {
  const known = before.findIndex(({ email }) => email === people[index]?.email);
  return known >= 0 || people.some(({ email }) => email === before[index]?.email) ? known : index;
}

/**
 * The numbers of the columns of people: those that the table has, where most of them keep the one in which they stand or that the spreadsheet had them in, or that of whom they replace
 * (`earlier`). More than three have none.
 */
function placesOf(
  columns: StoredBulk['columns'],
  { cells, mended }: RowValues,
  people: RowPlan['people'],
  earlier: (index: number) => number | undefined = () => undefined,
): readonly number[] {
  const worthOf = (place: number, index: number) => {
    const at = columns.findIndex(({ column }) => column === `email${place}`);
    const known = [cells[at], mended.find(({ column }) => column === `email${place}`)?.was];
    const isOwn = known.some((cell) => cell?.trim() === people[index]?.email);
    return (at < 0 ? 0 : 100) + (isOwn ? 10 : 0) + (earlier(index) === place ? 1 : 0);
  };
  const worth = (some: readonly number[]) => some.reduce((sum, place, index) => sum + worthOf(place, index), 0);
  // They stand in the order in which they are asked.
  const orders = [[], [1], [2], [3], [1, 2], [1, 3], [2, 3], [1, 2, 3]];
  const possible = orders.filter(({ length }) => length === Math.min(people.length, 3));
  return possible.toSorted((a, b) => worth(b) - worth(a))[0] ?? [];
}

function valuesOf({ people, ...plan }: RowPlan, at: readonly number[] = []): Readonly<Record<BulkColumn, string>> {
  const known: Partial<Record<BulkColumn, string | undefined>> = {
    ...plan,
    ...Object.fromEntries(people.map(({ email }, index) => [`email${at[index]}`, email])),
    ...Object.fromEntries(people.map(({ name }, index) => [`name${at[index]}`, name])),
    cc: plan.ccEmails.join('; '),
    file: plan.file?.name,
    message: plan.messageToSigners,
    subject: plan.customSubject,
  };
  return Object.fromEntries(bulkColumns.map((column) => [column, known[column] ?? ''])) as Record<BulkColumn, string>;
}
