import type { Failure, FailureCode } from '../../../contract/failure.ts';

/** A Failure on its way up. Only the core sees it: at the door it becomes `{ ok: false, failure }`. */
export class AppError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`${failure.detail ?? failure.code}: ${failure.note}`);
    this.name = 'Failing';
    this.failure = failure;
  }
}

/** Codes of which doing the same again can do no harm and may help. */
const retryable: ReadonlySet<FailureCode> = new Set([
  'service-unreachable',
  'service-timeout',
  'cancelled',
  'storage-full',
  'storage-busy',
]);

/** Makes a Failure to throw: `throw failing('bad-input', 'creditType is not in the table')`. `note` must hold no secret. */
export function appError(
  code: FailureCode,
  note: string,
  more: Omit<Partial<Failure>, 'code' | 'note'> = {},
): AppError {
  return new AppError({ code, note, retryable: retryable.has(code), ...more });
}

/** The Failure inside an error, if it is one of ours. */
export function failureOf(error: unknown): Failure | null {
  return error instanceof AppError ? error.failure : null;
}

/** What the computer has too little of, whatever file was about to be read or written; null for any other error of node:fs. */
export function shortageOf(error: unknown): AppError | null {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
    return appError('storage-full', `writing answered ${code}`);
  if (code === 'EMFILE' || code === 'ENFILE')
    return appError('storage-unusable', `opening answered ${code}`, { detail: 'too-many-open-files', retryable: true });
  return null;
}

/** The system's or OpenSSL's code of an error, never its message: that may hold more than is wanted in a log. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
}
