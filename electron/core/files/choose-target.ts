import { basename, dirname } from 'node:path';
import type { Dialogs } from '../foundation/ports.ts';
import { freeNames } from './free-names.ts';
import { markOf, type Target } from './place-file.ts';

/**
 * Asks where a file goes. What is there at that moment a person has agreed to replace; what comes there while the file is written stays, and the file takes a name
 * with a number. Null where nothing was chosen.
 */
export async function chooseTarget(dialogs: Dialogs, suggestedName: string): Promise<Target | null> {
  const path = await dialogs.chooseTarget(suggestedName);
  if (path === null) return null;
  const names = freeNames(dirname(path));
  return { path, replaces: await markOf(path), next: () => names.take(basename(path)) };
}

/** Where a host without dialogs puts a file: a name that is taken is target-exists, unless it may replace the file that is there now. */
export async function givenTarget(path: string, mayReplace: boolean): Promise<Target> {
  return { path, replaces: mayReplace ? await markOf(path) : undefined };
}
