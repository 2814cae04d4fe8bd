import { negativeCode } from '../../soap/answers.ts';
import { refusal } from '../../soap/refusal.ts';
import type { AppError } from '../foundation/app-error.ts';

/** The refusal that an answer is in truth, or null. */
export function refusalIn(raw: string | null): AppError | null {
  const code = negativeCode(raw);
  return code === null ? null : refusal(code, raw ?? '');
}

/**
 * The text of a read as it is, unless it is a negative code: services of this kind refuse in the text of a successful
 * reply. Throws credentials-rejected or service-refused then.
 */
export function acceptedText(raw: string | null): string | null {
  const refused = refusalIn(raw);
  if (refused) throw refused;
  return raw;
}
