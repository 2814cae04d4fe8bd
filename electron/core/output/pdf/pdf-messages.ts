import type { Failure } from '../../../../contract/failure.ts';
export interface PdfLook {
  readonly isQuiet?: boolean;
  readonly sizePt?: number;
}

export interface PdfColumn {
  readonly title: string;
  readonly share: number;
}

export interface PdfTable {
  row(cells: readonly string[]): void;
}

export interface PdfReportOptions {
  readonly title: string;
  /** On every page, beside its number. */
  readonly footer: string;
  /** Of the program: `fonts/` is in it. */
  readonly assetsDir: string;
  /** BCP 47, of the report's own words. */
  readonly language: string;
}

/** What the thread is told to draw. A row belongs to the table of that number, counted from 0. */
export type PdfStep =
  | readonly ['heading', text: string, level: 1 | 2 | 3]
  | readonly ['paragraph', text: string, look: PdfLook]
  | readonly ['fields', rows: readonly (readonly [label: string, value: string])[]]
  | readonly ['table', columns: readonly PdfColumn[]]
  | readonly ['row', table: number, cells: readonly string[]]
  | readonly ['attach', name: string, bytes: Uint8Array, description: string]
  | readonly ['rule'];

/** What the thread begins with. */
export interface PdfWorkerStart {
  /** Beside the target; it gets its final name when the thread has ended. */
  readonly temporary: string;
  readonly options: PdfReportOptions;
}

export type ToPdfWorker = { readonly draw: readonly PdfStep[] } | 'finish' | 'discard';

/** `drawn` after each batch; the others are the last word. */
export type FromPdfWorker = 'drawn' | 'finished' | 'discarded' | { readonly failed: Failure };
