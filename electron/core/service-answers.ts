import { negativeCode } from '../soap/answers.ts';
import { refusal } from '../soap/refusal.ts';

/**
 * The text of a read as it is, unless it is a negative code: services of this kind refuse in the text of a successful
 * reply. Throws credentials-rejected or service-refused then.
 */
export function acceptedText(raw: string | null): string | null {
  const code = negativeCode(raw);
  if (code !== null) throw refusal(code, raw ?? '');
  return raw;
}
