import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { preferences } from '../../../contract/app.ts';
import { replaceFile } from '../files/atomic-write.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { toOwnFileError } from '../foundation/fs-errors.ts';
import type { Log } from '../foundation/ports.ts';

const fileName = 'settings.json';

/** Far more than a real file has: a larger file is damaged. */
const maxCharacters = 1_000_000;

const settings = z.strictObject({ version: z.literal(1), preferences });

export type Settings = z.output<typeof settings>;

/** The settings in a file, because a person may also edit them by hand. Holds no secret. */
export interface SettingsFile {
  get(): Settings;
  /**
   * Writes a change; on disk when the promise resolves. Rejects with storage-full or storage-unusable; then the old
   * settings still hold.
   */
  change(part: Partial<Settings>): Promise<void>;
}

/**
 * Reads settings.json. A file that cannot be parsed is renamed (`setAside` is its new name) and the defaults are
 * used. Each write replaces the whole file, in order: a temporary file, fsync, rename.
 */
export async function openSettingsFile(
  dataDir: string,
  log: Log,
): Promise<{ settings: SettingsFile; setAside: string | null }> {
  const path = join(dataDir, fileName);
  const { found, setAside } = await read(path, log);
  let current = found;
  let last: Promise<unknown> = Promise.resolve();
  const change: SettingsFile['change'] = (part) => {
    const write = last.then(async () => {
      const next = { ...current, ...part };
      await replace(path, `${JSON.stringify(next, null, 2)}\n`);
      current = next;
    });
    last = write.catch(() => undefined);
    return write;
  };
  return { settings: { get: () => current, change }, setAside };
}

async function read(path: string, log: Log): Promise<{ found: Settings; setAside: string | null }> {
  const defaults: Settings = { version: 1, preferences: preferences.parse({}) };
  try {
    const text = await readFile(path, 'utf8');
    if (text.length > maxCharacters) throw new RangeError('too large');
    return { found: settings.parse(JSON.parse(text)), setAside: null };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { found: defaults, setAside: null };
    const aside = `${fileName}.damaged-${new Date().toISOString().replaceAll(/[-:]/g, '')}`;
    log.error('settings set aside', { fileName: aside, error: error instanceof Error ? error.name : typeof error });
    await rename(path, join(path, '..', aside)).catch(() => log.error('settings could not be moved', { fileName }));
    return { found: defaults, setAside: aside };
  }
}

async function replace(path: string, text: string): Promise<void> {
  try {
    await replaceFile(path, text, `${path}.${process.pid}.new`);
  } catch (error) {
    const known = toOwnFileError(error);
    throw failureOf(known) ? known : appError('storage-unusable', 'settings not written');
  }
}
