import type { Connection } from '../../../contract/connections.ts';
import { emailKey } from '../../../contract/email.ts';
import type { Context } from '../context.ts';
import { hashFile } from '../files/hash-file.ts';
import { toReadError } from '../foundation/fs-errors.ts';
import type { JobOrder } from '../jobs/enqueue.ts';

const peopleKey = (emails: readonly string[]) =>
  emails
    .map(emailKey)
    .filter((email) => email !== '')
    .sort()
    .join('\n');

/** Identifies a document, or a template, and people: requests with the same fingerprint send the same to the same. */
export const fingerprint = (document: string, emails: readonly string[]): string =>
  `${document.toLowerCase()}\n${peopleKey(emails)}`;

/** When the same was sent before with this connection, by fingerprint. */
export function sentBefore({ store }: Context, { id, separator }: Connection): ReadonlyMap<string, string> {
  return new Map(
    store.sent
      .requests(id)
      .map(({ sha256, templateId, emails, at }) => [
        fingerprint(templateId ?? sha256 ?? '', emails.split(separator)),
        at,
      ]),
  );
}

/** When a request was sent before to the same people; null if it was not. Its file is read only if those people got one. Rejects with file-unreadable. */
export async function requestSentBefore(
  context: Context,
  connection: Connection,
  { file, args }: JobOrder,
  emails: readonly string[],
): Promise<string | null> {
  const before = sentBefore(context, connection);
  const atOf = (document: string) => before.get(fingerprint(document, emails)) ?? null;
  if (!file) return atOf(String(args.TemplateID ?? ''));
  const people = `\n${peopleKey(emails)}`;
  if (![...before.keys()].some((key) => key.endsWith(people))) return null;
  const { sha256 } = await hashFile(file.path).catch((error: unknown) => {
    throw toReadError(error);
  });
  return atOf(sha256);
}
