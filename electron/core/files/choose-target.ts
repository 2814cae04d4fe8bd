import { basename, dirname } from 'node:path';
import type { Dialogs } from '../foundation/ports.ts';
import { freeNames } from './free-names.ts';
import { markOf, type Target } from './place-file.ts';

/**
 * Asks a person for the target of a file. A file that exists there at that moment may be replaced, as the person has agreed to it; a file that appears there later stays,
 * and the new file gets a name with a number. Null if nothing was chosen.
 */
export async function chooseTarget(dialogs: Dialogs, suggestedName: string): Promise<Target | null> {
  const path = await dialogs.chooseTarget(suggestedName);
  if (path === null) return null;
  const names = freeNames(dirname(path));
  return { path, replaces: await markOf(path), next: () => names.take(basename(path)) };
}

/** The target of a host without dialogs: a name that is taken is target-exists, unless the file that is there now may be replaced. */
export async function givenTarget(path: string, mayReplace: boolean): Promise<Target> {
  return { path, replaces: mayReplace ? await markOf(path) : undefined };
}
