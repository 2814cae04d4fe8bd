import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { DocumentDetails } from '../../../contract/documents.ts';
import { refusalIn } from '../../../electron/core/connections/service-answers.ts';
import { safeFileName } from '../../../electron/core/files/safe-file-name.ts';
import { awaitTask } from '../await-task.ts';
import type { ServiceCommand } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-code.ts';
import { failureText, ownFailure } from '../failure-text.ts';
import { assertFree } from '../given-target.ts';
import { option } from '../options.ts';
import { failureOnLine, inColumn, nameOnLine } from '../printer.ts';
import { meaningText, onLine, reportFailure } from '../report.ts';
import type { Texts } from '../texts.ts';
import { UsageError } from '../usage-error.ts';
import { isSet, textOf } from '../values.ts';

const sampleId = '6f9619ff-8b86-d011-b42d-00cf4fc964ff';
const oneId = { kind: 'service', arguments: ['<ID>'], needsCredentials: true } as const;

export const statusCommand: ServiceCommand = {
  ...oneId,
  name: 'status',
  summary: (t) => t('commands.status.summary'),
  options: [],
  operation: 'GetDocumentStatus',
  examples: [[`${sampleId} --connection Office`, (t) => t('commands.status.saved')]],
  run: async ({ ask, connection }, { printer, args: [documentId = ''] }) => {
    const operation = 'GetDocumentStatus';
    const status = await ask('documents.status', { connectionId: connection.id, documentId });
    if (!status.ok) return reportFailure(printer, { operation, documentId }, status.failure);
    const { raw, answer } = status.value;
    if (answer.kind === 'none') {
      const failure = ownFailure('reply-unreadable', (t) => t('results.noStatus'), { detail: 'empty-reply' });
      return reportFailure(printer, { operation, documentId }, failure);
    }
    const ok = answer.kind !== 'code' && answer.group !== 'not-found';
    printer.result({ operation, ok, raw, documentId, answer: onLine(answer) }, (t) => {
      const text = raw ?? '';
      return answer.meaning ? t('results.withMeaning', { status: text, meaning: meaningText(t, answer) }) : text;
    });
    return ok ? exitCodes.fine : exitCodes.refused;
  },
};

export const detailsCommand: ServiceCommand = {
  ...oneId,
  name: 'details',
  summary: (t) => t('commands.details.summary'),
  options: [],
  operation: 'GetDocumentDetails',
  examples: [[`${sampleId} --json`, (t) => t('commands.details.json')]],
  run: async ({ ask, connection }, { printer, args: [documentId = ''] }) => {
    const operation = 'GetDocumentDetails';
    const found = await ask('documents.details', { connectionId: connection.id, documentId });
    if (!found.ok) return reportFailure(printer, { operation, documentId }, found.failure);
    const { raw, askedAt: _askedAt, ...details } = found.value;
    // Services also use this field, which every record has, to say that the document does not exist.
    const refused = details.errors === null ? unclear() : refusalIn(String(details.errors))?.failure;
    if (!refused) {
      printer.result({ operation, ok: true, raw, documentId, details }, (t) => detailsText(t, found.value));
      return exitCodes.fine;
    }
    const failure = failureOnLine(refused);
    printer.result({ operation, ok: false, raw, documentId, details, failure }, (t) => {
      const text = failureText(t, refused);
      return `${t('results.line', { subject: documentId, text })}\n${detailsText(t, found.value)}`;
    });
    return exitCodeOf(refused);
  },
};

const unclear = () => ownFailure('reply-unreadable', (t) => t('results.noErrorCount'), { detail: 'wrong-reply' });

function detailsText(t: Texts, details: DocumentDetails): string {
  const rows: readonly (readonly [string, string | number | null])[] = [
    [t('results.details.name'), details.documentName],
    [t('results.details.created'), details.createdDate],
    [t('results.details.description'), details.description],
    [t('results.details.clientId'), details.clientId],
    [t('results.details.pages'), details.pages],
    [t('results.details.originalName'), details.originalDocumentName],
    [t('results.details.errors'), details.errors],
  ];
  const labels = rows.map(([label]) => label);
  const isOther = rows.every(([, value]) => value === null);
  return isOther ? details.raw : rows.map(([label, value]) => `${inColumn(label, labels)}  ${value ?? '–'}`).join('\n');
}

export const downloadCommand: ServiceCommand = {
  ...oneId,
  name: 'download',
  summary: (t) => t('commands.download.summary'),
  options: [
    option('-o, --output <FILE|FOLDER>', (t) => t('options.output')),
    option('--replace', (t) => t('options.replace')),
  ],
  operation: 'GetDocument',
  examples: [
    [sampleId, (t) => t('commands.download.here')],
    [`${sampleId} -o signed.pdf`, (t) => t('commands.download.file')],
    [`${sampleId} -o signed.pdf --replace`, (t) => t('commands.download.replace')],
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
      printer.result({ operation, ok: true, raw: null, documentId, file }, (t) =>
        t('results.line', {
          subject: nameOnLine(file),
          text: sha256 ? t('results.savedWithHash', { sha256 }) : t('results.saved'),
        }),
      );
      return exitCodes.fine;
    }
    const failure = download.failure ?? ownFailure('cancelled', (t) => t('results.cancelled'));
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
  if (!found?.isDirectory()) throw new UsageError((t) => t('errors.noFolder', { folder }));
  return resolve(output);
}
