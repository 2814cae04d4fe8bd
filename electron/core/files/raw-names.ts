import { isUtf8 } from 'node:buffer';
import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** As what all bytes are read that are no UTF-8: names with different ones look the same. */
const unread = '\ufffd';

/** A name that is no UTF-8. */
interface RawName {
  /** With escapes for such bytes. */
  readonly shown: string;
  readonly readAs: string;
}

/** The names in a folder that are no UTF-8; `names` are all as they were read. Never rejects. */
export async function rawNamesIn(folder: string, names: readonly string[]): Promise<RawName[]> {
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
