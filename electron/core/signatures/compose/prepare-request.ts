import type { z } from 'zod';
import type { RecipientProblem, signatureRequest } from '../../../../contract/compose.ts';
import type { Context } from '../../context.ts';
import { appError } from '../../foundation/app-error.ts';
import { signatureOrder } from '../signature-order.ts';
import { checkRecipients } from './recipients.ts';

export type Request = z.output<ReturnType<typeof signatureRequest>>;

/** A request that was checked and converted to an order. Nothing has been sent or written. */
export type PreparedRequest = Awaited<ReturnType<typeof prepareRequest>>;

/**
 * Checks a request. Rejects with not-found (connection, token, draft), file-unreadable, and with bad-input if an
 * address or a name contains the separator.
 */
export async function prepareRequest(context: Context, request: Request) {
  const { connections, files } = context;
  const connection = await connections.get(request.connectionId);
  const file = request.kind === 'easy-sign-template' ? undefined : await files.file(request.fileToken);
  const imageToken = request.kind === 'plain' ? undefined : request.imageToken;
  const image = imageToken === undefined ? undefined : await files.file(imageToken);
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
  const draft = store.forms.get(request.secretOfDraft);
  if (!draft) throw appError('not-found', 'no such draft');
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
