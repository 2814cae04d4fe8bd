import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type ChosenPreferences, type Preferences, storedPreferences } from '../../../contract/app.ts';
import { preferenceTable } from '../../../contract/settings.ts';
import { replaceFile } from '../files/atomic-write.ts';
import { readWhole } from '../files/open-file.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { toOwnFileError } from '../foundation/fs-errors.ts';
import type { Log } from '../foundation/ports.ts';
import type { Policy } from './policy.ts';

const fileName = 'settings.json';

/** Far more than a real file has: a larger file is damaged. */
const mostBytes = 1_000_000;

/** What only a newer version knows stays in the file. */
const settings = z.looseObject({
  version: z.literal(1),
  preferences: storedPreferences,
  tourOffered: z.boolean().default(false),
});

type Settings = z.output<typeof settings>;

/** The settings in a file, because a person may also edit them by hand. Holds no secret. */
export interface SettingsFile {
  /** The preferences in force: what the policy sets, what the person chose, what the policy recommends, what is built in. */
  preferences(): Preferences;
  /**
   * Writes what the person chose; on disk when the promise resolves. Rejects with bad-input (managed) for what the policy sets, and with storage-full
   * or storage-unusable; then the old choices still hold.
   */
  change(part: ChosenPreferences): Promise<void>;
  /** Forgets what the person chose. Rejects as `change` does. */
  reset(): Promise<void>;
  /** True at the first call of an installation only. Rejects as `change` does. */
  offerTour(): Promise<boolean>;
  /** Called after each change of a preference, by the person or by the policy. */
  readonly onChange: Set<() => void>;
}

/**
 * Reads settings.json. A file that cannot be parsed is renamed (`setAside` is its new name) and the defaults are
 * used. Each write replaces the whole file, in order: a temporary file, fsync, rename.
 */
export async function openSettingsFile(
  dataDir: string,
  log: Log,
  policy: Pick<Policy, 'personal' | 'organisation' | 'assertFree'>,
): Promise<{ settings: SettingsFile; setAside: string | null }> {
  const path = join(dataDir, fileName);
  const { found, setAside } = await read(path, log);
  let current = found;
  let last: Promise<unknown> = Promise.resolve();
  const onChange: SettingsFile['onChange'] = new Set();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const write = async (next: Settings) => {
    await replace(path, `${JSON.stringify(next, null, 2)}\n`);
    current = next;
  };
  const put = (next: () => Settings['preferences']) =>
    inTurn(async () => {
      await write({ ...current, preferences: next() });
      for (const listener of onChange) listener();
    });
  const change: SettingsFile['change'] = async (part) => {
    policy.assertFree(preferenceNames.filter((name) => name in part));
    await put(() => ({ ...current.preferences, ...part }));
  };
  const reset = () => put(() => withoutChoices(current.preferences));
  const offerTour: SettingsFile['offerTour'] = () =>
    inTurn(async () => {
      if (current.tourOffered) return false;
      await write({ ...current, tourOffered: true });
      return true;
    });
  const preferences = () => inForce(policy, current.preferences);
  return { settings: { preferences, change, reset, offerTour, onChange }, setAside };
}

const preferenceNames = Object.keys(preferenceTable) as readonly (keyof Preferences)[];

function inForce(
  { personal, organisation }: Pick<Policy, 'personal' | 'organisation'>,
  chosen: ChosenPreferences,
): Preferences {
  const inForceOf = <N extends keyof Preferences>(name: N) => personal(name, chosen[name]);
  const all = Object.fromEntries(preferenceNames.map((name) => [name, inForceOf(name)])) as Preferences;
  return {
    ...all,
    requestWait: Math.max(all.requestWait, organisation('requestWaitAtLeast')),
    registerWait: Math.max(all.registerWait, organisation('registerWaitAtLeast')),
  };
}

/** What only a newer version knows stays. */
function withoutChoices(stored: Settings['preferences']): Settings['preferences'] {
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !(name in preferenceTable)));
}

async function read(path: string, log: Log): Promise<{ found: Settings; setAside: string | null }> {
  const defaults: Settings = { version: 1, preferences: {}, tourOffered: false };
  try {
    const bytes = await readWhole(path, mostBytes);
    if (!bytes) throw new RangeError('too large');
    return { found: settings.parse(JSON.parse(bytes.toString('utf8'))), setAside: null };
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
