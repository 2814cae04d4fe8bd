import type { Failure } from '../../contract/failure.ts';
import { type AppError, appError } from '../core/foundation/app-error.ts';
import { serviceCodes } from './service-codes.ts';

/** Codes for a wrong key or signature. */
const wrongCredentials = new Set(['-121', '-122']);

/** Length of the service's own text in a failure. */
const maxRaw = 2000;

/**
 * The failure for a negative code in a successful reply: credentials-rejected if key or signature are wrong, else
 * service-refused; both with the code and the service's own text.
 */
export function refusal(code: string, raw: string): AppError {
  const meaning = serviceCodes.get(code)?.meaning ?? 'unknown code';
  return appError(
    wrongCredentials.has(code) ? 'credentials-rejected' : 'service-refused',
    `the service answered ${code}: ${meaning}`,
    { detail: 'negative-code', serviceCode: code, raw: raw.slice(0, maxRaw) },
  );
}

/** True for a refusal by any SOAP fault, false for a code in a reply. */
export function isFault({ code, detail }: Failure): boolean {
  return code === 'service-refused' && detail !== 'negative-code';
}
