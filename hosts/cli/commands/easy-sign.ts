import { tokenOf } from '../arguments/named-files.ts';
import { choice, documentOptions, option, repeatable } from '../arguments/options.ts';
import { commonElements, recipientOptions, requestWithFile, sendRequest } from '../arguments/signature-request.ts';
import { choiceOf, fileTextOf, listOf, textOf, type Values } from '../arguments/values.ts';
import type { ServiceCommand } from '../command.ts';
import { UsageError } from '../output/exit-code.ts';
import { t } from '../output/texts.ts';
import type { Session } from '../session.ts';

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
