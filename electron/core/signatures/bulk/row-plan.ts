import { type Bulk, type BulkColumn, type BulkProblem, bulkColumns } from '../../../../contract/bulk.ts';
import type { PresetContent, SentBefore } from '../../../../contract/compose.ts';
import type { Connection } from '../../../../contract/connections.ts';
import { isEmail } from '../../../../contract/email.ts';
import { longestPassedText, xmlText } from '../../../../contract/text.ts';
import { filledTemplate } from '../../../store/jobs/same-work.ts';
import { hashFile } from '../../files/hash-file.ts';
import type { LocalFile } from '../../files/local-file.ts';
import { durablePath, type FileLocation } from '../../files/own-files.ts';
import { failureOf } from '../../foundation/app-error.ts';
import { type Account, checkRecipients } from '../compose/recipients.ts';
import { fingerprint } from '../signature-order.ts';

/** A file as the check of the table found it: another file at the same path is not sent. */
export interface PlannedFile extends Pick<LocalFile, 'path' | 'name' | 'sizeBytes'> {
  /** Lower-case hex; empty if the file could not be read. */
  readonly sha256: string;
}

/** The part of a bulk that is the same for all rows. The paths never leave the core. */
export interface BulkPlan {
  readonly content: PresetContent;
  readonly file: PlannedFile | null;
  readonly image: PlannedFile | null;
}

/** The part that differs by row. */
export interface RowPlan {
  readonly people: readonly { readonly email: string; readonly name: string }[];
  readonly ccEmails: readonly string[];
  readonly documentName: string;
  readonly description: string;
  readonly clientId: string;
  readonly messageToSigners: string;
  readonly customSubject: string;
  readonly uniqueId: string;
  readonly templateId: string;
  /** The row's own file; null if it uses the file of all rows. */
  readonly file: PlannedFile | null;
}

/** Longest text per column, in characters, as in a single request. */
const longest: Record<BulkColumn, number> = {
  email1: 320,
  name1: 200,
  email2: 320,
  name2: 200,
  email3: 320,
  name3: 200,
  cc: 10_000,
  file: 1000,
  templateId: 200,
  documentName: 1000,
  description: 10_000,
  clientId: 1000,
  message: 10_000,
  subject: 1000,
  uniqueId: longestPassedText,
  secretWord: 200,
};

export type Cells = Readonly<Partial<Record<BulkColumn, string>>>;

const error = (kind: BulkProblem['kind'], column: BulkColumn | null): BulkProblem => ({
  kind,
  severity: 'error',
  column,
});

/**
 * What a row sends: its cells, and the common content if a cell is empty. People without address and name are left
 * out.
 */
export function planRow(cells: Cells, { content }: BulkPlan, file: PlannedFile | null): RowPlan {
  const cell = (column: BulkColumn) => cells[column] ?? '';
  const people = ([1, 2, 3] as const)
    .map((n) => ({ email: cell(`email${n}`), name: cell(`name${n}`) }))
    .filter(({ email, name }) => email !== '' || name !== '');
  const copies = cell('cc')
    .split(/[;,\s]+/)
    .filter((email) => email !== '');
  return {
    people,
    ccEmails: copies.length > 0 ? copies : content.ccEmails.filter((email) => email.trim() !== ''),
    documentName: cell('documentName') || content.documentName,
    description: cell('description') || content.description,
    clientId: cell('clientId') || content.clientId,
    messageToSigners: cell('message') || content.messageToSigners,
    customSubject: cell('subject') || content.customSubject,
    uniqueId: cell('uniqueId') || content.uniqueId,
    templateId: cell('templateId') || content.templateId,
    file,
  };
}

/** The problems of a row's texts and people. */
function checkTexts(cells: Cells, plan: RowPlan, { content }: BulkPlan, account: Account): BulkProblem[] {
  const problems: BulkProblem[] = [];
  for (const column of bulkColumns) {
    const text = cells[column] ?? '';
    if (text.length > longest[column]) problems.push(error('cell-too-long', column));
    else if (!xmlText(longest[column]).safeParse(text).success) problems.push(error('cell-unusable', column));
  }
  const numbers = ([1, 2, 3] as const).filter((n) => cells[`email${n}`] || cells[`name${n}`]);
  const found = checkRecipients(
    { kind: content.kind, recipients: plan.people, ccEmails: plan.ccEmails, ownerSigns: content.ownerSigns },
    account,
  );
  for (const { kind, severity, list, index, part } of found) {
    // Only three columns: a row cannot have more.
    if (kind === 'too-many-signers') continue;
    const n = index === null ? 1 : (numbers[index] ?? 1);
    const column = list === 'ccEmails' ? 'cc' : (`${part}${n}` as const);
    problems.push({ kind: kind === 'email-missing' ? 'email-invalid' : kind, severity, column });
  }
  return problems;
}

/** Removes spaces around a cell, except in a text that is passed to the service unchanged. */
export function cellText(column: BulkColumn, cell: string): string {
  const text = cell.trim();
  return column === 'uniqueId' && text !== '' ? cell : text;
}

/** The texts of a row by its columns. */
export const cellsOf = (columns: Bulk['columns'], row: readonly string[]): Cells =>
  Object.fromEntries(columns.flatMap(({ column }, at) => (column ? [[column, cellText(column, row[at] ?? '')]] : [])));

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
export function repeats(otherRow: number | undefined, before: SentBefore | undefined): BulkProblem[] {
  const common = { severity: 'warning', column: null } as const;
  return [
    ...(otherRow === undefined ? [] : [{ kind: 'row-twice', ...common, otherRow } as const]),
    ...(before === undefined ? [] : [{ ...common, ...before }]),
  ];
}

/** Identifies document and people: rows with the same fingerprint send the same document to the same people. Null if one of these is missing or cannot be known. */
export function fingerprintOf(own: RowPlan, { content, file }: Pick<BulkPlan, 'content' | 'file'>): string | null {
  const isTemplate = content.kind === 'easy-sign-template';
  const document = isTemplate ? own.templateId : (own.file ?? file)?.sha256;
  if (!document || own.people.length === 0 || !own.people.every(({ email }) => isEmail(email))) return null;
  return fingerprint(
    isTemplate ? filledTemplate({ TemplateID: document, XMLData: content.xmlData }) : document,
    own.people.map(({ email }) => email),
  );
}

/** The columns of a bulk, with one more for each that is missing and has a problem, so that it can be filled in. */
export function columnsFor(columns: Bulk['columns'], problems: readonly BulkProblem[]): Bulk['columns'] {
  const have = new Set(columns.map(({ column }) => column));
  const missing = new Set(problems.flatMap(({ column }) => (column === null || have.has(column) ? [] : [column])));
  return [...columns, ...[...missing].map((column) => ({ heading: '', column }))];
}
