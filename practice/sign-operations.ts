import { costOf } from './credits.ts';
import { type Answer, type Arguments, Refusal, type Service } from './operation-call.ts';
import type { Account, Credits, Signer, SignRequest } from './records.ts';
import { register, requirePdf } from './register-document.ts';
import { requireTemplate, templatePdf } from './templates.ts';
import { openDocumentSink, type ReceivedDocument } from './wire/document-sink.ts';

const mostEasySigners = 3;
const ownerName = 'Account owner';
const passedThrough = [
  'XMLData',
  'ElementsFromTemplateID',
  'UniqueID',
  'MessageToSigners',
  'CustomSubject',
  'CCEmails',
];
const passedFlags = ['AllowSignerElementAdd', 'EnforceSigClick', 'IDVerify'];

export async function addNewDocumentESign(service: Service, account: Account, args: Arguments): Promise<Answer> {
  const cost = costOf(args.int('creditType'), account, true);
  const request = requestOf(account, args, signersOf(args.text('Emails'), '', account.email));
  const pdf = await requirePdf(args.document('Document'));
  const id = await register(service, { account, operation: 'AddNewDocumentESign', args, ...pdf, cost, request });
  return { kind: 'text', text: id };
}

export async function addNewEasySignDocument(service: Service, account: Account, args: Arguments): Promise<Answer> {
  const { cost, request } = easySign(account, args);
  if (args.text('ElementsFromTemplateID') !== '') requireTemplate(args.text('ElementsFromTemplateID'));
  const pdf = await requirePdf(args.document('Document'));
  const operation = 'AddNewEasySignDocument';
  return easyAnswer(service, operation, await register(service, { account, operation, args, ...pdf, cost, request }));
}

export async function addNewEasySignTemplate(service: Service, account: Account, args: Arguments): Promise<Answer> {
  const { cost, request } = easySign(account, args);
  if (args.text('TemplateID') === '') throw new Refusal(-123);
  const template = requireTemplate(args.text('TemplateID'));
  const pdf = await requirePdf(await writeDocument(service, templatePdf(template)));
  const operation = 'AddNewEasySignTemplate';
  return easyAnswer(service, operation, await register(service, { account, operation, args, ...pdf, cost, request }));
}

/** Throws -180 without the add-on, -152 for more than three signers, -191 and -193 without permission. */
function easySign(account: Account, args: Arguments): { cost: Partial<Credits>; request: SignRequest } {
  const { permissions } = account;
  if (!permissions.easySign) throw new Refusal(-180);
  if (args.bool('IDVerify') && !permissions.idVerify) throw new Refusal(-191);
  if (args.text('XMLData') !== '' && !permissions.placement) throw new Refusal(-193);
  const signers = signersOf(args.text('Emails'), args.text('Names'), account.email);
  if (signers.length > mostEasySigners) throw new Refusal(-152);
  requireAddresses(separated(args.text('CCEmails')));
  const checks = args.bool('IDVerify') ? { idVerify: signers.length } : {};
  return { cost: { document: 1, eSign: 1, ...checks }, request: requestOf(account, args, signers) };
}

function requestOf(account: Account, args: Arguments, others: readonly Signer[]): SignRequest {
  const owner = args.bool('ReqOwnerESign') ? [{ email: account.email, name: ownerName }] : [];
  const ownerFirst = owner.length > 0 && args.bool('OwnerESignFirst');
  const kept: Record<string, string> = {};
  for (const name of passedThrough) if (args.text(name) !== '') kept[name] = args.text(name);
  for (const name of passedFlags) if (args.bool(name)) kept[name] = 'true';
  const image = args.document('AdditionalImage');
  if (image) kept.AdditionalImage = `${image.sizeBytes} bytes, SHA-256 ${image.sha256}`;
  return {
    signers: ownerFirst ? [...owner, ...others] : [...others, ...owner],
    ownerFirst,
    secretWord: args.text('SecretWord'),
    passedThrough: kept,
  };
}

function easyAnswer(
  { settings, baseUrl }: Service,
  operation: 'AddNewEasySignDocument' | 'AddNewEasySignTemplate',
  id: string,
): Answer {
  // The page does not exist. Real services answer with https, too.
  const url = `https://${new URL(baseUrl).host}/sign/${id}`;
  return { kind: 'text', text: settings.easySignAnswers[operation] === 'url' ? url : id };
}

async function writeDocument({ store }: Service, bytes: Buffer): Promise<ReceivedDocument> {
  const sink = await openDocumentSink(store.newUploadPath(), bytes.length);
  const text = Buffer.from(bytes.toString('base64'), 'latin1');
  await sink.push(text, 0, text.length);
  const document = await sink.finish();
  if (!document) throw new Error('the document was not kept');
  return document;
}

const address = /^[^\s@;,<>()"]{1,64}@[^\s@;,<>()"]{1,190}\.[^\s@;,<>()".]{2,63}$/;

/** Splits the values of one child at semicolons. */
function separated(text: string): string[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Throws -123 without addresses, -153 without a valid one, -152 if some are invalid or not separated by semicolons, -161 for the owner's own. */
function signersOf(emails: string, names: string, ownerEmail: string): Signer[] {
  const addresses = separated(emails);
  if (addresses.length === 0) throw new Refusal(-123);
  requireAddresses(addresses);
  if (addresses.some((each) => each.toLowerCase() === ownerEmail.toLowerCase())) throw new Refusal(-161);
  const given = names.trim() === '' ? [] : names.split(';').map((name) => name.trim());
  // A trailing semicolon is no further name.
  if (given.length === addresses.length + 1 && given.at(-1) === '') given.pop();
  if (given.length > 0 && (given.length !== addresses.length || given.includes(''))) throw new Refusal(-162);
  return addresses.map((email, at) => ({ email, name: given[at] ?? '' }));
}

/** Throws -152 or -153. */
function requireAddresses(addresses: readonly string[]): void {
  const valid = addresses.filter((each) => address.test(each)).length;
  if (valid === addresses.length) return;
  throw new Refusal(valid === 0 && addresses.length === 1 && !/[,\s]/.test(addresses[0] ?? '') ? -153 : -152);
}
