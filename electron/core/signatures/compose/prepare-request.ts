import type { z } from 'zod';
import type { PreviewChild, RecipientProblem, RequestPreview, signatureRequest } from '../../../../contract/compose.ts';
import { goesOutAsFalse } from '../../../soap/request/envelope.ts';
import { wireName } from '../../../soap/service/element-names.ts';
import { type Child, childrenOf, operations, soapVersionFor } from '../../../soap/service/operations.ts';
import { serviceAddress } from '../../connections/service-address.ts';
import type { Context } from '../../context.ts';
import { appError, orNotFound } from '../../foundation/app-error.ts';
import { imageOf, signatureOrder } from '../signature-order.ts';
import { checkRecipients } from './recipients.ts';

export type Request = z.output<ReturnType<typeof signatureRequest>>;

/** A request that was checked and converted to an order. Nothing has been sent or written. */
type PreparedRequest = Awaited<ReturnType<typeof prepareRequest>>;

/**
 * Checks a request. Rejects with not-found (connection, token, draft), file-unreadable, and with bad-input if an
 * address or a name contains the separator.
 */
export async function prepareRequest(context: Context, request: Request) {
  const { connections, files } = context;
  const connection = await connections.get(request.connectionId);
  const file = request.kind === 'easy-sign-template' ? undefined : await files.file(request.fileToken);
  const imageToken = request.kind === 'plain' ? undefined : request.imageToken;
  const image = imageToken === undefined ? undefined : await imageOf(context, imageToken);
  const order = signatureOrder({ request, separator: connection.separator, file, image });
  const names = request.kind === 'plain' ? [] : (request.names ?? []);
  const people = request.emails.map((email, index) => ({ email, name: names[index] ?? '' }));
  const ccEmails = request.kind === 'plain' ? [] : (request.ccEmails ?? []);
  const problems = checkRecipients({ ...request, recipients: people, ccEmails }, connection);
  return { request, connection, order, people, ccEmails, problems };
}

/** The secret word of a request, or of its draft. Rejects with bad-input if the draft's word is lost. */
export async function secretOf({ store, vault }: Context, request: Request): Promise<string | undefined> {
  if (request.kind !== 'plain') return undefined;
  if (request.secretWord !== undefined || request.secretOfDraft === undefined) return request.secretWord;
  const draft = orNotFound(store.forms.get(request.secretOfDraft), 'no such draft');
  if (draft.secret === null) return undefined;
  const word = await vault.open(draft.secret);
  if (word !== null) return word;
  throw appError('bad-input', 'the secret word of the draft was kept for a run that is over', {
    detail: 'secret-word-missing',
    fields: { secretWord: 'must be given again' },
  });
}

/** Throws bad-input, by field, if a recipient has an error. Warnings are left to the person. */
export function refuseErrors(problems: readonly RecipientProblem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const fields = errors.map(({ kind, list, index, part }) => {
    const field = list === 'ccEmails' ? 'ccEmails' : part === 'name' ? 'names' : 'emails';
    return [index === null ? field : `${field}.${index}`, kind] as const;
  });
  throw appError('bad-input', 'the recipients cannot be used', { fields: Object.fromEntries(fields) });
}

interface PreviewInput extends Omit<PreparedRequest, 'request'> {
  readonly hasSecretWord: boolean;
  readonly sentBefore: RequestPreview['sentBefore'];
}

/** creditType of prepaid credits (see the interface's field notes); a request with it needs two. */
export const prepaidCreditType = 2;
export const prepaidPerRequest = 2;
const secrets = new Set(['apiKey', 'apiSig', 'SecretWord']);

/** The preview of a request: everything it would send. Sends nothing. */
export function previewOf({
  connection,
  order,
  hasSecretWord,
  people,
  ccEmails,
  problems,
  sentBefore,
}: PreviewInput): RequestPreview {
  const { operation, args } = order;
  const path = operations[operation].path === 'main' ? 'mainPath' : 'easySignPath';
  const children = childrenOf(operation).map((child) => previewChild(child, { connection, order, hasSecretWord }));
  const creditType = typeof args.creditType === 'number' ? args.creditType : null;
  const owner = args.ReqOwnerESign === true ? [{ email: connection.ownerEmail, name: '', role: 'owner' as const }] : [];
  return {
    operation,
    address: serviceAddress(connection, path).href,
    soapVersion: soapVersionFor(connection, operation),
    namespaceUri: connection.namespaceUri,
    children,
    cost: {
      creditType:
        creditType === null
          ? null
          : {
              value: creditType,
              name: connection.creditTypes.find(({ value }) => value === creditType)?.name ?? String(creditType),
            },
      requests: 1,
      prepaidCredits: creditType === prepaidCreditType ? prepaidPerRequest : null,
      idChecks: args.IDVerify === true ? people.length + owner.length : 0,
    },
    mails: [
      ...people.map((person) => ({ ...person, role: 'signer' as const })),
      ...owner,
      ...ccEmails.map((email) => ({ email, name: '', role: 'copy' as const })),
    ],
    problems,
    sentBefore,
  };
}

function previewChild(
  child: Child,
  { connection, order, hasSecretWord }: Pick<PreviewInput, 'connection' | 'order' | 'hasSecretWord'>,
): PreviewChild {
  const { name, type } = child;
  const isSecret = secrets.has(name);
  const base = { name, wireName: wireName(connection.elementNames, order.operation, name), type, isSecret };
  const file = name === 'Document' ? order.file : name === 'AdditionalImage' ? order.image : undefined;
  if (file) return { ...base, sent: true, value: null, file: { name: file.name, sizeBytes: file.sizeBytes } };
  const value = order.args[name] ?? (goesOutAsFalse(child, connection.sendFalse) ? false : undefined);
  const sent = isSecret ? name !== 'SecretWord' || hasSecretWord : value !== undefined;
  return { ...base, sent, value: isSecret || value === undefined ? null : String(value), file: null };
}
