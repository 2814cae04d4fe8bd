import type { SkippedFile } from '../../../contract/files.ts';

/** A real file behind a token or an intake. Only the core knows paths. */
export interface LocalFile {
  readonly path: string;
  readonly name: string;
  /** Folder below the dropped one, with `/`. */
  readonly folder: string;
  readonly sizeBytes: number;
}

export interface FileRegistry {
  /** The file behind a token. Rejects with not-found or file-unreadable. */
  file(token: string): Promise<LocalFile>;
  /** All usable files of an intake, in order. Rejects with not-found. */
  intake(intakeId: string): Promise<readonly LocalFile[]>;
  /** What an intake left out, in order. Rejects with not-found. */
  leftOut(intakeId: string): Promise<readonly SkippedFile[]>;
  /** The folder behind a token. Rejects with not-found, or file-unreadable where it is none. */
  folder(token: string): Promise<{ readonly path: string; readonly name: string }>;
}
