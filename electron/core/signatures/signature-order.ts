import type { z } from 'zod';
import type { SentBefore, signatureRequest } from '../../../contract/compose.ts';
import type { Connection } from '../../../contract/connections.ts';
import { peopleKey } from '../../../contract/email.ts';
import { requestOperations } from '../../../contract/operation.ts';
import { nameOfFile } from '../../../contract/text.ts';
import { filledTemplate } from '../../store/jobs/same-work.ts';
import type { Context } from '../context.ts';
import { hashFile } from '../files/hash-file.ts';
import type { LocalFile } from '../files/local-file.ts';
import { appError } from '../foundation/app-error.ts';
import type { JobOrder } from '../jobs/enqueue.ts';

type Request = z.output<ReturnType<typeof signatureRequest>>;

interface OrderInput {
  readonly request: Request;
  /** The connection's separator between addresses and between names. */
  readonly separator: string;
  /** The file behind the request's token. */
  readonly file?: LocalFile;
  readonly image?: LocalFile;
}

/**
 * A signature request as an order with the children of interface sections 4.2 and 4.3. Without a name of its own a document is called like its file, as the
 * form says; other absent optional children stay absent; required booleans are always sent. Throws bad-input, by field, if an address or a name contains the
 * separator.
 */
export function signatureOrder({ request, separator, file, image }: OrderInput): JobOrder {
  if (request.emails.length === 0 && !request.ownerSigns)
    throw appError('bad-input', 'nobody is to sign', { fields: { emails: 'must name somebody' } });
  refuseSeparators(request, separator);
  const names = request.kind === 'plain' ? undefined : request.names;
  const documentName = request.documentName || (file && nameOfFile(file));
  return {
    operation: requestOperations[request.kind],
    title: request.documentName || file?.name || titleOfTemplate(request),
    args: argumentsOf({ ...request, documentName }, separator),
    file,
    image,
    secretWord: request.kind === 'plain' ? request.secretWord : undefined,
    record: {
      name: documentName || titleOfTemplate(request),
      description: request.description ?? '',
      clientId: request.clientId ?? '',
      signers: [...request.emails, ...(names ?? [])].join(' '),
      fileName: file?.name ?? null,
    },
  };
}

/** No picture beside signatures is larger; it is copied whole before it is sent. */
const largestImageMb = 256;

/** The picture that was chosen. Rejects with bad-input if it is too large. */
export async function imageOf({ files }: Pick<Context, 'files'>, token: string): Promise<LocalFile> {
  const image = await files.file(token);
  if (image.sizeBytes <= largestImageMb * 1024 * 1024) return image;
  const why = `is larger than ${largestImageMb} MB`;
  throw appError('bad-input', `the image ${why}`, { fields: { imageToken: why } });
}

function titleOfTemplate(request: Request): string {
  return request.kind === 'easy-sign-template' ? request.templateId : '';
}

function argumentsOf(request: Request, separator: string): JobOrder['args'] {
  const joined = (items: readonly string[] | undefined) =>
    items === undefined || items.length === 0 ? undefined : items.join(separator);
  const common = {
    DocumentName: request.documentName,
    Description: request.description,
    ClientID: request.clientId,
    Emails: joined(request.emails),
    ReqOwnerESign: request.ownerSigns,
  };
  if (request.kind === 'plain')
    return { ...common, creditType: request.creditType, OwnerESignFirst: request.ownerFirst };
  return {
    ...common,
    Names: joined(request.names),
    XMLData: request.xmlData,
    UniqueID: request.uniqueId,
    AllowSignerElementAdd: request.allowSignerElementAdd,
    EnforceSigClick: request.enforceSigClick,
    MessageToSigners: request.messageToSigners,
    CustomSubject: request.customSubject,
    IDVerify: request.idVerify,
    CCEmails: joined(request.ccEmails),
    ...(request.kind === 'easy-sign'
      ? { ElementsFromTemplateID: request.elementsFromTemplateId }
      : { TemplateID: request.templateId }),
  };
}

/**
 * Refuses addresses and names that contain the separator: the service would split them in two, and mail somebody whom
 * nobody named.
 */
function refuseSeparators(request: Request, separator: string): void {
  const lists = {
    emails: request.emails,
    names: request.kind === 'plain' ? [] : (request.names ?? []),
    ccEmails: request.kind === 'plain' ? [] : (request.ccEmails ?? []),
  };
  const fields: Record<string, string> = {};
  for (const [field, items] of Object.entries(lists)) {
    for (const [index, item] of items.entries())
      if (item.includes(separator)) fields[`${field}.${index}`] = `must not hold the separator ${separator}`;
  }
  if (Object.keys(fields).length > 0)
    throw appError('bad-input', 'an address or a name holds the separator', { fields });
}

/** Identifies the bytes, or a template as it is filled in, and people, as the ledger compares them (store/jobs/same-work.ts): requests with the same fingerprint send the same to the same. */
export const fingerprint = (document: string, emails: readonly string[]): string =>
  `${document}\n${peopleKey(emails.join(' '))}`;

/** What is known of the same that went before with this connection, by fingerprint. */
export function sentBefore({ store }: Context, { id, separator }: Connection): ReadonlyMap<string, SentBefore> {
  return new Map(
    store.sent.requests(id).map(({ sha256, TemplateID, XMLData, emails, jobId, batchId, state, at: sentAt }) => {
      const kind = state === 'done' ? 'already-sent' : state === 'in-doubt' ? 'maybe-sent' : 'being-sent';
      const document = TemplateID === null ? (sha256 ?? '') : filledTemplate({ TemplateID, XMLData: XMLData ?? '' });
      return [fingerprint(document, emails.split(separator)), { kind, sentAt, job: { batchId, jobId } }];
    }),
  );
}

/** What is known of the same request to the same people from before; null if there is none. Its file is read only if those people got one. Rejects with file-unreadable. */
export async function requestSentBefore(
  context: Context,
  connection: Connection,
  { file, args }: JobOrder,
  emails: readonly string[],
): Promise<SentBefore | null> {
  const before = sentBefore(context, connection);
  const known = (document: string) => before.get(fingerprint(document, emails)) ?? null;
  if (!file) return known(filledTemplate(args));
  const people = `\n${peopleKey(emails.join(' '))}`;
  if (![...before.keys()].some((key) => key.endsWith(people))) return null;
  const { sha256 } = await hashFile(file.path);
  return known(sha256);
}
