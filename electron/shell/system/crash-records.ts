import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Crash, Crashes } from '../../core/foundation/ports.ts';
import { countDumps } from './crash-dumps.ts';

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
