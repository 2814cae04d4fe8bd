import type { Bulk, BulkColumn, BulkProblem } from '../../../../contract/bulk.ts';
import type { Connection } from '../../../../contract/connections.ts';
import { hashFile } from '../../files/hash-file.ts';
import type { LocalFile } from '../../files/local-file.ts';
import { durablePath, type FileLocation } from '../../files/own-files.ts';
import { failureOf } from '../../foundation/app-error.ts';
import { fingerprint } from '../sent-before.ts';
import { type BulkPlan, type Cells, checkTexts, type PlannedFile, type RowPlan } from './row-plan.ts';

/** Removes spaces around a cell, except in a text that is passed to the service unchanged. */
export function cellText(column: BulkColumn, cell: string): string {
  const text = cell.trim();
  return column === 'uniqueId' && text !== '' ? cell : text;
}

/** A file as a row sends it, with its hash; a copy if it would not outlive this run. */
export async function planFile(location: FileLocation, file: LocalFile, copyName: string): Promise<PlannedFile> {
  const path = await durablePath(location, file.path, copyName);
  const { sha256, sizeBytes } = await hashFile(path).catch((error: unknown) => {
    const code = failureOf(error)?.code;
    if (code !== 'file-unreadable' && code !== 'file-changed') throw error;
    return { sha256: '', sizeBytes: file.sizeBytes };
  });
  return { path, name: file.name, sizeBytes, sha256 };
}

/** The problems of a row by itself: its texts, people and document. */
export function checkCells(cells: Cells, own: RowPlan, plan: BulkPlan, connection: Connection): BulkProblem[] {
  return [...checkTexts(cells, own, plan, connection), ...checkDocument(cells, own, plan)];
}

function checkDocument(cells: Cells, own: RowPlan, { content, file }: BulkPlan): BulkProblem[] {
  const problem = (kind: BulkProblem['kind'], column: BulkColumn): BulkProblem[] => [
    { kind, severity: 'error', column },
  ];
  if (content.kind === 'easy-sign-template') return own.templateId === '' ? problem('template-none', 'templateId') : [];
  if (cells.file && !own.file) return problem('file-missing', 'file');
  const used = own.file ?? file;
  if (!used) return problem('file-none', 'file');
  return used.sha256 === '' ? problem('file-unusable', 'file') : [];
}

/** The warnings of a row that sends the same as an earlier row, or as an earlier request. */
export function repeats(otherRow: number | undefined, sentAt: string | undefined): BulkProblem[] {
  const common = { severity: 'warning', column: null } as const;
  return [
    ...(otherRow === undefined ? [] : [{ kind: 'row-twice', ...common, otherRow } as const]),
    ...(sentAt === undefined ? [] : [{ kind: 'already-sent', ...common, sentAt } as const]),
  ];
}

/** Identifies document and people: rows with the same fingerprint send the same document to the same people. Null if one of these is missing. */
export function fingerprintOf(own: RowPlan, { content, file }: Pick<BulkPlan, 'content' | 'file'>): string | null {
  const document = content.kind === 'easy-sign-template' ? own.templateId : (own.file ?? file)?.sha256;
  if (!document || own.people.length === 0) return null;
  return fingerprint(
    document,
    own.people.map(({ email }) => email),
  );
}

/** The columns of a bulk, with one more for each that is missing and has a problem, so that it can be filled in. */
export function columnsFor(columns: Bulk['columns'], problems: readonly BulkProblem[]): Bulk['columns'] {
  const have = new Set(columns.map(({ column }) => column));
  const missing = new Set(problems.flatMap(({ column }) => (column === null || have.has(column) ? [] : [column])));
  return [...columns, ...[...missing].map((column) => ({ heading: '', column }))];
}
