import type { Failure } from '../../contract/failure.ts';
import { type AppError, appError } from '../core/foundation/app-error.ts';
import { serviceCodes } from './service-codes.ts';

/** Key or signature are wrong. */
const wrongCredentials = new Set(['-121', '-122']);

/** Of the service's own words in a failure. */
const maxRaw = 2000;

/**
 * What a negative code in the text of a successful reply means: the service refused. credentials-rejected where it says
 * that key or signature are wrong, else service-refused; both with the code and the service's own words.
 */
export function refusal(code: string, raw: string): AppError {
  const meaning = serviceCodes.get(code)?.meaning ?? 'unknown code';
  return appError(
    wrongCredentials.has(code) ? 'credentials-rejected' : 'service-refused',
    `the service answered ${code}: ${meaning}`,
    { detail: 'negative-code', serviceCode: code, raw: raw.slice(0, maxRaw) },
  );
}

/** True for a refusal by a SOAP fault, of whatever kind, and not by a code in a reply. */
export function isFault({ code, detail }: Failure): boolean {
  return code === 'service-refused' && detail !== 'negative-code';
}
