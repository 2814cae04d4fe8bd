import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ProgramRuns } from './program-runs.ts';

/**
 * Notes of the targets of files that this run writes for people: downloads, reports, tables. Each is written into a temporary file beside its target, which a killed
 * program leaves behind; with these notes the next start finds exactly those files.
 */
export interface TargetNotes {
  /** Notes a target; call it before the temporary file is made. Errors are ignored: a missing note must not prevent the file from being written. */
  note(path: string): void;
  /** Removes the notes at the orderly end of the run, when none of its temporary files is left. */
  close(): void;
}

const ending = '.targets';
/** Older notes whose folder is not available (a removed drive) are dropped. */
const keptMs = 30 * 24 * 3_600_000;
/** Length of the target's name that its temporary file's name repeats at least. */
const namePart = 60;

export function openTargetNotes(dataDir: string, run: ProgramRuns): TargetNotes {
  const folder = join(dataDir, 'targets');
  const own = join(folder, run.runId + ending);
  const noted = new Set<string>();
  return {
    note: (path) => {
      if (noted.has(path)) return;
      try {
        if (noted.size === 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
        appendFileSync(own, `${JSON.stringify(path)}\n`, { mode: 0o600 });
        noted.add(path);
      } catch {
        // See `TargetNotes.note`.
      }
    },
    close: () => {
      if (noted.size > 0) rmSync(own, { force: true });
    },
  };
}

/** Removes temporary files of ended runs beside the targets that they noted. Never rejects; may take long if a folder is on a network. */
export async function removeTemporaryFiles(dataDir: string, run: Pick<ProgramRuns, 'isAlive'>): Promise<void> {
  const folder = join(dataDir, 'targets');
  const notes = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending));
  const isAlive = (name: string) => run.isAlive(name.slice(0, -ending.length));
  for (const name of notes.filter((each) => !isAlive(each))) {
    const path = join(folder, name);
    let isLeft = false;
    for (const [where, targets] of byFolder(await targetsIn(path))) {
      const found = await readdir(where).catch((error: unknown) => {
        // The files are gone with a removed folder.
        isLeft ||= (error as NodeJS.ErrnoException).code !== 'ENOENT';
        return [];
      });
      const temporary = found.filter((one) => targets.some((target) => isTemporaryOf(one, target)));
      if (temporary.length === 0) continue;
      // Read after the folder: a running program that made one of these files had noted its target before.
      const alive = (await readdir(folder).catch(() => [])).filter((each) => each.endsWith(ending) && isAlive(each));
      const inUse = (await Promise.all(alive.map((each) => targetsIn(join(folder, each))))).flat();
      const others = inUse.filter((target) => dirname(target) === where).map((target) => basename(target));
      for (const one of temporary)
        if (!others.some((target) => isTemporaryOf(one, target)))
          await rm(join(where, one), { force: true }).catch(() => undefined);
    }
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (!isLeft || age > keptMs) await rm(path, { force: true }).catch(() => undefined);
  }
}

function isTemporaryOf(name: string, target: string): boolean {
  const stem = /^\.(.+)\.[0-9a-f]{12}\.part$/su.exec(name)?.[1];
  return stem !== undefined && target.startsWith(stem) && stem.length >= Math.min(target.length, namePart);
}

/** The last line may be cut off. */
async function targetsIn(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    try {
      const target: unknown = JSON.parse(line);
      return typeof target === 'string' ? [target] : [];
    } catch {
      return [];
    }
  });
}

function byFolder(paths: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const path of paths) folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), basename(path)]);
  return folders;
}
