import type { UpdateProblem } from '../../../contract/updates.ts';
import { codeOf, failureOf } from '../foundation/app-error.ts';

/** An update that did not come about. The message is for the log: it holds no address and no path. */
export class UpdateError extends Error {
  readonly problem: UpdateProblem;

  constructor(problem: UpdateProblem, message: string) {
    super(message);
    this.name = 'UpdateError';
    this.problem = problem;
  }
}

const diskCodes = new Set([
  'ENOSPC',
  'EDQUOT',
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'EMFILE',
  'EXDEV',
  'ENOENT',
  'EISDIR',
  'ENOTDIR',
  'EEXIST',
  'ELOOP',
]);

/** The problem that a person is told, of anything that was thrown on the way to an update. */
export function problemOf(error: unknown): UpdateProblem {
  if (error instanceof UpdateError) return error.problem;
  const failure = failureOf(error);
  if (failure?.detail === 'redirected') return 'redirected';
  if (failure?.detail === 'truncated-reply') return 'damaged';
  if (failure?.code === 'service-timeout') return 'too-slow';
  if (failure) return 'unreachable';
  const code = codeOf(error);
  // electron-updater's word for an installer that Windows does not find signed by the publisher.
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE') return 'unsigned';
  return diskCodes.has(code) ? 'not-saved' : 'unusable';
}
