import { basename } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { DocumentRow } from '../../../../contract/documents.ts';
import type { CallParsed, HandlersOf } from '../../../../contract/index.ts';
import type { JobStep } from '../../../../contract/jobs.ts';
import type { Language } from '../../../../contract/languages.ts';
import type { Receipt } from '../../../../contract/receipts.ts';
import { loadTexts, type TextsOf } from '../../../../locales/load-texts.ts';
import { ownText } from '../../../../locales/own-verdict.ts';
import type { StoredJob } from '../../../store/jobs/job-rows.ts';
import { practiceMarks } from '../../connections/connection-list.ts';
import type { Context } from '../../context.ts';
import { hashFile } from '../../files/hash-file.ts';
import { readWhole } from '../../files/open-file.ts';
import type { Target } from '../../files/place-file.ts';
import { safeFileName } from '../../files/safe-file-name.ts';
import { chooseTarget, saveFile } from '../../files/target.ts';
import { appError, orNotFound } from '../../foundation/app-error.ts';
import { asRead } from '../../foundation/fs-errors.ts';
import { type PdfReport, savePdfReport } from '../../output/pdf/pdf-report.ts';
import { isIntact, parseReceipt, receiptNature, sealReceipt } from './receipt-format.ts';

/** Calls about custody receipts: this program's own record of the documents it sent. */
export function receiptCalls(context: Context, examined: Examined): HandlersOf<'receipts'> {
  const { ports, files } = context;
  return {
    'receipts.save': async ({ format, language, ...about }) => {
      const receipt = makeReceipt(context, examined, about, await practiceMarks(language));
      const stem = (receipt.file.name ?? receipt.document.name).replace(/\.[^.]{1,8}$/, '');
      const t = await loadTexts(language, 'receipts');
      const named = (name: string) => `${t('fileName', { name })}.${format}`;
      const suggested = safeFileName(named(stem), named(about.documentId));
      const target = await chooseTarget(ports.dialogs, suggested);
      if (target === null) return null;
      const path = await (format === 'pdf'
        ? writeReceiptPdf(target, receipt, ports.assetsDir, language)
        : saveFile(target, [JSON.stringify(receipt, null, 2), '\n']));
      return { fileName: basename(path) };
    },
    'receipts.check': async ({ receiptToken, fileToken }) => {
      const receipt = await readReceipt((await files.file(receiptToken)).path);
      const file = await files.file(fileToken);
      const hashed = await hashFile(file.path);
      return {
        receipt,
        isIntact: isIntact(receipt),
        result: resultOf(receipt.file, hashed),
        fileName: file.name,
        ...hashed,
      };
    },
  };
}

type Bytes = Pick<Receipt['file'], 'sha256' | 'sizeBytes'>;

function resultOf(kept: Bytes, found: Bytes): 'same' | 'different' | 'no-hash' {
  if (kept.sha256 === null) return 'no-hash';
  const isSame = kept.sha256.toLowerCase() === found.sha256;
  return isSame && (kept.sizeBytes === null || kept.sizeBytes === found.sizeBytes) ? 'same' : 'different';
}

type About = Pick<CallParsed<'receipts.save'>, 'connectionId' | 'documentId'>;

/** What was last found in a file with these bytes. */
type Examined = (sha256: string) => Receipt['ownVerdict'];

/** Makes a receipt from what was recorded while the document was sent. Throws not-found, and bad-input for a document that was not sent from here. */
function makeReceipt({ store, ports }: Context, examined: Examined, about: About, markOf: (id: string) => string) {
  const { connectionId, documentId } = about;
  const row = orNotFound(store.documents.byDocumentId(connectionId, documentId), 'no such document in the register');
  const job = row.jobId === null ? null : store.jobs.get(row.jobId);
  if (!job) throw appError('bad-input', 'this document was not sent from here: there is nothing to write a receipt of');
  const story = store.jobs.history(job.id);
  const statuses = store.documents.statusHistory(connectionId, documentId);
  return sealReceipt({
    kind: 'sealdesk-custody-receipt',
    formatVersion: 2,
    nature: receiptNature,
    file: { name: row.fileName, sizeBytes: row.sizeBytes, sha256: row.sha256 },
    document: {
      id: row.documentId ?? documentId,
      name: row.name,
      description: row.description,
      clientReference: row.clientId,
    },
    request: { operation: job.operation, fields: fieldsOf(job) },
    times: timesOf(job, row, story),
    answer: { raw: job.raw, isAcceptedByPerson: matchedAt(story) !== null },
    ownVerdict: row.sha256 === null ? null : examined(row.sha256),
    statuses: statuses.map(({ raw, firstAskedAt, lastAskedAt }) => ({ raw, from: firstAskedAt, to: lastAskedAt })),
    connection: connectionOf(job, markOf(connectionId)),
    program: {
      sentBy: job.departure?.program ?? null,
      writtenBy: ports.version,
      writtenAt: new Date().toISOString(),
    },
  });
}

function fieldsOf({ args }: StoredJob): Record<string, string> {
  const definedArgs = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(definedArgs.map(([name, value]) => [name, String(value)]));
}

const matchedAt = (story: readonly JobStep[]) => story.findLast(({ kind }) => kind === 'accepted')?.at ?? null;

/** A job that was sent several times has several steps of each kind: the last ones belong to the answer. */
function timesOf(job: StoredJob, row: DocumentRow, story: readonly JobStep[]): Receipt['times'] {
  const matched = matchedAt(story);
  return {
    taken: job.createdAt,
    departed: job.departedAt,
    answerBegan: job.answerBeganAt,
    // The answer that a person settled later was never seen.
    answered: matched !== null ? null : (story.findLast(({ kind }) => kind === 'done')?.at ?? row.registeredAt),
    matched,
  };
}

function connectionOf({ departure }: StoredJob, mark: string): Receipt['connection'] {
  if (!departure) return null;
  const { connection, certificateFingerprint, certificateIssuer } = departure;
  return { ...connection, name: `${connection.name}${mark}`, certificateFingerprint, certificateIssuer };
}

/** Receipts are small; larger files are not read. In bytes. */
const maxBytes = 32 * 1024 * 1024;
/** Limit for one unpacked file inside a PDF, in bytes. */
const maxAttachedBytes = 16 * 1024 * 1024;

/** Reads a receipt from a JSON or PDF file. Rejects with bad-input (field receiptToken) if the file holds no receipt, and with file-unreadable. */
export async function readReceipt(path: string): Promise<Receipt> {
  const bytes = await asRead(readWhole(path, maxBytes));
  const isPdf = bytes?.subarray(0, 1024).includes('%PDF-');
  const found = bytes && (isPdf ? receiptInPdf(bytes) : parseReceipt(bytes.toString('utf8').replace(/^\uFEFF/, '')));
  if (found) return found;
  const why = bytes ? 'there is no receipt in this file' : 'too large for a receipt';
  throw appError('bad-input', why, { fields: { receiptToken: 'is no receipt' } });
}

/**
 * Searches the embedded files of a PDF that this program wrote (or another program saved again). This is no complete PDF reader: embedded files in
 * compressed object streams are not found.
 */
function receiptInPdf(bytes: Buffer): Receipt | null {
  const text = bytes.toString('latin1');
  for (const { index, 0: mark } of text.matchAll(/\/Type\s*\/EmbeddedFile\b/g)) {
    const begin = text.lastIndexOf(' obj', index);
    const stream = /stream\r?\n/g;
    stream.lastIndex = index + mark.length;
    const start = stream.exec(text);
    if (begin < 0 || !start) continue;
    const head = text.slice(begin, start.index);
    const length = Number(/\/Length\s+(\d{1,9})\b(?!\s+\d+\s+R)/.exec(head)?.[1] ?? Number.NaN);
    const from = start.index + start[0].length;
    const to = Number.isNaN(length) ? text.indexOf('endstream', from) : from + length;
    const found = parseReceipt(unpacked(bytes.subarray(from, to), head) ?? '');
    if (found) return found;
  }
  return null;
}

function unpacked(bytes: Buffer, head: string): string | null {
  if (!/\/Filter/.test(head)) return bytes.toString('utf8');
  if (!/\/Filter\s*\[?\s*\/FlateDecode\s*\]?/.test(head)) return null;
  try {
    return inflateSync(bytes, { maxOutputLength: maxAttachedBytes }).toString('utf8');
  } catch {
    return null;
  }
}

type Texts = TextsOf<'receipts'>;

/** Name of the receipt as JSON inside the PDF. */
const attachedName = 'custody-receipt.json';

/**
 * Writes a receipt as a PDF that contains the receipt as JSON; resolves with its path. Rejects as PdfReport.finish does; then the target is
 * unchanged.
 */
async function writeReceiptPdf(
  target: Target,
  receipt: Receipt,
  assetsDir: string,
  language: Language,
): Promise<string> {
  const [t, reportTexts] = await Promise.all([loadTexts(language, 'receipts'), loadTexts(language, 'reports')]);
  const title = `${t('title')} ${receipt.document.id}`;
  const footer = [t('title'), receipt.document.id, receipt.connection?.name].filter(Boolean).join(' · ');
  return savePdfReport(target, { title, footer, assetsDir, language }, (report) => {
    writeParts(report, receipt, t, reportTexts);
    report.attach(attachedName, Buffer.from(JSON.stringify(receipt, null, 2)), t('attachment'));
  });
}

function writeParts(report: PdfReport, receipt: Receipt, t: Texts, reportTexts: TextsOf<'reports'>): void {
  const { file, document, request, times, answer, statuses, connection, program } = receipt;
  const part = (title: string, rows: readonly (readonly [string, string])[]) => {
    report.heading(title, 2);
    report.fields(rows);
  };
  report.heading(t('title'));
  report.paragraph(t('nature'), { isQuiet: true });
  report.rule();
  part(t('headings.document'), [
    ['ID', document.id],
    [t('labels.name'), document.name],
    [t('labels.description'), document.description],
    [t('labels.clientReference'), document.clientReference],
  ]);
  part(t('headings.file'), [
    [t('labels.name'), file.name ?? ''],
    [t('labels.size'), file.sizeBytes === null ? '' : t('bytes', { count: file.sizeBytes })],
    ['SHA-256', file.sha256 ?? ''],
  ]);
  writeOwnVerdict(report, receipt.ownVerdict, t, reportTexts);
  part(t('headings.request'), [[t('labels.operation'), request.operation], ...Object.entries(request.fields)]);
  const known = (['taken', 'departed', 'answerBegan', 'answered', 'matched'] as const).flatMap((what) => {
    const time = times[what];
    // What did not happen has no line: an empty one would say that it did.
    return time === null ? [] : [[t(`labels.${what}`), time] as const];
  });
  part(t('headings.times'), known);
  report.heading(t('headings.answer'), 2);
  report.paragraph(answerText(t, answer));
  if (statuses.length > 0) writeStatuses(report, statuses, t);
  part(t('headings.connection'), connectionRows(t, connection));
  part(t('headings.program'), [
    [t('labels.sentBy'), program.sentBy === null ? '' : `Sealdesk ${program.sentBy}`],
    [t('labels.writtenBy'), `Sealdesk ${program.writtenBy}`],
    [t('labels.writtenAt'), program.writtenAt],
    [t('labels.checksum'), receipt.checksum],
  ]);
  report.paragraph(t('carries'), { isQuiet: true });
}

/** As reports say it; where no signature was found, or the file was not examined, nothing is said. */
function writeOwnVerdict(
  report: PdfReport,
  own: Receipt['ownVerdict'],
  t: Texts,
  reportTexts: TextsOf<'reports'>,
): void {
  const text = own ? ownText(reportTexts, own.signatures) : '';
  if (!own || text === '') return;
  report.paragraph(text);
  report.fields([[t('labels.examined'), own.examinedAt]]);
  report.paragraph(reportTexts('ownText'), { isQuiet: true });
}

function writeStatuses(report: PdfReport, statuses: Receipt['statuses'], t: Texts): void {
  report.heading(t('headings.statuses'), 2);
  const table = report.table([
    { title: t('labels.status'), share: 2 },
    { title: t('labels.firstAsked'), share: 1 },
    { title: t('labels.lastAsked'), share: 1 },
  ]);
  for (const { raw, from, to } of statuses) table.row([raw ?? t('nothing'), from, to]);
}

function answerText(t: Texts, { raw, isAcceptedByPerson }: Receipt['answer']): string {
  if (!isAcceptedByPerson) return raw === null ? t('noAnswer') : t('quoted', { raw });
  return `${raw === null ? `${t('lostAnswer')} ` : `${t('quoted', { raw })}\n`}${t('decided')}`;
}

function connectionRows(t: Texts, connection: Receipt['connection']): (readonly [string, string])[] {
  if (!connection) return [[t('labels.connection'), t('noConnection')]];
  return [
    [t('labels.name'), connection.name],
    [t('labels.address'), connection.address],
    [t('labels.namespace'), connection.namespaceUri],
    [t('labels.soapVersion'), connection.soapVersion],
    [t('labels.certificate'), connection.certificateFingerprint ?? t('noTls')],
    [t('labels.issuer'), connection.certificateIssuer ?? ''],
  ];
}
