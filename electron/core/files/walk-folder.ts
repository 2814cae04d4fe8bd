import { isUtf8 } from 'node:buffer';
import { opendir, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FailureDetail } from '../../../contract/failure.ts';
import { readDetailOf } from '../foundation/fs-errors.ts';

/** One result of walking through a dropped folder: a file to inspect, or a path that could not be read. */
export interface Found {
  readonly path: string;
  readonly name: string;
  /** Path of its folder, beginning with the name of the dropped folder, separated by `/`. */
  readonly folder: string;
  readonly problem?: FailureDetail;
}

export interface WalkState {
  /** Folders that were walked, by device and inode: prevents endless loops through links. */
  readonly seenFolders: Set<string>;
  folderCount: number;
}

/** Files that systems create in folders by themselves: nobody drops them on purpose, so they are not even counted. */
const litter =
  /^(?:\.DS_Store|Thumbs\.db|ehthumbs\.db|desktop\.ini|\._.*|\.directory|\.Spotlight-V100|\.Trashes|\.fseventsd|__MACOSX|\$RECYCLE\.BIN|System Volume Information)$/i;

/** Every file below a folder, folder by folder, in the order of names. Never rejects: an unreadable file or folder is an entry with a problem. */
export async function* walk(path: string, folder: string, state: WalkState): AsyncGenerator<Found> {
  // Stack of folders to walk, the next one last: no recursion, so a deep tree costs no more than its folders. A path that is too long ends a branch with a problem.
  const left = [{ path, folder }];
  for (let next = left.pop(); next; next = left.pop()) {
    const below: (typeof left)[number][] = [];
    yield* walkOne(next, state, below);
    for (const one of below.reverse()) left.push(one);
  }
}

async function* walkOne(
  { path, folder }: { readonly path: string; readonly folder: string },
  state: WalkState,
  below: { path: string; folder: string }[],
): AsyncGenerator<Found> {
  const name = folder.split('/').at(-1) ?? folder;
  try {
    if (await wasSeen(path, state)) return;
  } catch (error) {
    yield { path, name, folder: above(folder), problem: readDetailOf(error) ?? 'file-denied' };
    return;
  }
  state.folderCount += 1;
  const { entries, problem } = await entriesOf(path);
  if (problem) yield { path, name, folder: above(folder), problem };
  for (const entry of entries) {
    const inside = join(path, entry.name);
    if (entry.problem) yield { path: inside, name: entry.name, folder, problem: entry.problem };
    else if (entry.isFolder) below.push({ path: inside, folder: `${folder}/${entry.name}` });
    else yield { path: inside, name: entry.name, folder };
  }
}

const above = (folder: string) => folder.split('/').slice(0, -1).join('/');

async function wasSeen(path: string, state: WalkState): Promise<boolean> {
  const { dev, ino } = await stat(path, { bigint: true });
  const key = `${dev}:${ino}`;
  if (state.seenFolders.has(key)) return true;
  state.seenFolders.add(key);
  return false;
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly problem?: FailureDetail;
}

interface Entries {
  readonly entries: readonly Entry[];
  readonly problem?: FailureDetail;
}

/** Entries that were listed before a problem are kept. */
async function entriesOf(path: string): Promise<Entries> {
  const entries: Entry[] = [];
  try {
    for await (const entry of await opendir(path, { bufferSize: 256 })) {
      if (litter.test(entry.name)) continue;
      const isFolder = entry.isSymbolicLink() ? await leadsToFolder(join(path, entry.name)) : entry.isDirectory();
      entries.push({ name: entry.name, isFolder });
    }
  } catch (error) {
    return { entries: sorted(entries), problem: readDetailOf(error) ?? 'file-denied' };
  }
  const names = entries.map(({ name }) => name);
  for (const { shown, readAs } of await rawNamesIn(path, names)) {
    // Each was read as one of this name; what is left is a name of its own.
    const at = entries.findIndex(({ name }) => name === readAs);
    if (at >= 0) entries.splice(at, 1, { name: shown, isFolder: false, problem: 'file-name' });
  }
  return { entries: sorted(entries) };
}

/** In code unit order: a collator would block the process for tens of thousands of names. */
function sorted<T extends { readonly name: string }>(entries: T[]): T[] {
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

async function leadsToFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** As what all bytes are read that are no UTF-8: names with different ones look the same. */
const unread = '\ufffd';

/** A name that is no UTF-8. */
interface RawName {
  /** With escapes for such bytes. */
  readonly shown: string;
  readonly readAs: string;
}

/** The names in a folder that are no UTF-8; `names` are all as they were read. Never rejects. */
async function rawNamesIn(folder: string, names: readonly string[]): Promise<RawName[]> {
  if (!names.some((name) => name.includes(unread))) return [];
  const all = await readdir(folder, { encoding: 'buffer' }).catch(() => []);
  return all.filter((name) => !isUtf8(name)).map((name) => ({ shown: escaped(name), readAs: name.toString() }));
}

/** True if a name in this path is what another one that is no UTF-8 is read as, so that nobody can say which of them was meant. Never rejects. */
export async function isMistakable(path: string): Promise<boolean> {
  for (let at = path; at.includes(unread); at = dirname(at)) {
    const name = basename(at);
    if ((await rawNamesIn(dirname(at), [name])).some(({ readAs }) => readAs === name)) return true;
  }
  return false;
}

const escaped = (name: Buffer) =>
  name.toString('latin1').replace(/[\x80-\xff]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`);
