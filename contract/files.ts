import { z } from 'zod';
import { call, event } from './call.ts';
import type { FailureDetail } from './failure.ts';
import { localId } from './text.ts';

/**
 * A file or folder that the person chose or dropped, as an opaque token issued by the core. The window never sees or makes a path. Tokens are valid
 * until the program ends.
 */
export interface FileToken {
  /** New each time something is chosen or dropped, so that answers about it describe its current content. */
  readonly token: string;
  /** Equal if the same file or folder is chosen again (for bytes: the same name and bytes), so that a list holds it once. */
  readonly source: string;
  /** File name without folders, for display. */
  readonly name: string;
  readonly isFolder: boolean;
}

/** The file into which a person's own entries were exported, and how many. */
export type ExportedFile = Readonly<{ fileName: string; count: number }>;

/** How many entries of an exported file were new, and how many replaced others. */
export type ImportedFile = Readonly<{ added: number; changed: number }>;

/** One usable file of an intake. */
export interface SelectedFile {
  readonly index: number;
  /** The token, if the file was chosen by itself; null for a file of a folder. */
  readonly token: string | null;
  readonly name: string;
  /** Folder below the dropped one, with `/`; empty for a file dropped by itself. */
  readonly folder: string;
  readonly sizeBytes: number;
}

/** Why a file was skipped. `kind`: its type by its first bytes (`PNG image`, `Word document`), in English. */
export interface SkippedFile {
  readonly name: string;
  readonly folder: string;
  readonly reason: FailureDetail;
  readonly kind?: string;
}

/** Files of a drop, a paste or a dialog: scanned and counted, not sent. */
export interface FileSelection {
  readonly id: string;
  readonly fileCount: number;
  readonly folderCount: number;
  readonly totalBytes: number;
  readonly skippedCount: number;
  /** The first 100 of each kind; more by `files.page`. */
  readonly files: readonly SelectedFile[];
  readonly skipped: readonly SkippedFile[];
}

const tokens = z.array(localId).min(1).max(10_000);

export const files = {
  /** Opens the system's dialog. Null if the person cancelled. `documents` shows only PDF files; `any` shows all. */
  'files.choose': call(() => ({ kind: z.enum(['documents', 'any', 'folder']) })).answers<readonly FileToken[] | null>(),
  /** The two sample PDFs of the program. */
  'files.samples': call(() => ({})).answers<readonly FileToken[]>(),
  /** Scans the chosen files, folders recursively. `purpose` verify accepts any kind of file, register only PDF. */
  'files.scan': call(() => ({ tokens, purpose: z.enum(['register', 'verify']) })).answers<FileSelection>(),
  /** As `files.scan`, for every purpose: each file is opened once. */
  'files.scanForAll': call(() => ({ tokens })).answers<{
    readonly register: FileSelection;
    readonly verify: FileSelection;
    /** Those of the tokens that can be the document of a request: PDF files chosen by themselves. */
    readonly requestable: readonly string[];
  }>(),
  'files.page': call(() => ({
    intakeId: localId,
    which: z.enum(['files', 'skipped']),
    offset: z.int().min(0),
    limit: z.int().min(1).max(500),
  })).answers<{ readonly files: readonly SelectedFile[]; readonly skipped: readonly SkippedFile[] }>(),
};

export const fileEvents = {
  /** Files that came from outside the window: the command line, "open with", a second instance. */
  'files.arrived': event<readonly FileToken[]>(),
};

/** A file to preview: one that was chosen, or one from a verification or an intake. */
const file = z.lazy(() =>
  z.discriminatedUnion('of', [
    z.strictObject({ of: z.literal('token'), token: localId }),
    z.strictObject({ of: z.literal('run'), runId: localId, index: z.int().min(0) }),
    z.strictObject({ of: z.literal('intake'), intakeId: localId, index: z.int().min(0) }),
  ]),
);

/** What can be shown: a file, or a verified file from its beginning to `end`, as it was when it was verified. */
const shown = z.lazy(() =>
  z.discriminatedUnion('of', [
    ...file.unwrap().options,
    z.strictObject({ of: z.literal('revision'), runId: localId, index: z.int().min(0), end: z.int().min(1) }),
  ]),
);

/** The file in the calls about previews. */
export type PreviewFile = z.input<typeof file>;
export type ShownFile = z.input<typeof shown>;

/** An open preview of a PDF. Only the desktop can show it. */
export interface Preview {
  /**
   * Names the bytes at the viewer's own address, for this preview only: invalid when it is closed, after the fifth later preview, and when the
   * program ends.
   */
  readonly token: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export const preview = {
  /**
   * Rejects with file-unreadable if the file does not exist or is no PDF, and with not-found if the token, run or intake does not exist. Of a revision also with not-found
   * if `end` is neither where a signature of the file ends what it covers, nor its size, and with file-changed if it is not any more what was verified.
   */
  'preview.open': call(() => ({ file: shown })).answers<Preview>(),
  'preview.close': call(() => ({ token: localId })).answers<null>(),
  /** Opens the file in the system's PDF program. Rejects as `preview.open` does: no other kind of file is passed to another program. */
  'preview.openOutside': call(() => ({ file })).answers<null>(),
  /** Shows any file in the file manager. */
  'preview.showInFolder': call(() => ({ file })).answers<null>(),
};
