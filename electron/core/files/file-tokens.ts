import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { FileSelection, FileToken } from '../../../contract/files.ts';
import { appError } from '../foundation/app-error.ts';
import { type Purpose, whyUnreadable } from './inspect-file.ts';
import type { FileRegistry, LocalFile } from './local-file.ts';
import { assertFile } from './open-file.ts';
import { type Dropped, type ScanResult, scanFiles } from './scan-files.ts';

/** Intakes are as short-lived as the screen that shows them; the oldest go first. */
const maxIntakes = 50;

/** Of an intake, at once; more by page. */
const firstPage = 100;

/** Tokens and intakes, for the calls about files; others see the FileRegistry in it. All in memory, for this run. */
export interface Files extends FileRegistry {
  /**
   * A new token each time: what was known of the place before says nothing about what lies there now. `arrived` for what came as bytes: the
   * name that the person knows, and what tells it from others of that name; without it a place is its path.
   */
  accept(path: string, arrived?: { readonly name: string; readonly sha256?: string }): Promise<FileToken>;
  scan(tokens: readonly string[], purpose: Purpose): Promise<FileSelection>;
  page(intakeId: string, offset: number, limit: number): Pick<FileSelection, 'files' | 'skipped'>;
}

export function createFiles(): Files {
  const tokens = new Map<string, Dropped>();
  const sources = new Map<string, string>();
  const intakes = new Map<string, ScanResult>();

  const sourceOf = (place: string): string => {
    const source = sources.get(place) ?? randomUUID();
    sources.set(place, source);
    return source;
  };
  const behind = (token: string): Dropped => {
    const dropped = tokens.get(token);
    if (!dropped) throw appError('not-found', 'no such file token');
    return dropped;
  };
  const intakeOf = (id: string): ScanResult => {
    const looked = intakes.get(id);
    if (!looked) throw appError('not-found', 'no such intake');
    return looked;
  };

  return {
    accept: async (given, arrived) => {
      const path = resolve(given);
      const isFolder = (await seen(path)).isDirectory();
      const name = arrived?.name ?? (basename(path) || path);
      const token = randomUUID();
      tokens.set(token, { path, name, isFolder });
      return { token, source: sourceOf(arrived?.sha256 ? `${arrived.sha256} ${name}` : path), name, isFolder };
    },
    file: async (token) => {
      const { path, name } = behind(token);
      const status = await seen(path);
      assertFile(status);
      if (status.size === 0) throw unreadable('file-empty');
      return { path, name, folder: '', sizeBytes: status.size };
    },
    folder: async (token) => {
      const { path, name } = behind(token);
      if (!(await seen(path)).isDirectory())
        throw appError('file-unreadable', 'this is no folder', { detail: 'file-missing' });
      return { path, name };
    },
    intake: async (id) => intakeOf(id).files,
    leftOut: async (id) => intakeOf(id).skipped,
    scan: async (chosen, purpose) => {
      const looked = await scanFiles(chosen.map(behind), purpose);
      const id = randomUUID();
      intakes.set(id, looked);
      const oldest = intakes.keys().next().value;
      if (intakes.size > maxIntakes && oldest !== undefined) intakes.delete(oldest);
      return {
        id,
        fileCount: looked.files.length,
        folderCount: looked.folderCount,
        totalBytes: looked.files.reduce((sum, file) => sum + file.sizeBytes, 0),
        skippedCount: looked.skipped.length,
        ...pageOf(looked, 0, firstPage),
      };
    },
    page: (id, offset, limit) => pageOf(intakeOf(id), offset, limit),
  };
}

/** Without the paths: only the core knows these. */
function pageOf(looked: ScanResult, offset: number, limit: number): Pick<FileSelection, 'files' | 'skipped'> {
  const shown = (file: LocalFile, at: number) => ({
    index: offset + at,
    name: file.name,
    folder: file.folder,
    sizeBytes: file.sizeBytes,
  });
  return {
    files: looked.files.slice(offset, offset + limit).map(shown),
    skipped: looked.skipped.slice(offset, offset + limit),
  };
}

async function seen(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    throw unreadable(whyUnreadable(error));
  }
}

function unreadable(detail: ReturnType<typeof whyUnreadable> | 'file-empty') {
  return appError('file-unreadable', `the file cannot be used: ${detail}`, { detail });
}
