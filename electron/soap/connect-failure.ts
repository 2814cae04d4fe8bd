import type { FailureDetail } from '../../contract/failure.ts';
import { type AppError, appError, codeOf, failureOf } from '../core/foundation/app-error.ts';
import { shortageOf } from '../core/foundation/fs-errors.ts';
import { certificateAlert } from './lost-connection.ts';

/** Codes that mean "the certificate is not one to trust", as opposed to a handshake that broke. */
const untrusted =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;

/** The clock of this computer may be as wrong as the certificate. */
const outOfDate = /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/;

/** The detail of an untrusted certificate. */
export function untrustedDetail(code: string): FailureDetail {
  return outOfDate.test(code) ? 'tls-expired' : 'tls-untrusted';
}

/** Turns an error before the first byte of a request into an AppError. `presentsCertificate`: there is a client certificate. */
export function connectFailure(
  error: unknown,
  stage: 'proxy' | 'service' | 'tls',
  presentsCertificate: boolean,
): AppError {
  if (failureOf(error)) return error as AppError;
  const code = codeOf(error);
  // Too few local resources (such as open files): neither the service nor the proxy is at fault.
  const shortage = shortageOf(error)?.failure.detail;
  const make = (detail: FailureDetail, retryable: boolean) =>
    appError('service-unreachable', `${stage}: ${code}`, { detail, retryable });
  if (shortage) return make(shortage, true);
  if (stage === 'proxy') return make('proxy-failed', true);
  if (stage === 'tls') {
    const alert = certificateAlert(code, presentsCertificate);
    if (alert) return make(alert, false);
    return untrusted.test(code) ? make(untrustedDetail(code), false) : make('tls-failed', true);
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NODATA') return make('name-not-resolved', true);
  if (code === 'ETIMEDOUT') return make('no-connect-in-time', true);
  return make('connection-refused', true);
}
