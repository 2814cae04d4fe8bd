import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { FailureDetail } from '../../../contract/failure.ts';
import type { FileSelection, FileToken } from '../../../contract/files.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import { type AppError, appError, orNotFound } from '../foundation/app-error.ts';
import { readDetailOf } from '../foundation/fs-errors.ts';
import type { Ports } from '../foundation/ports.ts';
import { chosenAs } from './file-stamp.ts';
import { forPurposes, type Purpose } from './inspect-file.ts';
import type { FileRegistry, LocalFile } from './local-file.ts';
import { assertFile } from './open-file.ts';
import { type Dropped, type LocatedSkip, type ScanResult, scanFiles } from './scan-files.ts';
import { isMistakable } from './walk-folder.ts';

/** Selections live as long as the screen that shows them; the oldest are dropped first. */
const maxSelections = 50;

/** Files in the first answer about a selection; the others are read page by page. */
const firstPage = 100;

/** Tokens and selections, for the calls about files; other features see only the FileRegistry. All in memory, for this run. */
export interface Files extends FileRegistry {
  /**
   * Makes a new token each time, as the file at a path may have changed since the last one. `arrived` for files that came as bytes: the
   * name that the person knows, and the hash that distinguishes it from others of that name; without it the path identifies the source.
   */
  accept(path: string, arrived?: { readonly name: string; readonly sha256?: string }): Promise<FileToken>;
  /** Scans the files and folders of the tokens once; answers one selection for each purpose. */
  scan<P extends Purpose>(tokens: readonly string[], purposes: readonly P[]): Promise<Record<P, FileSelection>>;
  /** The tokens of those files of an intake that were chosen by themselves. */
  single(intakeId: string): readonly string[];
  /** Everything that the scan found, with paths: for the host alone. Throws not-found. */
  found(intakeId: string): { readonly files: readonly LocalFile[]; readonly skipped: readonly LocatedSkip[] };
  page(intakeId: string, offset: number, limit: number): Pick<FileSelection, 'files' | 'skipped'>;
}

export function createFiles(): Files {
  const tokens = new Map<string, Dropped>();
  const sources = new Map<string, string>();
  const selections = createSelections();

  const sourceOf = (key: string): string => {
    const source = sources.get(key) ?? randomUUID();
    sources.set(key, source);
    return source;
  };
  const droppedOf = (token: string): Dropped => orNotFound(tokens.get(token), 'no such file token');

  return {
    accept: async (given, arrived) => {
      const path = resolve(given);
      if (await isMistakable(path)) throw unreadable('file-name');
      const isFolder = (await statFile(path)).isDirectory();
      const name = arrived?.name ?? (basename(path) || path);
      const token = randomUUID();
      tokens.set(token, { path, name, isFolder });
      return { token, source: sourceOf(arrived?.sha256 ? `${arrived.sha256} ${name}` : path), name, isFolder };
    },
    file: async (token) => {
      const { path, name } = droppedOf(token);
      const status = await statFile(path);
      assertFile(status);
      const chosen = chosenAs(status);
      if (chosen.sizeBytes === 0) throw unreadable('file-empty');
      return { path, name, folder: '', ...chosen };
    },
    folder: async (token) => {
      const { path, name } = droppedOf(token);
      if (!(await statFile(path)).isDirectory())
        throw appError('file-unreadable', 'this is no folder', { detail: 'file-missing' });
      return { path, name };
    },
    intake: async (id) => selections.get(id).files,
    leftOut: async (id) => selections.get(id).skipped,
    scan: async (chosen, purposes) => {
      const results = await scanFiles(chosen.map(droppedOf), purposes);
      const tokenOf = new Map(chosen.map((token) => [droppedOf(token).path, token]));
      return forPurposes(purposes, (purpose) => selections.add({ ...results[purpose], tokenOf }));
    },
    single: (id) => {
      const { files, tokenOf } = selections.get(id);
      return files.flatMap(({ path }) => tokenOf.get(path) ?? []);
    },
    found: (id) => selections.get(id),
    page: (id, offset, limit) => pageOf(selections.get(id), offset, limit),
  };
}

/** A scan with the tokens of the paths that were chosen. */
interface Scanned extends ScanResult {
  readonly tokenOf: ReadonlyMap<string, string>;
}

/** Results of scans by the id of their selection. `get` throws not-found. */
function createSelections(): { add(result: Scanned): FileSelection; get(id: string): Scanned } {
  const results = new Map<string, Scanned>();
  return {
    add: (result) => {
      const id = randomUUID();
      results.set(id, result);
      const oldest = results.keys().next().value;
      if (results.size > maxSelections && oldest !== undefined) results.delete(oldest);
      return {
        id,
        fileCount: result.files.length,
        folderCount: result.folderCount,
        totalBytes: result.files.reduce((sum, file) => sum + file.sizeBytes, 0),
        skippedCount: result.skipped.length,
        ...pageOf(result, 0, firstPage),
      };
    },
    get: (id) => orNotFound(results.get(id), 'no such intake'),
  };
}

/** A page of a selection, without the paths: only the core knows these. */
function pageOf(result: Scanned, offset: number, limit: number): Pick<FileSelection, 'files' | 'skipped'> {
  const shown = (file: LocalFile, at: number) => ({
    index: offset + at,
    token: result.tokenOf.get(file.path) ?? null,
    name: file.name,
    folder: file.folder,
    sizeBytes: file.sizeBytes,
  });
  return {
    files: result.files.slice(offset, offset + limit).map(shown),
    skipped: result.skipped.slice(offset, offset + limit).map(({ path: _path, ...shown }) => shown),
  };
}

async function statFile(path: string): Promise<BigIntStats> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    throw unreadable(readDetailOf(error) ?? 'file-denied');
  }
}

function unreadable(detail: FailureDetail): AppError {
  return appError('file-unreadable', `the file cannot be used: ${detail}`, { detail });
}

/** Calls for choosing files and scanning chosen or dropped ones. */
export function fileCalls(ports: Pick<Ports, 'dialogs' | 'assetsDir'>, files: Files): HandlersOf<'files'> {
  return {
    'files.choose': async ({ kind }) => {
      const paths = await ports.dialogs.chooseFiles(kind);
      return paths && (await acceptAll(files, paths));
    },
    'files.samples': async () => {
      const folder = join(ports.assetsDir, 'samples');
      const names = (await readdir(folder)).filter((name) => /\.pdf$/i.test(name)).sort();
      return await acceptAll(
        files,
        names.map((name) => join(folder, name)),
      );
    },
    'files.scan': async ({ tokens, purpose }) => (await files.scan(tokens, [purpose]))[purpose],
    'files.scanForAll': async ({ tokens }) => {
      const found = await files.scan(tokens, ['register', 'verify']);
      return { ...found, requestable: files.single(found.register.id) };
    },
    'files.page': async ({ intakeId, which, offset, limit }) => {
      const page = files.page(intakeId, offset, limit);
      return { files: which === 'files' ? page.files : [], skipped: which === 'skipped' ? page.skipped : [] };
    },
  };
}

async function acceptAll(files: Files, paths: readonly string[]): Promise<readonly FileToken[]> {
  return await Promise.all(paths.map((path) => files.accept(path)));
}
