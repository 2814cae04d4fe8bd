import { lstat } from 'node:fs/promises';
import { nameOnLine } from './printer.ts';
import { UsageError } from './usage-error.ts';

/**
 * Before anything is asked: throws a UsageError where there is something at `file` that may not be replaced. What comes there later is not replaced either; that is a
 * failure then.
 */
export async function assertFree(option: string, file: string, mayReplace: boolean): Promise<void> {
  const found = await lstat(file).catch(() => null);
  if (!found) return;
  if (!found.isFile() && !found.isSymbolicLink())
    throw new UsageError(`${option}: ${nameOnLine(file)} is no file: a folder, a device or a pipe is not replaced.`);
  if (!mayReplace)
    throw new UsageError(
      `${option}: ${nameOnLine(file)} exists already: name another file, or replace it with --replace.`,
    );
}
