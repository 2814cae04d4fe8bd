import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ProgramRuns } from './own-files.ts';
import { programMark } from './place-file.ts';

/**
 * Notes of the targets of files that this run writes for people: downloads, reports, tables. Each is written into a temporary file beside its target, which a killed
 * program leaves behind; with these notes the next start finds exactly those files.
 */
export type TargetNotes = ReturnType<typeof openTargetNotes>;

/** The path of a target, and the mark in the names of its temporary files; older notes have none. */
interface Note {
  readonly path: string;
  readonly mark: string;
}

const ending = '.targets';
/** Older notes whose folder is not available (a removed drive) are dropped. */
const keptMs = 30 * 24 * 3_600_000;
/** Length of the target's name that its temporary file's name repeats at least. */
const namePart = 60;

export function openTargetNotes(dataDir: string, run: ProgramRuns) {
  const folder = join(dataDir, 'targets');
  const own = join(folder, run.runId + ending);
  const noted = new Set<string>();
  return {
    /** Notes a target; call it before the temporary file is made. Errors are ignored: a missing note must not prevent the file from being written. */
    note: (path: string) => {
      if (noted.has(path)) return;
      try {
        if (noted.size === 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
        appendFileSync(own, `${JSON.stringify({ path, mark: programMark } satisfies Note)}\n`, { mode: 0o600 });
        noted.add(path);
      } catch {
        // See above.
      }
    },
    /** Removes the notes at the orderly end of the run, when none of its temporary files is left. */
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
      const others = inUse.filter(({ path: target }) => dirname(target) === where);
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

function isTemporaryOf(name: string, { path, mark }: Note): boolean {
  const [, stem, marks] = /^\.(.+)\.([0-9a-f]{12})\.part$/su.exec(name) ?? [];
  if (stem === undefined || !marks?.startsWith(mark)) return false;
  const target = basename(path);
  return target.startsWith(stem) && stem.length >= Math.min(target.length, namePart);
}

/** The last line may be cut off. */
async function targetsIn(file: string): Promise<Note[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    try {
      const note: string | Note = JSON.parse(line);
      const { path, mark } = typeof note === 'string' ? { path: note, mark: '' } : note;
      return typeof path === 'string' && typeof mark === 'string' ? [{ path, mark }] : [];
    } catch {
      return [];
    }
  });
}

function byFolder(notes: readonly Note[]): Map<string, Note[]> {
  const folders = new Map<string, Note[]>();
  for (const note of notes) folders.set(dirname(note.path), [...(folders.get(dirname(note.path)) ?? []), note]);
  return folders;
}
