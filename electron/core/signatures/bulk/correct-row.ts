import { type BulkColumn, bulkColumns } from '../../../../contract/bulk.ts';
import { nameOfFile } from '../../../../contract/text.ts';
import type { StoredJob } from '../../../store/jobs/job-rows.ts';
import type { NewBulkRow } from '../../../store/signatures/bulk-rows.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import { contentOfJob } from '../compose/form-store.ts';
import type { BulkPlan, RowPlan } from './row-plan.ts';

/**
 * A row with the values of its job: of its corrected request, or after that was taken back of the one before. So the results stand beside the values that were sent. Only
 * cells whose value changed are rewritten; more than three people have no columns and are only in the plan. `separator`: that of the job's connection.
 */
export function rowOfJob(
  bulk: Pick<StoredBulk, 'columns' | 'plan'>,
  row: Pick<NewBulkRow, 'cells' | 'plan'>,
  job: StoredJob,
  separator: string,
): Pick<NewBulkRow, 'cells' | 'plan'> {
  const before = JSON.parse(row.plan) as RowPlan;
  const common = (JSON.parse(bulk.plan) as BulkPlan).file;
  const plan = planOf(job, separator, before);
  const [was, is] = [valuesOf({ ...before, file: before.file ?? common }), valuesOf(plan)];
  const cells = row.cells.map((cell, index) => {
    const column = bulk.columns[index]?.column;
    return !column || column === 'secretWord' || was[column] === is[column] ? cell : is[column];
  });
  return { cells, plan: JSON.stringify(plan) };
}

/** Whether a row would be shown, its people asked, or its file known, with other values. */
export function isOther(...rows: readonly Pick<NewBulkRow, 'cells' | 'plan'>[]): boolean {
  const told = rows.map(({ cells, plan }) => {
    const { people, file } = JSON.parse(plan) as RowPlan;
    return JSON.stringify([cells, people.map(({ email, name }) => [email, name]), file?.sha256 === '']);
  });
  return new Set(told).size > 1;
}

function planOf(job: StoredJob, separator: string, before: RowPlan): RowPlan {
  const content = contentOfJob(job, separator);
  const name = job.record?.fileName ?? '';
  // A document without a name of its own is sent with that of its file.
  const isNamed = before.documentName !== '' || content.documentName !== nameOfFile({ name });
  return {
    people: content.recipients,
    ccEmails: content.ccEmails,
    documentName: isNamed ? content.documentName : '',
    description: content.description,
    clientId: content.clientId,
    messageToSigners: content.messageToSigners,
    customSubject: content.customSubject,
    uniqueId: content.uniqueId,
    templateId: content.templateId,
    file:
      job.sourcePath === null
        ? null
        : { path: job.sourcePath, name, sizeBytes: job.sizeBytes, sha256: job.sha256 ?? '' },
  };
}

function valuesOf(plan: RowPlan): Record<BulkColumn, string> {
  const [one, two, three] = plan.people;
  const known: Partial<Record<BulkColumn, string | undefined>> = {
    email1: one?.email,
    name1: one?.name,
    email2: two?.email,
    name2: two?.name,
    email3: three?.email,
    name3: three?.name,
    cc: plan.ccEmails.join('; '),
    file: plan.file?.name,
    templateId: plan.templateId,
    documentName: plan.documentName,
    description: plan.description,
    clientId: plan.clientId,
    message: plan.messageToSigners,
    subject: plan.customSubject,
    uniqueId: plan.uniqueId,
  };
  return Object.fromEntries(bulkColumns.map((column) => [column, known[column] ?? ''])) as Record<BulkColumn, string>;
}
