import type { ClientRequest } from 'node:http';
import type { FailureDetail } from '../../../contract/failure.ts';
import { type AppError, appError, codeOf, failureOf } from '../../core/foundation/app-error.ts';
import { shortageOf } from '../../core/foundation/fs-errors.ts';

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

/** Interim answers (100, 102, 103) that are read before an answer. Real servers send one or two; a flood of them costs time and memory. */
const mostInterim = 20;

/**
 * Rejects in three cases for which node emits no error: the server switches to another protocol (101), it sends interim answers without end, or the connection
 * closes without an answer. Code that waits only for the answer would wait for ever. `reject` gets reply-unreadable (http-status) or service-unreachable
 * (connection-lost); after an answer the call has no effect.
 */
export function endWithoutAnswer(made: ClientRequest, reject: (error: Error) => void): void {
  const refuse = (status: number, why: string) => {
    reject(appError('reply-unreadable', why, { detail: 'http-status', serviceCode: String(status) }));
    made.destroy();
  };
  made.once('upgrade', (_response, socket) => {
    socket.destroy();
    refuse(101, 'answered HTTP 101, another protocol');
  });
  let interim = 0;
  made.on('information', ({ statusCode }) => {
    interim += 1;
    if (interim > mostInterim) refuse(statusCode, `answered HTTP ${statusCode} without end`);
  });
  made.once('close', () =>
    reject(appError('service-unreachable', 'closed without an answer', { detail: 'connection-lost' })),
  );
}
