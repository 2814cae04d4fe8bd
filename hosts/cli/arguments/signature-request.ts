import { parse } from 'node:path';
import type { SignatureRequest } from '../../../contract/compose.ts';
import { requestOperations } from '../../../contract/operation.ts';
import type { Run } from '../command.ts';
import { followBatch } from '../jobs/follow-jobs.ts';
import { type ExitCode, UsageError, worstOf } from '../output/exit-code.ts';
import type { Line } from '../output/printer.ts';
import { reportFailure } from '../output/report.ts';
import { t } from '../output/texts.ts';
import type { Session } from '../session.ts';
import { takeFiles, tokenOf } from './named-files.ts';
import { option, repeatable, waitOption } from './options.ts';
import { isSet, listOf, textOf, type Values } from './values.ts';

export const recipientOptions = [
  repeatable('--email <ADDRESS>', t('options.email')),
  option('--owner-signs', t('options.ownerSigns')),
  option('--skip-duplicates', t('options.skipRepeats')),
  waitOption,
];

/** Elements of every signature request. Throws a UsageError if there is no signer. */
export function commonElements({ connection }: Session, values: Values, file?: string) {
  const emails = [...listOf(values, 'email')];
  if (emails.length === 0) throw new UsageError(t('errors.noSigner'));
  return {
    connectionId: connection.id,
    documentName: textOf(values, 'name') ?? (file === undefined ? undefined : parse(file).name),
    description: textOf(values, 'description'),
    clientId: textOf(values, 'client-id'),
    emails,
    ownerSigns: isSet(values, 'owner-signs'),
    repeats: isSet(values, 'skip-duplicates') ? ('skip' as const) : ('tell' as const),
  };
}

/** Sends a request for the PDF that the command names; if the file cannot be used, reports that instead. */
export async function requestWithFile(
  session: Session,
  run: Run,
  operation: Line['operation'],
  requestFor: (fileToken: string) => SignatureRequest,
): Promise<ExitCode> {
  const [file = ''] = run.args;
  const taken = await takeFiles(session, [file], 'register');
  if (taken.paths[0] !== file) {
    const codes = taken.unusable.map(({ path, failure }) =>
      reportFailure(run.printer, { operation, file: path }, failure),
    );
    if (codes.length === 0) throw new UsageError(t('errors.folderForRequest', { file }));
    return worstOf(codes);
  }
  return sendRequest(session, run, requestFor(await tokenOf(session, 'FILE', file)), file);
}

/** Sends a request and reports its end. */
export async function sendRequest(
  session: Session,
  run: Run,
  request: SignatureRequest,
  file?: string,
): Promise<ExitCode> {
  const operation = requestOperations[request.kind];
  return followBatch(session, run, operation, [file], () => session.ask('signatures.request', request));
}
