import { parse } from 'node:path';
import type { Envelope } from '../../../contract/failure.ts';
import type { SignatureRequest } from '../../../contract/signatures.ts';
import type { Run, ServiceCommand } from '../command.ts';
import { creditOf } from '../credit.ts';
import { type ExitCode, worstOf } from '../exit-code.ts';
import { watchJobs } from '../follow-jobs.ts';
import { easySignOptions, easySignTemplateOptions, requestOptions } from '../options.ts';
import type { Line } from '../printer.ts';
import { reportFailure, reportJob } from '../report.ts';
import type { Session } from '../session.ts';
import { takeFiles, tokenOf } from '../take-files.ts';
import { UsageError } from '../usage-error.ts';
import { choiceOf, fileTextOf, isSet, listOf, textOf, type Values } from '../values.ts';

type Started = Envelope<{ readonly batchId: string; readonly jobId: string }>;

const costs = 'Each request costs credits and mails its signers.';
const oneFile = { kind: 'service', usage: 'FILE', minArgs: 1, maxArgs: 1, needsCredentials: true } as const;

export const requestSignaturesCommand: ServiceCommand = {
  ...oneFile,
  name: 'request-signatures',
  summary: `Registers a PDF and asks people to sign it (AddNewDocumentESign). ${costs}`,
  options: requestOptions,
  operation: 'AddNewDocumentESign',
  examples: [
    ['contract.pdf --email ann@example.com --email bo@example.com', 'two signers'],
    ['contract.pdf --email ann@example.com --owner-signs --owner-first --secret-word-env WORD', 'you sign first'],
  ],
  run: async (session, run) => {
    const { values, env } = run;
    const creditType = creditOf(values, session.connection);
    const request = { ...commonOf(session, values, run.args[0]), creditType, ownerFirst: isSet(values, 'owner-first') };
    if (request.ownerFirst && !request.ownerSigns) throw new UsageError('--owner-first needs --owner-signs.');
    const secretWord = secretWordOf(values, env);
    return withFile(session, run, 'AddNewDocumentESign', (fileToken) => ({
      kind: 'plain',
      ...request,
      fileToken,
      secretWord,
    }));
  },
};

export const easySignCommand: ServiceCommand = {
  ...oneFile,
  name: 'easy-sign',
  summary: `Makes an Easy Sign document from a PDF (AddNewEasySignDocument). ${costs}`,
  options: easySignOptions,
  operation: 'AddNewEasySignDocument',
  examples: [
    ['lease.pdf --email ann@example.com --signer-name "Ann Lee" --cc office@example.com', 'a signer and a copy'],
    [
      'lease.pdf --email ann@example.com --xml-data places.xml --image logo.png --no-id-verify',
      'with XML data and an image',
    ],
  ],
  run: async (session, run) => {
    const request = await easySignOf(session, run.values, run.args[0]);
    const elementsFromTemplateId = textOf(run.values, 'elements-from');
    return withFile(session, run, 'AddNewEasySignDocument', (fileToken) => ({
      kind: 'easy-sign',
      ...request,
      fileToken,
      elementsFromTemplateId,
    }));
  },
};

export const easySignTemplateCommand: ServiceCommand = {
  ...oneFile,
  usage: 'TEMPLATE-ID',
  name: 'easy-sign-template',
  summary: `Makes an Easy Sign document from a template of the service's library (AddNewEasySignTemplate). ${costs}`,
  options: easySignTemplateOptions,
  operation: 'AddNewEasySignTemplate',
  examples: [
    ['T-100 --email ann@example.com --subject "Please sign" --message "Until Friday."', 'with a mail of your own'],
  ],
  run: async (session, run) => {
    const request = await easySignOf(session, run.values);
    const templateId = run.args[0] ?? '';
    return send(session, run, { kind: 'easy-sign-template', ...request, templateId });
  },
};

function commonOf({ connection }: Session, values: Values, file?: string) {
  const emails = [...listOf(values, 'email')];
  if (emails.length === 0) throw new UsageError('Who is to sign? Give --email ADDRESS, once for each signer.');
  return {
    connectionId: connection.id,
    documentName: textOf(values, 'name') ?? (file === undefined ? undefined : parse(file).name),
    description: textOf(values, 'description'),
    clientId: textOf(values, 'client-id'),
    emails,
    ownerSigns: isSet(values, 'owner-signs'),
  };
}

async function easySignOf(session: Session, values: Values, file?: string) {
  const common = commonOf(session, values, file);
  const names = [...listOf(values, 'signer-name')];
  if (names.length > 0 && names.length !== common.emails.length) {
    throw new UsageError(
      `There are ${common.emails.length} --email and ${names.length} --signer-name: give one name for each.`,
    );
  }
  const ccEmails = [...listOf(values, 'cc')];
  const image = textOf(values, 'image');
  return {
    ...common,
    names: names.length > 0 ? names : undefined,
    ccEmails: ccEmails.length > 0 ? ccEmails : undefined,
    xmlData: await fileTextOf(values, 'xml-data'),
    uniqueId: textOf(values, 'unique-id'),
    allowSignerElementAdd: choiceOf(values, 'allow-element-add'),
    imageToken: image === undefined ? undefined : await tokenOf(session, '--image', image),
    enforceSigClick: choiceOf(values, 'enforce-click'),
    messageToSigners: textOf(values, 'message'),
    customSubject: textOf(values, 'subject'),
    idVerify: choiceOf(values, 'id-verify'),
  };
}

function secretWordOf(values: Values, env: NodeJS.ProcessEnv): string | undefined {
  const name = textOf(values, 'secret-word-env');
  if (name === undefined) return undefined;
  const word = env[name];
  if (!word) throw new UsageError(`--secret-word-env: the environment variable ${name} is not set.`);
  return word;
}

async function withFile(
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
    if (codes.length === 0) throw new UsageError(`${file} is a folder: give one PDF.`);
    return worstOf(codes);
  }
  return send(session, run, requestFor(await tokenOf(session, 'FILE', file)), file);
}

async function send(session: Session, run: Run, request: SignatureRequest, file?: string): Promise<ExitCode> {
  const operation = {
    plain: 'AddNewDocumentESign',
    'easy-sign': 'AddNewEasySignDocument',
    'easy-sign-template': 'AddNewEasySignTemplate',
  } as const;
  return followOne(session, run, operation[request.kind], file, () => session.ask('signatures.request', request));
}

/** Starts one job and reports its end. */
export async function followOne(
  session: Session,
  { printer, interrupted }: Run,
  operation: Line['operation'],
  file: string | undefined,
  start: () => Promise<Started>,
): Promise<ExitCode> {
  const watch = watchJobs(session);
  try {
    const started = await start();
    if (!started.ok) return reportFailure(printer, { operation, file }, started.failure);
    const codes: ExitCode[] = [];
    await watch.follow(started.value.batchId, 1, {
      interrupted,
      unsent: 'cancel',
      remark: printer.remark,
      onEnd: (ended) => codes.push(reportJob(printer, file, ended)),
    });
    return worstOf(codes);
  } finally {
    watch.stop();
  }
}
