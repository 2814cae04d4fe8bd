import type { SkippedFile } from '../../../contract/files.ts';

/** A file of a token or a selection. Only the core knows paths. */
export interface LocalFile {
  readonly path: string;
  readonly name: string;
  /** Path of its folder from the dropped folder on, separated by `/`. */
  readonly folder: string;
  readonly sizeBytes: number;
  /** Time of its last change when it was chosen, in milliseconds since 1970; undefined if that is not known. */
  readonly modifiedMs?: number;
  /** Which file it was when it was chosen (file-stamp.ts); undefined if that is not known. */
  readonly identity?: string;
  /** False if its first bytes are not those of a PDF; undefined if they were not looked at. */
  readonly isPdf?: boolean;
}

export interface FileRegistry {
  /** The file of a token. Rejects with not-found or file-unreadable. */
  file(token: string): Promise<LocalFile>;
  /** All usable files of a selection, in order. Rejects with not-found. */
  intake(intakeId: string): Promise<readonly LocalFile[]>;
  /** Skipped files of a selection, in order. Rejects with not-found. */
  leftOut(intakeId: string): Promise<readonly SkippedFile[]>;
  /** The folder of a token. Rejects with not-found, or file-unreadable if it is not a folder. */
  folder(token: string): Promise<{ readonly path: string; readonly name: string }>;
}
