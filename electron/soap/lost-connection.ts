import type { FailureDetail } from '../../contract/failure.ts';
import { type AppError, appError, codeOf, failureOf } from '../core/foundation/app-error.ts';

/**
 * The detail of a TLS alert with which a server ends the handshake because of the client's certificate; null for any other error. With TLS 1.3 it arrives when
 * the request has begun to leave.
 */
export function certificateAlert(code: string, presentsCertificate: boolean): FailureDetail | null {
  const alert = /^ERR_SSL_.*ALERT_(CERTIFICATE_\w+|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)$/;
  const [, which] = alert.exec(code) ?? [];
  if (!which) return null;
  if (which === 'CERTIFICATE_EXPIRED') return 'client-certificate-expired';
  return presentsCertificate && which !== 'CERTIFICATE_REQUIRED'
    ? 'client-certificate-refused'
    : 'client-certificate-needed';
}

/** The failure of a connection that broke after it had been made. */
export function lostConnection(error: unknown, presentsCertificate: boolean): AppError {
  if (failureOf(error)) return error as AppError;
  const code = codeOf(error);
  const detail = certificateAlert(code, presentsCertificate);
  return detail
    ? appError('service-unreachable', `tls: ${code}`, { detail, retryable: false })
    : appError('service-unreachable', `connection broke: ${code}`, { detail: 'connection-lost' });
}
