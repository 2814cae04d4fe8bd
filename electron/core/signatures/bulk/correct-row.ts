import { type BulkColumn, bulkColumns } from '../../../../contract/bulk.ts';
import type { NewBulkRow } from '../../../store/signatures/bulk-rows.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { PreparedRequest } from '../compose/prepare-request.ts';
import type { BulkPlan, RowPlan } from './row-plan.ts';

/**
 * A row with the values of its corrected request, so that the results stand beside the values that were sent. Only
 * cells whose value changed are rewritten; more than three people have no columns and are only in the plan.
 */
export function correctedRow(
  bulk: Pick<StoredBulk, 'columns' | 'plan'>,
  row: Pick<NewBulkRow, 'cells' | 'plan'>,
  prepared: PreparedRequest,
): Pick<NewBulkRow, 'cells' | 'plan'> {
  const before = JSON.parse(row.plan) as RowPlan;
  const plan = planOf(prepared);
  const common = (JSON.parse(bulk.plan) as BulkPlan).file;
  const [was, is] = [valuesOf({ ...before, file: before.file ?? common }), valuesOf(plan)];
  const cells = row.cells.map((cell, index) => {
    const column = bulk.columns[index]?.column;
    return !column || column === 'secretWord' || was[column] === is[column] ? cell : is[column];
  });
  return { cells, plan: JSON.stringify(plan) };
}

function planOf({ request, people, ccEmails, order }: PreparedRequest): RowPlan {
  const easySign = request.kind === 'plain' ? null : request;
  return {
    people,
    ccEmails,
    documentName: request.documentName ?? '',
    description: request.description ?? '',
    clientId: request.clientId ?? '',
    messageToSigners: easySign?.messageToSigners ?? '',
    customSubject: easySign?.customSubject ?? '',
    uniqueId: easySign?.uniqueId ?? '',
    templateId: request.kind === 'easy-sign-template' ? request.templateId : '',
    // The row already has its job: its file's bytes are no longer compared with the plan.
    file: order.file
      ? { path: order.file.path, name: order.file.name, sizeBytes: order.file.sizeBytes, sha256: '' }
      : null,
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
