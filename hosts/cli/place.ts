import { join, resolve } from 'node:path';
import { dataDirIn, programDir } from '../../electron/core/data-dir.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { UsageError } from './usage-error.ts';
import { isSet, textOf, type Values } from './values.ts';

/** Which service a command line means, and where this run keeps what it sends. */
export interface Place {
  readonly kind: 'practice' | 'address' | 'saved';
  readonly dataDir: string;
  /** Practice data that outlives the run, where asked for. */
  readonly practiceDir?: string;
  /** Removes what was only for this run. */
  leave(): void;
}

/**
 * The practice service leaves nothing behind unless told to. What goes to a real service stands in a ledger that lasts: that of the desktop
 * app for its own connections (each running program touches its own jobs only), else one for the command line.
 */
export function placeFor(values: Values): Place {
  if (textOf(values, 'connection') !== undefined) {
    return { kind: 'saved', dataDir: dataDirIn(programDir()), leave: () => undefined };
  }
  if (textOf(values, 'url') !== undefined) {
    return { kind: 'address', dataDir: join(programDir(), 'command-line'), leave: () => undefined };
  }
  const practiceDir = textOf(values, 'practice-dir');
  if (isSet(values, 'audit')) return rememberingPlace(practiceDir);
  const folder = makeTemporaryFolder();
  return {
    kind: 'practice',
    dataDir: folder.path,
    practiceDir: practiceDir === undefined ? undefined : resolve(practiceDir),
    leave: folder.remove,
  };
}

/** What is remembered of a folder lies beside the data of the practice service that was asked. */
function rememberingPlace(practiceDir: string | undefined): Place {
  if (practiceDir === undefined)
    throw new UsageError('--audit needs a place to remember: --connection NAME, --url ADDRESS or --practice-dir DIR.');
  const folder = resolve(practiceDir);
  return { kind: 'practice', dataDir: join(folder, 'sealdesk'), practiceDir: folder, leave: () => undefined };
}
