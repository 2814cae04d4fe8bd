import { constants, type Stats, unwatchFile, watchFile } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appError } from '../core/foundation/app-error.ts';
import { usualPauses } from '../core/foundation/pauses.ts';
import type { PolicySource } from '../core/foundation/ports.ts';

/** A hundred connections with their certificates fit in. */
const mostBytes = 4_000_000;
const root = 0;

type Written = Readonly<Record<string, unknown>>;

/** How the text of a policy file is read. `text`: at most 4 MB. */
type Parse = (text: Buffer, path: string) => Promise<unknown>;

/**
 * A policy in a file of JSON. `owners`: user IDs whose files are trusted besides those of root; none unless a test gives its own, as it does a pause between two looks.
 */
export function policyFile(path: string, owners: readonly number[] = [], lookMs?: number): PolicySource {
  return {
    name: path,
    read: () => readPolicyFile(path, parseJson, owners),
    watch: (onChange) => watchPolicyFile(path, onChange, lookMs),
  };
}

/** A file that is only looked at: whoever writes a policy checks it before it is put in its place. */
export function uncheckedPolicyFile(path: string): Pick<PolicySource, 'name' | 'read'> {
  return {
    name: path,
    read: async () => {
      const written = await readPolicyFile(path, parseJson, 'anybody');
      if (written === null) throw broken(`${path} does not exist`);
      return written;
    },
  };
}

/** Calls `onChange` when the file appears, changes or goes. The folder need not exist. */
export function watchPolicyFile(path: string, onChange: () => void, lookMs = usualPauses.policyLookMs): () => void {
  watchFile(path, { interval: lookMs, persistent: false }, onChange);
  return () => unwatchFile(path, onChange);
}

/**
 * Reads a file that only an administrator can change; null if it does not exist. Rejects with policy-broken for anything else than an object of settings,
 * and for a file that others can write: they could send documents and credentials to a place of their own.
 */
export async function readPolicyFile(
  path: string,
  parse: Parse,
  owners: readonly number[] | 'anybody' = [],
): Promise<Written | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw broken(`${path} cannot be read (${code}): everybody must be allowed to read it`);
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw broken(`${path} is not a file`);
    if (owners !== 'anybody') await assertTrusted(path, stats, [root, ...owners]);
    if (stats.size > mostBytes) throw broken(`${path} is larger than ${mostBytes} bytes`);
    const written = await parse(await bytesOf(file, stats.size, path), path);
    if (typeof written !== 'object' || written === null || Array.isArray(written))
      throw broken(`${path} must contain one object with settings`);
    return written as Written;
  } finally {
    await file.close();
  }
}

/** The error of a policy that cannot be used. `note` says what to do about it. */
export function broken(note: string) {
  return appError('storage-unusable', note, { detail: 'policy-broken' });
}

async function parseJson(text: Buffer, path: string): Promise<unknown> {
  // Editors of Windows begin a file with a byte order mark.
  const json = text.toString('utf8').replace(/^\uFEFF/, '');
  let written: unknown;
  try {
    written = JSON.parse(json);
  } catch {
    throw broken(`${path} is not valid JSON`);
  }
  const twice = nameGivenTwice(json);
  if (twice !== null) throw broken(`${path} names ${JSON.stringify(twice)} twice in one place: only one can count`);
  return written;
}

/** A name that one object of a valid JSON text gives to two values, of which a parser drops one; null if there is none. */
function nameGivenTwice(json: string): string | null {
  const open: Set<string>[] = [];
  for (const [part, quoted, colon] of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g)) {
    if (part === '{') open.push(new Set());
    else if (part === '}') open.pop();
    else if (quoted && colon) {
      const name: string = JSON.parse(quoted);
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    }
  }
  return null;
}

async function bytesOf(file: FileHandle, size: number, path: string): Promise<Buffer> {
  const bytes = Buffer.alloc(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    length += bytesRead;
    if (length > size) throw broken(`${path} was written while it was read`);
    if (bytesRead === 0) return bytes.subarray(0, length);
  }
}

/** The file, its folder and all folders above must belong to an administrator who alone can write them; links are followed. */
async function assertTrusted(path: string, stats: Stats, owners: readonly number[]): Promise<void> {
  if (process.platform === 'win32') return;
  assertOwned(path, stats, owners);
  for (const start of new Set([dirname(path), dirname(await realpath(path))])) {
    for (let folder = start; ; folder = dirname(folder)) {
      assertOwned(folder, await stat(folder), owners);
      if (folder === dirname(folder)) break;
    }
  }
}

const othersMayWrite = 0o022;
/** In such a folder nobody can replace the files of others. */
const sticky = 0o1000;

function assertOwned(path: string, stats: Stats, owners: readonly number[]): void {
  const isShared = stats.isDirectory() && (stats.mode & sticky) !== 0;
  if (!owners.includes(stats.uid)) throw broken(`${path} must belong to root, or anybody could change the policy`);
  if ((stats.mode & othersMayWrite) !== 0 && !isShared)
    throw broken(`${path} can be written by others than its owner: chmod go-w it`);
}
