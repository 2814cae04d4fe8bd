import { parse } from 'node:path';
import type { SignatureRequest } from '../../../contract/compose.ts';
import { requestOperations } from '../../../contract/operation.ts';
import { takeFiles, tokenOf } from '../arguments/named-files.ts';
import { choice, creditOption, documentOptions, option, repeatable, waitOption } from '../arguments/options.ts';
import { choiceOf, creditOf, fileTextOf, isSet, listOf, textOf, type Values } from '../arguments/values.ts';
import type { Run, ServiceCommand } from '../command.ts';
import { followBatch } from '../jobs/follow-jobs.ts';
import { type ExitCode, UsageError, worstOf } from '../output/exit-code.ts';
import type { Line } from '../output/printer.ts';
import { reportFailure } from '../output/report.ts';
import { t } from '../output/texts.ts';
import type { Session } from '../session.ts';

const recipientOptions = [
  repeatable('--email <ADDRESS>', t('options.email')),
  option('--owner-signs', t('options.ownerSigns')),
  option('--send-duplicates', t('options.sendRepeats')),
  waitOption,
];

export const requestSignaturesCommand: ServiceCommand = {
  kind: 'service',
  arguments: ['<FILE>'],
  needsCredentials: true,
  name: 'request-signatures',
  summary: t('commands.requestCosts', { summary: t('commands.requestSignatures.summary') }),
  options: [
    ...documentOptions,
    creditOption,
    ...recipientOptions,
    option('--owner-first', t('options.ownerFirst')),
    option('--secret-word-env <NAME>', t('options.secretWordEnv')),
  ],
  operation: 'AddNewDocumentESign',
  examples: [
    ['contract.pdf --email ann@example.com --email bo@example.com', t('commands.requestSignatures.two')],
    [
      'contract.pdf --email ann@example.com --owner-signs --owner-first --secret-word-env WORD',
      t('commands.requestSignatures.ownerFirst'),
    ],
  ],
  run: async (session, run) => {
    const { values, env } = run;
    const creditType = creditOf(values, session.connection);
    const request = {
      ...commonElements(session, values, run.args[0]),
      creditType,
      ownerFirst: isSet(values, 'owner-first'),
    };
    if (request.ownerFirst && !request.ownerSigns) throw new UsageError(t('errors.ownerFirst'));
    const secretWord = secretWordOf(values, env);
    return requestWithFile(session, run, 'AddNewDocumentESign', (fileToken) => ({
      kind: 'plain',
      ...request,
      fileToken,
      secretWord,
    }));
  },
};

function secretWordOf(values: Values, env: NodeJS.ProcessEnv): string | undefined {
  const name = textOf(values, 'secret-word-env');
  if (name === undefined) return undefined;
  const word = env[name];
  // Without the name: it may be the secret word itself, given by mistake.
  if (!word) throw new UsageError(t('errors.secretWordMissing'));
  return word;
}

/** Options of both Easy Sign operations. */
const easySignOptions = [
  ...recipientOptions,
  repeatable('--signer-name <TEXT>', t('options.signerName')),
  repeatable('--cc <ADDRESS>', t('options.cc')),
  option('--xml-data <FILE>', t('options.xmlData')),
  option('--unique-id <TEXT>', t('options.uniqueId')),
  ...choice('allow-element-add', t('options.allowElementAdd')),
  option('--image <FILE>', t('options.image')),
  ...choice('enforce-click', t('options.enforceClick')),
  option('--message <TEXT>', t('options.message')),
  option('--subject <TEXT>', t('options.subject')),
  ...choice('id-verify', t('options.idVerify')),
];

export const easySignCommand: ServiceCommand = {
  kind: 'service',
  arguments: ['<FILE>'],
  needsCredentials: true,
  name: 'easy-sign',
  summary: t('commands.requestCosts', { summary: t('commands.easySign.summary') }),
  options: [...documentOptions, ...easySignOptions, option('--elements-from <ID>', t('options.elementsFrom'))],
  operation: 'AddNewEasySignDocument',
  examples: [
    ['lease.pdf --email ann@example.com --signer-name "Ann Lee" --cc office@example.com', t('commands.easySign.copy')],
    [
      'lease.pdf --email ann@example.com --xml-data places.xml --image logo.png --no-id-verify',
      t('commands.easySign.xml'),
    ],
  ],
  run: async (session, run) => {
    const request = await easySignOf(session, run.values, run.args[0]);
    const elementsFromTemplateId = textOf(run.values, 'elements-from');
    return requestWithFile(session, run, 'AddNewEasySignDocument', (fileToken) => ({
      kind: 'easy-sign',
      ...request,
      fileToken,
      elementsFromTemplateId,
    }));
  },
};

export const easySignTemplateCommand: ServiceCommand = {
  kind: 'service',
  arguments: ['<TEMPLATE-ID>'],
  needsCredentials: true,
  name: 'easy-sign-template',
  summary: t('commands.requestCosts', { summary: t('commands.easySignTemplate.summary') }),
  options: [
    option('--name <TEXT>', t('options.templateName')),
    ...documentOptions.filter((one) => one.name() !== 'name'),
    ...easySignOptions,
  ],
  operation: 'AddNewEasySignTemplate',
  examples: [
    [
      'T-100 --email ann@example.com --subject "Please sign" --message "Until Friday."',
      t('commands.easySignTemplate.mail'),
    ],
  ],
  run: async (session, run) => {
    const request = await easySignOf(session, run.values);
    const templateId = run.args[0] ?? '';
    return sendRequest(session, run, { kind: 'easy-sign-template', ...request, templateId });
  },
};

async function easySignOf(session: Session, values: Values, file?: string) {
  const common = commonElements(session, values, file);
  const names = [...listOf(values, 'signer-name')];
  if (names.length > 0 && names.length !== common.emails.length) {
    throw new UsageError(t('errors.namesForEmails', { emails: common.emails.length, names: names.length }));
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

/** Elements of every signature request. Throws a UsageError if there is no signer. */
function commonElements({ connection }: Session, values: Values, file?: string) {
  const emails = [...listOf(values, 'email')];
  if (emails.length === 0) throw new UsageError(t('errors.noSigner'));
  return {
    connectionId: connection.id,
    documentName: textOf(values, 'name') ?? (file === undefined ? undefined : parse(file).name),
    description: textOf(values, 'description'),
    clientId: textOf(values, 'client-id'),
    emails,
    ownerSigns: isSet(values, 'owner-signs'),
    repeats: isSet(values, 'send-duplicates') ? ('tell' as const) : ('skip' as const),
  };
}

/** Sends a request for the PDF that the command names; if the file cannot be used, reports that instead. */
async function requestWithFile(
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
async function sendRequest(session: Session, run: Run, request: SignatureRequest, file?: string): Promise<ExitCode> {
  const operation = requestOperations[request.kind];
  return followBatch(session, run, operation, [file], () => session.ask('signatures.request', request));
}
