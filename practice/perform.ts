import { randomBytes } from 'node:crypto';
import { requireCredits } from './credits.ts';
import { addNewDocument, getDocument, getDocumentDetails, getDocumentStatus } from './document-operations.ts';
import type { Operation, OperationName } from './interface.ts';
import { type Answer, type Arguments, Refusal, type Service } from './operation-call.ts';
import type { Account } from './records.ts';
import { getESignList } from './sign-list.ts';
import { addNewDocumentESign, addNewEasySignDocument, addNewEasySignTemplate } from './sign-operations.ts';
import { validateDocument } from './validate-document.ts';

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
