import { lstat } from 'node:fs/promises';
import { UsageError } from './exit-code.ts';
import { nameOnLine } from './printer.ts';
import { t } from './texts.ts';

/**
 * Throws a UsageError, before anything is sent, if `file` exists and may not be replaced. A file that appears later is not replaced either; the
 * command then fails.
 */
export async function assertFree(option: string, file: string, mayReplace: boolean): Promise<void> {
  const found = await lstat(file).catch(() => null);
  if (!found) return;
  if (!found.isFile() && !found.isSymbolicLink())
    throw new UsageError(t('errors.notReplaceable', { option, file: nameOnLine(file) }));
  if (!mayReplace) throw new UsageError(t('errors.existsAlready', { option, file: nameOnLine(file) }));
}
