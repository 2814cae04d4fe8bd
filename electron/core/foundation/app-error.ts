import type { Failure, FailureCode } from '../../../contract/failure.ts';

/** An error that carries a Failure. Only the core sees it: the call router turns it into `{ ok: false, failure }`. */
export class AppError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`${failure.detail ?? failure.code}: ${failure.note}`);
    this.name = 'AppError';
    this.failure = failure;
  }
}

/** Codes after which a retry does no harm and may help. */
const retryable: ReadonlySet<FailureCode> = new Set([
  'service-unreachable',
  'service-timeout',
  'cancelled',
  'storage-full',
  'storage-busy',
]);

/** Makes an AppError to throw: `throw appError('bad-input', 'creditType is not in the table')`. `note` must hold no secret. */
export function appError(
  code: FailureCode,
  note: string,
  more: Omit<Partial<Failure>, 'code' | 'note'> = {},
): AppError {
  return new AppError({ code, note, retryable: retryable.has(code), ...more });
}

/** What was looked for by an ID or a name; throws not-found without it. */
export function orNotFound<T>(value: T, note: string): NonNullable<T> {
  if (value === null || value === undefined) throw appError('not-found', note);
  return value;
}

/** The Failure of an AppError; null for any other error. */
export function failureOf(error: unknown): Failure | null {
  return error instanceof AppError ? error.failure : null;
}

/** The Failure of an AppError; throws any other error on: nobody expected it. */
export function knownFailure(error: unknown): Failure {
  if (error instanceof AppError) return error.failure;
  throw error;
}

/** The system's or OpenSSL's code of an error, or its name; never its message, which may hold data that must not be in a log. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
}
