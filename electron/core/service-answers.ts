import { negativeCode } from '../soap/answers.ts';
import { serviceCodes } from '../soap/service-codes.ts';
import { failing } from './failing.ts';

/** Key or signature are wrong. */
const wrongCredentials = new Set(['-121', '-122']);

/** Of the service's own words in a failure. */
const maxRaw = 2000;

/**
 * The text of a read as it is, unless it is a negative code: services of this kind refuse in the text of a successful
 * reply. Throws credentials-rejected or service-refused then.
 */
export function acceptedText(raw: string | null): string | null {
  const code = negativeCode(raw);
  if (code === null) return raw;
  const meaning = serviceCodes.get(code)?.meaning ?? 'unknown code';
  throw failing(
    wrongCredentials.has(code) ? 'credentials-rejected' : 'service-refused',
    `the service answered ${code}: ${meaning}`,
    { detail: 'negative-code', serviceCode: code, raw: (raw ?? '').slice(0, maxRaw) },
  );
}
