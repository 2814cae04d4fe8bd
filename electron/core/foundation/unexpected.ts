import { randomBytes } from 'node:crypto';
import type { Failure } from '../../../contract/failure.ts';
import { appError } from './app-error.ts';
import { shortageOf } from './fs-errors.ts';
import type { Log } from './ports.ts';

/**
 * The Failure for an error that is no AppError: a lack of system resources, an error of the database, else a bug with a reference under which the error is in
 * the log. `place`: origin of the error, for example `{ call: 'app.info' }`.
 */
export function unexpectedFailure(error: unknown, place: Readonly<Record<string, string>>, log: Log): Failure {
  const known = systemFailure(error);
  if (known) {
    log.info('call failed', { ...place, code: known.code, note: known.note });
    return known;
  }
  const reference = randomBytes(4).toString('hex');
  log.error('unexpected error', { ...place, reference, ...traceOf(error) });
  return {
    code: 'bug',
    note: `unexpected error in ${Object.values(place).join(' ')}`,
    retryable: false,
    reference,
  };
}

/** The Failure for a full disk, too many open files or an unusable database, which are no bugs; else null. */
function systemFailure(error: unknown): Failure | null {
  const shortage = shortageOf(error);
  if (shortage) return shortage.failure;
  const code = codeOf(error);
  if (code === 'SQLITE_FULL') return appError('storage-full', `no space left (${code})`).failure;
  if (code?.startsWith('SQLITE_BUSY'))
    return appError('storage-busy', 'another program writes to the database').failure;
  if (code?.startsWith('SQLITE_')) return appError('storage-unusable', `the database answered ${code}`).failure;
  return null;
}

function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : null;
}

/** Name, code and stack frames only: messages of libraries may quote a request, which holds the credentials. */
export function traceOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { thrown: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { error: error.name, code: codeOf(error), frames: frames.slice(0, 12).map((line) => line.trim()) };
}
