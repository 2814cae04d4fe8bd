import { randomBytes } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import type { Store } from './account-store.ts';
import type { Operation, OperationName } from './interface.ts';
import { type Answer, type Arguments, Refusal, type Service } from './operation-call.ts';
import { inspectPdf } from './pdf-file.ts';
import type { Account, Credits, Signer, SignRequest, StoredDocument } from './records.ts';
import { costOf, register, requireCredits, requirePdf } from './register-document.ts';
import { dateTimeText, getESignList } from './sign-list.ts';
import { requireTemplate, templatePdf } from './templates.ts';
import { openDocumentSink, type ReceivedDocument } from './wire/document-sink.ts';

export const apiVersion = '2.0';
const schedule = 'Monday to Sunday, 00:00 to 24:00 UTC. No maintenance is planned.';
const longestNote = 2000;

type Perform = (service: Service, account: Account, args: Arguments) => Answer | Promise<Answer>;

/** Every operation that needs credentials. */
const withAccount: Readonly<Record<Exclude<OperationName, 'GetVersion' | 'GetSchedule'>, Perform>> = {
  GetAuthToken: () => ({ kind: 'text', text: randomBytes(24).toString('base64url') }),
  AddNewDocument: addNewDocument,
  AddNewDocumentESign: addNewDocumentESign,
  GetDocumentStatus: getDocumentStatus,
  GetDocument: getDocument,
  AddQuickNote: addQuickNote,
  GetESignList: getESignList,
  GetDocumentDetails: getDocumentDetails,
  ValidateDocument: (service, _account, args) => validateDocument(service, args),
  AddNewEasySignDocument: addNewEasySignDocument,
  AddNewEasySignTemplate: addNewEasySignTemplate,
};

/** Carries out an operation. A refusal is an answer too; a result that is no text cannot hold the code of every refusal. */
export async function perform(service: Service, operation: Operation, args: Arguments): Promise<Answer> {
  if (operation.name === 'GetVersion') return { kind: 'text', text: apiVersion };
  if (operation.name === 'GetSchedule') return { kind: 'text', text: schedule };
  try {
    const account = service.accountOf(args.text('apiKey'), args.text('apiSig'));
    if (!account.permissions.apiAccess) throw new Refusal(-184);
    return await withAccount[operation.name](service, account, args);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (operation.result === 'string') return { kind: 'text', text: String(error.code) };
    return operation.result === 'record'
      ? { kind: 'record', fields: { Errors: String(error.code) } }
      : { kind: 'nothing' };
  }
}

/** Throws -171 without a message, -170 for one that is too long, -172 without credits for notes. */
async function addQuickNote({ store }: Service, account: Account, args: Arguments): Promise<Answer> {
  const message = args.text('QuickNoteMessage');
  if (message.trim() === '') throw new Refusal(-171);
  if (message.length > longestNote) throw new Refusal(-170);
  requireCredits(account, { note: 1 });
  const description = args.optional('description');
  await store.record({ event: 'note', accountId: account.id, message, description, atMs: Date.now() });
  return { kind: 'text', text: 'OK' };
}

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Finds the document. Throws -123 without an ID, -151 for no ID, -124 for an unknown one, -154 for neither owner nor reader. */
function documentFor(service: Service, account: Account, args: Arguments, right: 'own' | 'read'): StoredDocument {
  const id = args.text('ServiceDocumentID').trim();
  if (id === '') throw new Refusal(-123);
  if (!guid.test(id)) throw new Refusal(-151);
  const document = service.store.document(id);
  if (!document) throw new Refusal(-124);
  const allowed = right === 'own' ? document.ownerId === account.id : service.store.mayRead(account, document);
  if (!allowed) throw new Refusal(-154);
  return document;
}

async function addNewDocument(service: Service, account: Account, args: Arguments): Promise<Answer> {
  const cost = costOf(args.int('creditType'), account, false);
  const pdf = await requirePdf(args.document('Document'));
  const id = await register(service, { account, operation: 'AddNewDocument', args, ...pdf, cost, request: null });
  return { kind: 'text', text: id };
}

/** Answers Processing for `processingMs` and until all have signed; an unknown ID is an answer, not an error. */
function getDocumentStatus(service: Service, account: Account, args: Arguments): Answer {
  try {
    const document = documentFor(service, account, args, 'read');
    const signed = service.store.entriesOf(document.id).every((entry) => entry.signedMs !== null);
    return { kind: 'text', text: signed && isProcessed(service, document) ? 'Completed' : 'Processing' };
  } catch (error) {
    if (error instanceof Refusal && error.code === -124) return { kind: 'text', text: 'Not Found' };
    throw error;
  }
}

/** Answers an empty response while the document is processed. */
async function getDocument(service: Service, account: Account, args: Arguments): Promise<Answer> {
  const document = documentFor(service, account, args, 'read');
  if (!isProcessed(service, document)) return { kind: 'nothing' };
  const path = service.store.documentPath(document.id);
  const { size } = await stat(path);
  if (size !== document.sealedBytes) throw new Error('the stored document is damaged');
  return { kind: 'file', path, sizeBytes: size };
}

function getDocumentDetails(service: Service, account: Account, args: Arguments): Answer {
  const document = documentFor(service, account, args, 'own');
  const fields: Record<string, string> = {};
  if (document.name !== null) fields.DocumentName = document.name;
  fields.CreatedDate = dateTimeText(document.createdMs);
  if (document.description !== null) fields.Description = document.description;
  if (document.clientId !== null) fields.ClientID = document.clientId;
  if (document.pages !== null) fields.Pages = String(document.pages);
  if (document.name !== null) fields.OriginalDocumentName = document.name;
  return { kind: 'record', fields: { ...fields, Errors: '0' } };
}

function isProcessed(service: Service, document: StoredDocument): boolean {
  return Date.now() - document.createdMs >= service.processingMs;
}

/**
 * The exact texts of ValidateDocument. A program's table of answers has to sort them:
 *   Valid                              the document as it was registered, or the sealed copy of it
 *   Invalid - changed after registration   carries this service's seal, or is a registered file but for a few bytes
 *   Invalid - not registered here      anything else that is a PDF
 * Besides, as codes: -123 nothing sent, -156 empty, -143 too large, -150 not a PDF.
 */
const validateAnswers = {
  valid: 'Valid',
  changed: 'Invalid - changed after registration',
  unknown: 'Invalid - not registered here',
} as const;

const comparedFiles = 20;
const readBytes = 256 * 1024;

async function validateDocument(service: Service, args: Arguments): Promise<Answer> {
  const received = args.document('ServiceDocument');
  if (!received) throw new Refusal(-123);
  if (received.sizeBytes === 0) throw new Refusal(-156);
  if (received.tooLarge) throw new Refusal(-143);
  return { kind: 'text', text: await verdictOn(service, received) };
}

async function verdictOn({ store, seals }: Service, received: ReceivedDocument): Promise<string> {
  if (store.knowsHash(received.sha256)) return validateAnswers.valid;
  const seal = await seals.find(received.path, received.sizeBytes);
  if (seal && store.document(seal.documentId)) return validateAnswers.changed;
  if (await resemblesRegistered(store, received)) return validateAnswers.changed;
  const facts = await inspectPdf(received.path, received.sizeBytes);
  if (facts.kind === 'not-pdf') throw new Refusal(-150);
  return validateAnswers.unknown;
}

/** True if a file has the size of a registered one and all but a few of its bytes: only then a changed file differs from an unknown one. */
async function resemblesRegistered(store: Store, received: ReceivedDocument): Promise<boolean> {
  const sameSize = [...store.documents()]
    .filter((document) => document.sizeBytes === received.sizeBytes || document.sealedBytes === received.sizeBytes)
    .slice(-comparedFiles);
  for (const document of sameSize)
    if (await isMostlyEqual(received.path, store.documentPath(document.id), received.sizeBytes)) return true;
  return false;
}

async function isMostlyEqual(path: string, otherPath: string, sizeBytes: number): Promise<boolean> {
  const [file, other] = await Promise.all([open(path, 'r'), open(otherPath, 'r')]);
  const [a, b] = [Buffer.allocUnsafe(readBytes), Buffer.allocUnsafe(readBytes)];
  const allowed = Math.max(16, Math.floor(sizeBytes / 64));
  let different = 0;
  try {
    for (let at = 0; at < sizeBytes && different <= allowed; at += readBytes) {
      const length = Math.min(readBytes, sizeBytes - at);
      await Promise.all([file.read(a, 0, length, at), other.read(b, 0, length, at)]);
      if (a.compare(b, 0, length, 0, length) === 0) continue;
      for (let byte = 0; byte < length; byte++) if (a[byte] !== b[byte]) different++;
    }
    return different <= allowed;
  } finally {
    await Promise.all([file.close(), other.close()]);
  }
}

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

async function addNewDocumentESign(service: Service, account: Account, args: Arguments): Promise<Answer> {
  const cost = costOf(args.int('creditType'), account, true);
  const request = requestOf(account, args, signersOf(args.text('Emails'), '', account.email));
  const pdf = await requirePdf(args.document('Document'));
  const id = await register(service, { account, operation: 'AddNewDocumentESign', args, ...pdf, cost, request });
  return { kind: 'text', text: id };
}

async function addNewEasySignDocument(service: Service, account: Account, args: Arguments): Promise<Answer> {
  const { cost, request } = easySign(account, args);
  if (args.text('ElementsFromTemplateID') !== '') requireTemplate(args.text('ElementsFromTemplateID'));
  const pdf = await requirePdf(args.document('Document'));
  const operation = 'AddNewEasySignDocument';
  return easyAnswer(service, operation, await register(service, { account, operation, args, ...pdf, cost, request }));
}

async function addNewEasySignTemplate(service: Service, account: Account, args: Arguments): Promise<Answer> {
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
