import { z } from 'zod';
import { call, event } from './call.ts';
import type { FailureDetail } from './failure.ts';
import { localId } from './text.ts';

/**
 * A file or folder that the person chose or dropped, as an opaque name given out by the core. The window never
 * sees or makes a path. Tokens live until the program ends.
 */
export interface FileToken {
  /** New each time that something is chosen or dropped: a question about it is answered by what is there now. */
  readonly token: string;
  /** The same for the same file or folder chosen once more (came as bytes: the same name and bytes), so that a list holds it once. */
  readonly source: string;
  /** File name without folders, for showing. */
  readonly name: string;
  readonly isFolder: boolean;
}

/** One usable file of an intake. */
export interface SelectedFile {
  readonly index: number;
  readonly name: string;
  /** Folder below the dropped one, with `/`; empty for a file dropped by itself. */
  readonly folder: string;
  readonly sizeBytes: number;
}

/** Why a file was left out. `kind` names what it seems to be (`PNG image`, `Word document`), in English, by its first bytes. */
export interface SkippedFile {
  readonly name: string;
  readonly folder: string;
  readonly reason: FailureDetail;
  readonly kind?: string;
}

/** What a drop, a paste or a picker brought: counted, looked at, not yet sent anywhere. */
export interface FileSelection {
  readonly id: string;
  readonly fileCount: number;
  readonly folderCount: number;
  readonly totalBytes: number;
  readonly skippedCount: number;
  /** The first 100 of each; more by `files.page`. */
  readonly files: readonly SelectedFile[];
  readonly skipped: readonly SkippedFile[];
}

export const files = {
  /** Opens the system's picker. Null when the person cancelled. `documents` filters for PDF; `any` does not. */
  'files.choose': call(z.strictObject({ kind: z.enum(['documents', 'any', 'folder']) })).answers<
    readonly FileToken[] | null
  >(),
  /** The two sample PDFs that come with the program. */
  'files.samples': call(z.strictObject({})).answers<readonly FileToken[]>(),
  /** Looks at what was chosen, folders recursively. `purpose` verify takes any kind of file, register only PDF. */
  'files.scan': call(
    z.strictObject({ tokens: z.array(localId).min(1).max(10_000), purpose: z.enum(['register', 'verify']) }),
  ).answers<FileSelection>(),
  'files.page': call(
    z.strictObject({
      intakeId: localId,
      which: z.enum(['files', 'skipped']),
      offset: z.int().min(0),
      limit: z.int().min(1).max(500),
    }),
  ).answers<{ readonly files: readonly SelectedFile[]; readonly skipped: readonly SkippedFile[] }>(),
};

export const fileEvents = {
  /** Files came from outside the window: the command line, "open with", a second instance. */
  'files.arrived': event<readonly FileToken[]>(),
};
