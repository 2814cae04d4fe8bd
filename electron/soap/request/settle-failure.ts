import type { Failure, FailureDetail } from '../../../contract/failure.ts';
import type { OperationName } from '../../../contract/operation.ts';
import { type AppError, appError, codeOf, failureOf } from '../../core/foundation/app-error.ts';
import { operations } from '../service/operations.ts';
import type { Stage } from './exchange.ts';

/**
 * Statuses about the head of a request alone, with which an HTTP server refuses it before any application sees it. Others prove nothing of a request that had left as a
 * whole: error pages have a 404, 405, 413 or 500 also for what failed after the work was done, and a gateway may pass on the 401 or 407 of something behind it.
 */
const refusedByHead = new Set(['411', '414', '415', '417', '431']);

/**
 * 417 concerns the head only: a service that sends it after a byte of the body has read on, and may have carried out the add. Nor did the HTTP server alone
 * answer where the body holds the service's response.
 */
function isRefusedByHttp(status: string, stage: Stage): boolean {
  return refusedByHead.has(status) && !stage.responseBegan && !(status === '417' && stage.bodyBegan);
}

/**
 * A proxy or the TLS of the server refused the connection itself: what was sent over it was read by no service, also where some of it had left already
 * (http through a proxy; the alerts of TLS 1.3).
 */
const refusedOnTheWay: ReadonlySet<FailureDetail | undefined> = new Set([
  'proxy-login-needed',
  'proxy-login-refused',
  'proxy-login-unsupported',
  'client-certificate-needed',
  'client-certificate-refused',
  'client-certificate-expired',
]);

/** True if a proxy or the server's TLS refused: nothing was carried out, also if the request had departed. */
export function isRefusedOnTheWay({ detail }: Pick<Failure, 'detail'>): boolean {
  return refusedOnTheWay.has(detail);
}

/**
 * True for a fault that does not say that the request was refused: about the service's own processing (Server, Receiver, or without a code), into which stacks turn every
 * unhandled error, also one after the work was done; or with a code that SOAP does not know, of which the interface says nothing.
 */
function isOpenFault({ detail, serviceCode = '' }: Failure): boolean {
  return detail === 'soap-fault' && !aboutRequest.test(serviceCode);
}

/** SOAP's own codes for a request that was not processed, refined by a dot (1.1) or a subcode (1.2). */
const aboutRequest = /^(?:[^:/]*:)?(?:Client|Sender|VersionMismatch|MustUnderstand|DataEncodingUnknown)(?:[.\s/]|$)/;

/** Failures that leave open whether the service carried out an add. */
const open = new Set(['service-unreachable', 'service-timeout', 'reply-unreadable', 'cancelled', 'bug']);

/**
 * Turns a failure into its meaning for the operation. For an add every failure after departure is outcome-unknown, unless the service
 * certainly did not carry it out: it answered a fault about the request or a negative code, HTTP refused its head, a proxy or TLS refused it, or this
 * computer ended the request before its last bytes had left (cancelled, file-changed, file-unreadable, an early answer), so that no whole request
 * can have arrived.
 */
export function settleFailure(operation: OperationName, stage: Stage, error: unknown): AppError {
  const known = failureOf(error);
  // The message of an unexpected error may hold anything; its code cannot.
  const failure = known ?? appError('bug', `unexpected in ${operation}: ${codeOf(error)}`).failure;
  const brokenOffHere = failure.code === 'cancelled' || (stage.answered && failure.code === 'reply-unreadable');
  const doubtful =
    operations[operation].effect === 'add' &&
    stage.departed &&
    (open.has(failure.code) || (stage.complete && isOpenFault(failure))) &&
    !isRefusedOnTheWay(failure) &&
    !(brokenOffHere && !stage.complete) &&
    !(failure.detail === 'http-status' && isRefusedByHttp(failure.serviceCode ?? '', stage));
  if (!doubtful) return known ? (error as AppError) : appError('bug', failure.note);
  return appError('outcome-unknown', `${operation} left without a clear answer: ${failure.note}`, {
    detail: failure.detail,
    serviceCode: failure.serviceCode,
    raw: failure.raw,
  });
}
