import { negativeCode } from '../../soap/reply/answers.ts';
import { refusal } from '../../soap/reply/refusal.ts';
import type { AppError } from '../foundation/app-error.ts';

/** The refusal that an answer holds (a negative code in its text), or null. */
export function refusalIn(raw: string | null): AppError | null {
  const code = negativeCode(raw);
  return code === null ? null : refusal(code, raw ?? '');
}

/**
 * Returns the text of a reply to a read. Throws credentials-rejected or service-refused if the text is a negative
 * code: services of this kind refuse in the text of a successful reply.
 */
export function acceptedText(raw: string | null): string | null {
  const refused = refusalIn(raw);
  if (refused) throw refused;
  return raw;
}
