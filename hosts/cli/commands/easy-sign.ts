import type { ServiceCommand } from '../command.ts';
import { choice, documentOptions, option, repeatable } from '../options.ts';
import type { Session } from '../session.ts';
import { commonElements, recipientOptions, requestCosts, requestWithFile, sendRequest } from '../signature-request.ts';
import { tokenOf } from '../take-files.ts';
import { UsageError } from '../usage-error.ts';
import { choiceOf, fileTextOf, listOf, textOf, type Values } from '../values.ts';

/** Options of both Easy Sign operations. */
const easySignOptions = [
  ...recipientOptions,
  repeatable('--signer-name <TEXT>', 'Names: once for each --email, in the same order'),
  repeatable('--cc <ADDRESS>', 'CCEmails: who gets a copy; once for each'),
  option('--xml-data <FILE>', 'XMLData: file with it, in UTF-8'),
  option('--unique-id <TEXT>', 'UniqueID'),
  ...choice('allow-element-add', 'AllowSignerElementAdd: signers may add elements'),
  option('--image <FILE>', 'AdditionalImage: file with it'),
  ...choice('enforce-click', 'EnforceSigClick: each signature is clicked'),
  option('--message <TEXT>', 'MessageToSigners'),
  option('--subject <TEXT>', 'CustomSubject of the mail'),
  ...choice('id-verify', 'IDVerify: the identity of signers is checked'),
];

export const easySignCommand: ServiceCommand = {
  kind: 'service',
  arguments: ['<FILE>'],
  needsCredentials: true,
  name: 'easy-sign',
  summary: `Makes an Easy Sign document from a PDF (AddNewEasySignDocument). ${requestCosts}`,
  options: [...documentOptions, ...easySignOptions, option('--elements-from <ID>', 'ElementsFromTemplateID')],
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
  summary: `Makes an Easy Sign document from a template of the service's library (AddNewEasySignTemplate). ${requestCosts}`,
  options: [
    option('--name <TEXT>', 'DocumentName'),
    ...documentOptions.filter((one) => one.name() !== 'name'),
    ...easySignOptions,
  ],
  operation: 'AddNewEasySignTemplate',
  examples: [
    ['T-100 --email ann@example.com --subject "Please sign" --message "Until Friday."', 'with a mail of your own'],
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
