import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Crash, Crashes } from '../../core/foundation/ports.ts';

const mostCrashes = 20;
const word = z.string().max(64);
const records = z.object({
  /** When the run that has not ended properly began. */
  running: word.nullable(),
  isUnseen: z.boolean(),
  crashes: z.array(z.object({ at: word, part: word, reason: word })),
});
type Records = z.output<typeof records>;

/** The unexpected ends of this run and of earlier ones. */
export interface CrashRecords extends Crashes {
  /** Records that a part ended unexpectedly. */
  add(part: string, reason: string): void;
  /** The program ends as it should, or the system ends it: the next start offers nothing. */
  ended(): void;
}

/**
 * Opens the records, and notes that the program runs. A run that was not noted as ended is an unexpected end. If they cannot be
 * written, the program continues without them.
 */
export function openCrashRecords(file: string, dumpFolder: string): CrashRecords {
  let current = read(file);
  const listeners = new Set<() => void>();
  const change = (part: Partial<Records>) => {
    current = { ...current, ...part };
    write(file, current);
  };
  const withCrash = (crash: Crash) => ({ crashes: [...current.crashes, crash].slice(-mostCrashes), isUnseen: true });
  const last = current.running;
  const running = new Date().toISOString();
  change({ running, ...(last === null ? {} : withCrash({ at: last, part: 'program', reason: 'not-ended' })) });
  return {
    all: () => current.crashes,
    dumps: () => countDumps(dumpFolder),
    isUnseen: () => current.isUnseen,
    markSeen: () => change({ isUnseen: false }),
    onCrash: (listener) => void listeners.add(listener),
    add: (part, reason) => {
      change(withCrash({ at: new Date().toISOString(), part, reason }));
      for (const listener of listeners) listener();
    },
    ended: () => change({ running: null }),
  };
}

function read(file: string): Records {
  try {
    return records.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { running: null, isUnseen: false, crashes: [] };
  }
}

function write(file: string, value: Records): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, `${JSON.stringify(value)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // Without records there is no offer.
  }
}

/** Memory images that are kept. Each has some megabytes. */
const mostDumps = 5;
/** More files than the browser engine keeps itself. */
const mostFiles = 500;

/** Number of memory images below a folder. */
export function countDumps(folder: string): number {
  return dumpsBelow(folder).length;
}

/** Removes all but the newest memory images and what lies beside them, and closes the folder to others. What cannot be removed stays. */
export function boundDumps(folder: string): void {
  try {
    chmodSync(folder, 0o700);
    const dumps = dumpsBelow(folder).sort((a, b) => b.changed - a.changed);
    for (const { path } of dumps.slice(mostDumps)) {
      rmSync(path, { force: true });
      rmSync(path.replace(/\.dmp$/, '.meta'), { force: true });
    }
  } catch {
    // There is no folder, or it belongs to somebody else.
  }
}

function dumpsBelow(folder: string): { readonly path: string; readonly changed: number }[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).slice(0, mostFiles);
    return names
      .filter((name) => name.endsWith('.dmp'))
      .map((name) => {
        const path = join(folder, name);
        return { path, changed: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
      });
  } catch {
    return [];
  }
}
