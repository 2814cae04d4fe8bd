import { isEmail } from '../../../../contract/email.ts';
import { appError } from '../../foundation/app-error.ts';

/** Longest address that every system passes to a mail program, in characters. */
const longestAddress = 1_990;

/** A mailto address for a draft. Throws bad-input if there is no usable address, or if the text is too long for one. */
export function mailDraft(email: string | null, subject: string, body: string): string {
  const to = (email ?? '').trim();
  if (!isEmail(to))
    throw appError('bad-input', 'the entry has no usable e-mail address', {
      fields: { entryId: 'has no usable address' },
    });
  const address = `mailto:${encodeURIComponent(to).replace('%40', '@')}`;
  const text = `${address}?subject=${encoded(subject)}&body=${encoded(body.replaceAll(/\r\n|\r|\n/g, '\r\n'))}`;
  if (text.length > longestAddress)
    throw appError('bad-input', 'the mail is too long for a draft', { fields: { body: 'is too long for a draft' } });
  return text;
}

/**
 * Encodes a text for a mailto address. RFC 6068 has no plus sign for a space. Apostrophes and similar characters are
 * harmless in it, but are encoded too: some programs pass the address to a shell.
 */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
