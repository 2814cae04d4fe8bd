import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { DocumentDetails } from '../../../contract/documents.ts';
import { refusalIn } from '../../../electron/core/connections/service-answers.ts';
import { safeFileName } from '../../../electron/core/files/safe-file-name.ts';
import { awaitTask } from '../await-task.ts';
import type { ServiceCommand } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-code.ts';
import { assertFree } from '../given-target.ts';
import { option } from '../options.ts';
import { failureOnLine, nameOnLine } from '../printer.ts';
import { onLine, reportFailure } from '../report.ts';
import { UsageError } from '../usage-error.ts';
import { isSet, textOf } from '../values.ts';

const sampleId = '6f9619ff-8b86-d011-b42d-00cf4fc964ff';
const oneId = { kind: 'service', arguments: ['<ID>'], needsCredentials: true } as const;

export const statusCommand: ServiceCommand = {
  ...oneId,
  name: 'status',
  summary: 'Prints the processing status of a document (GetDocumentStatus).',
  options: [],
  operation: 'GetDocumentStatus',
  examples: [[`${sampleId} --connection Office`, 'of a document on a saved connection']],
  run: async ({ ask, connection }, { printer, args: [documentId = ''] }) => {
    const operation = 'GetDocumentStatus';
    const status = await ask('documents.status', { connectionId: connection.id, documentId });
    if (!status.ok) return reportFailure(printer, { operation, documentId }, status.failure);
    const { raw, answer } = status.value;
    const ok = answer.kind !== 'code' && answer.group !== 'not-found';
    const meaning = answer.meaning ? ` (${answer.meaning})` : '';
    printer.result({ operation, ok, raw, documentId, answer: onLine(answer) }, `${raw ?? 'no status'}${meaning}`);
    return ok ? exitCodes.fine : exitCodes.refused;
  },
};

export const detailsCommand: ServiceCommand = {
  ...oneId,
  name: 'details',
  summary: 'Prints the details record of your document (GetDocumentDetails).',
  options: [],
  operation: 'GetDocumentDetails',
  examples: [[`${sampleId} --json`, 'as a JSON object']],
  run: async ({ ask, connection }, { printer, args: [documentId = ''] }) => {
    const operation = 'GetDocumentDetails';
    const found = await ask('documents.details', { connectionId: connection.id, documentId });
    if (!found.ok) return reportFailure(printer, { operation, documentId }, found.failure);
    const { raw, askedAt: _askedAt, ...details } = found.value;
    // Services also use this field to say that the document does not exist.
    const refused = details.errors === null ? null : refusalIn(String(details.errors));
    if (!refused) {
      printer.result({ operation, ok: true, raw, documentId, details }, detailsText(found.value));
      return exitCodes.fine;
    }
    const failure = failureOnLine(refused.failure);
    printer.result(
      { operation, ok: false, raw, documentId, details, failure },
      `${documentId}: ${failure.note}\n${detailsText(found.value)}`,
    );
    return exitCodeOf(refused.failure);
  },
};

function detailsText(details: DocumentDetails): string {
  const rows: readonly (readonly [string, string | number | null])[] = [
    ['Name', details.documentName],
    ['Created', details.createdDate],
    ['Description', details.description],
    ['Client reference', details.clientId],
    ['Pages', details.pages],
    ['Original name', details.originalDocumentName],
    ['Errors', details.errors],
  ];
  const isOther = rows.every(([, value]) => value === null);
  return isOther ? details.raw : rows.map(([label, value]) => `${label.padEnd(17)} ${value ?? '–'}`).join('\n');
}

export const downloadCommand: ServiceCommand = {
  ...oneId,
  name: 'download',
  summary: 'Fetches a document that you own or that is shared with you (GetDocument).',
  options: [
    option('-o, --output <FILE|FOLDER>', 'where to (ID.pdf in this folder)'),
    option('--replace', 'replaces a file that is there already'),
  ],
  operation: 'GetDocument',
  examples: [
    [sampleId, 'into this folder, named after its ID'],
    [`${sampleId} -o signed.pdf`, 'into a file of your choice'],
    [`${sampleId} -o signed.pdf --replace`, 'also where there is one already'],
  ],
  run: async (session, { printer, args: [documentId = ''], values, interrupted }) => {
    const file = await targetFor(textOf(values, 'output') ?? '.', documentId);
    const mayReplace = isSet(values, 'replace');
    await assertFree('-o', file, mayReplace);
    const { connection, core } = session;
    const start = () => core.downloadTo(connection.id, documentId, file, { mayReplace });
    const download = await awaitTask(session, start, interrupted);
    const { sha256 } = download.progress;
    const operation = 'GetDocument';
    if (download.state === 'done') {
      printer.result(
        { operation, ok: true, raw: null, documentId, file },
        `${nameOnLine(file)}: saved${sha256 ? `, SHA-256 ${sha256}` : ''}`,
      );
      return exitCodes.fine;
    }
    const failure = download.failure ?? { code: 'cancelled', note: 'cancelled', retryable: true };
    const code: ExitCode = reportFailure(printer, { operation, documentId, file }, failure);
    return interrupted.aborted ? exitCodes.interrupted : code;
  },
};

/** The file to write; in a folder, the name is the ID. Throws a UsageError before anything is fetched if the folder does not exist. */
async function targetFor(output: string, documentId: string): Promise<string> {
  const isFolder = (await stat(output).catch(() => null))?.isDirectory();
  if (isFolder) return resolve(join(output, safeFileName(`${documentId}.pdf`, 'document.pdf')));
  const folder = dirname(resolve(output));
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new UsageError(`-o: there is no folder ${folder}: make it first, or name another.`);
  return resolve(output);
}
