import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { DocumentDetails } from '../../../contract/documents.ts';
import { refusalIn } from '../../../electron/core/connections/service-calls.ts';
import { safeFileName } from '../../../electron/core/files/safe-file-name.ts';
import { option } from '../arguments/options.ts';
import { assertFree, isSet, textOf } from '../arguments/values.ts';
import type { ServiceCommand } from '../command.ts';
import { followTask } from '../follow-task.ts';
import { type ExitCode, exitCodeOf, exitCodes, UsageError } from '../output/exit-code.ts';
import { failureOnLine, failureText, inColumn, nameOnLine, ownFailure } from '../output/printer.ts';
import { onLine, reportFailure } from '../output/report.ts';
import { t } from '../output/texts.ts';

const sampleId = '6f9619ff-8b86-d011-b42d-00cf4fc964ff';
const oneId = { kind: 'service', arguments: ['<ID>'], needsCredentials: true } as const;

export const statusCommand: ServiceCommand = {
  ...oneId,
  name: 'status',
  summary: t('commands.status.summary'),
  options: [],
  operation: 'GetDocumentStatus',
  examples: [[`${sampleId} --connection Office`, t('commands.status.saved')]],
  run: async ({ ask, connection }, { printer, args: [documentId = ''] }) => {
    const operation = 'GetDocumentStatus';
    const found = await ask('documents.status', { connectionId: connection.id, documentId });
    if (!found.ok) return reportFailure(printer, { operation, documentId }, found.failure);
    const { raw, answer } = found.value;
    if (answer.kind === 'none') {
      const failure = ownFailure('reply-unreadable', t('results.noStatus'), { detail: 'empty-reply' });
      return reportFailure(printer, { operation, documentId }, failure);
    }
    const ok = answer.kind !== 'code' && answer.group !== 'not-found';
    const status = raw ?? '';
    const text = answer.meaning ? t('results.withMeaning', { status, meaning: answer.meaning }) : status;
    printer.result({ operation, ok, raw, documentId, answer: onLine(answer) }, text);
    return ok ? exitCodes.fine : exitCodes.refused;
  },
};

export const detailsCommand: ServiceCommand = {
  ...oneId,
  name: 'details',
  summary: t('commands.details.summary'),
  options: [],
  operation: 'GetDocumentDetails',
  examples: [[`${sampleId} --json`, t('commands.details.json')]],
  run: async ({ ask, connection }, { printer, args: [documentId = ''] }) => {
    const operation = 'GetDocumentDetails';
    const found = await ask('documents.details', { connectionId: connection.id, documentId });
    if (!found.ok) return reportFailure(printer, { operation, documentId }, found.failure);
    const { raw, askedAt: _askedAt, ...details } = found.value;
    // Services also use this field, which every record has, to say that the document does not exist.
    const refused = details.errors === null ? unclear() : refusalIn(String(details.errors))?.failure;
    if (!refused) {
      printer.result({ operation, ok: true, raw, documentId, details }, detailsText(found.value));
      return exitCodes.fine;
    }
    const failure = failureOnLine(refused);
    const line = t('results.line', { subject: documentId, text: failureText(refused) });
    printer.result({ operation, ok: false, raw, documentId, details, failure }, `${line}\n${detailsText(found.value)}`);
    return exitCodeOf(refused);
  },
};

const unclear = () => ownFailure('reply-unreadable', t('results.noErrorCount'), { detail: 'wrong-reply' });

function detailsText(details: DocumentDetails): string {
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
  summary: t('commands.download.summary'),
  options: [option('-o, --output <FILE|FOLDER>', t('options.output')), option('--replace', t('options.replace'))],
  operation: 'GetDocument',
  examples: [
    [sampleId, t('commands.download.here')],
    [`${sampleId} -o signed.pdf`, t('commands.download.file')],
    [`${sampleId} -o signed.pdf --replace`, t('commands.download.replace')],
  ],
  run: async (session, { printer, args: [documentId = ''], values, interrupted }) => {
    const file = await targetFor(textOf(values, 'output') ?? '.', documentId);
    const mayReplace = isSet(values, 'replace');
    await assertFree('-o', file, mayReplace);
    const { connection, core } = session;
    const start = () => core.downloadTo(connection.id, documentId, file, { mayReplace });
    const download = await followTask<'download'>(session, start, interrupted);
    const { sha256 } = download.progress;
    const operation = 'GetDocument';
    if (download.state === 'done') {
      printer.result(
        { operation, ok: true, documentId, file },
        t('results.line', {
          subject: nameOnLine(file),
          text: sha256 ? t('results.savedWithHash', { sha256 }) : t('results.saved'),
        }),
      );
      return exitCodes.fine;
    }
    const failure = download.failure ?? ownFailure('cancelled', t('results.cancelled'));
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
  if (!found?.isDirectory()) throw new UsageError(t('errors.noFolder', { folder }));
  return resolve(output);
}
