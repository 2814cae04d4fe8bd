import type { OperationName } from '../../contract/operation.ts';
import { type AppError, appError, codeOf, failureOf } from '../core/foundation/app-error.ts';
import type { Stage } from './exchange.ts';
import { operations } from './operations.ts';

/**
 * Statuses with which HTTP itself turns a request away before any application sees it. Others prove nothing: behind a
 * web server's own error pages a redirect, a 403 or a 500 may come after the work was done.
 */
const turnedAway = new Set(['401', '404', '405', '407', '411', '413', '414', '415', '417', '431']);

/** 417 is about the head alone: who answers it after a byte of the body has read on, and may have taken it. */
function isTurnedAway(status: string, stage: Stage): boolean {
  return turnedAway.has(status) && !(status === '417' && stage.bodyBegan);
}

/** Failures in which the answer of the service, or the lack of one, leaves open whether an add was carried out. */
const open = new Set(['service-unreachable', 'service-timeout', 'reply-unreadable', 'cancelled', 'bug']);

/**
 * What a failure means for the operation. For an add everything after departure is outcome-unknown, except where it is
 * certain that the service did not take it: a fault or a negative code was answered, HTTP turned it away, or this
 * computer broke the request off (cancelled, file-changed, file-unreadable) or was answered before its last bytes had left, so that no whole request
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
    open.has(failure.code) &&
    !(brokenOffHere && !stage.complete) &&
    !(failure.detail === 'http-status' && isTurnedAway(failure.serviceCode ?? '', stage));
  if (!doubtful) return known ? (error as AppError) : appError('bug', failure.note);
  return appError('outcome-unknown', `${operation} left and was not answered: ${failure.note}`, {
    detail: failure.detail,
    serviceCode: failure.serviceCode,
  });
}
