import type { Failure, FailureDetail } from '../../../contract/failure.ts';
import { AppError, appError, failureOf, shortageOf } from '../foundation/app-error.ts';

/**
 * Turns an error of node:fs while reading a person's file into a Failing; others stay what they are. Paths are not told. Too many open files are
 * not the file's fault: storage-unusable.
 */
export function toReadError(error: unknown): unknown {
  const code = codeOf(error);
  if (failureOf(error) || code === null) return error;
  if (code === 'ENAMETOOLONG') return appError('file-unreadable', 'the path is too long', { detail: 'path-too-long' });
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP')
    return appError('file-unreadable', 'the file is not there', { detail: 'file-missing' });
  if (code === 'EACCES' || code === 'EPERM')
    return appError('file-unreadable', 'the file may not be read', { detail: 'file-denied' });
  if (code === 'EBUSY' || code === 'ETXTBSY' || code === 'EAGAIN')
    return appError('file-unreadable', 'another program holds the file', { detail: 'file-locked' });
  if (code === 'EISDIR') return appError('file-unreadable', 'this is a folder', { detail: 'file-is-folder' });
  if (code === 'EIO') return appError('file-unreadable', 'reading answered EIO', { detail: 'drive-error' });
  return shortageOf(error) ?? appError('file-unreadable', `reading answered ${code}`);
}

/** An error of node:fs in the program's own data folder: storage-full or storage-unusable, never a word about a person's file. Others stay what they are. */
export function toOwnFileError(error: unknown): unknown {
  const known = failureOf(error);
  if (known) return new AppError(asOwn(known));
  const code = codeOf(error);
  if (code === null) return error;
  return (
    shortageOf(error) ??
    appError('storage-unusable', `the data folder answered ${code}`, { detail: ownDetails.get(code), retryable: true })
  );
}

const ownDetails: ReadonlyMap<string, FailureDetail> = new Map([
  ['EACCES', 'data-folder-denied'],
  ['EPERM', 'data-folder-denied'],
  ['EROFS', 'data-folder-denied'],
  ['EIO', 'drive-error'],
]);

/** What was said of a file that is the program's own copy: a person cannot do anything about that file. */
export function asOwn(failure: Failure): Failure {
  if (failure.code !== 'file-unreadable') return failure;
  const detail = failure.detail === 'file-denied' ? 'data-folder-denied' : failure.detail;
  return {
    ...failure,
    code: 'storage-unusable',
    detail: detail === 'data-folder-denied' || detail === 'drive-error' ? detail : undefined,
    retryable: true,
  };
}

function codeOf(error: unknown): string | null {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' ? code : null;
}

/** An error of node:fs about a file of the program's own. `what` says in English what could not be done; paths are not told. */
export function toStorageError(error: unknown, what: string): unknown {
  if (failureOf(error)) return error;
  const code = codeOf(error);
  const detail = code === null ? undefined : ownDetails.get(code);
  return shortageOf(error) ?? appError('storage-unusable', `${what} (${code ?? 'unexpected error'})`, { detail });
}
