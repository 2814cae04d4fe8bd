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
  /** The number of the page with that of all pages, as `Page {page} of {total}`: ends with the total. Without it, only the number of the page is written. */
  readonly pageOf?: string;
  /** The program's folder of assets, which contains `fonts/`. */
  readonly assetsDir: string;
  /** For tables that are wider than a page is. */
  readonly isLandscape?: boolean;
  /** BCP 47 tag of the report's own words. */
  readonly language: string;
}

/** A drawing step for the worker. A row belongs to the table of that number, counted from 0. */
export type PdfStep =
  | readonly ['heading', text: string, level: 1 | 2 | 3]
  | readonly ['paragraph', text: string, look: PdfLook]
  | readonly ['fields', rows: readonly (readonly [label: string, value: string])[]]
  | readonly ['table', columns: readonly PdfColumn[], look: PdfLook]
  | readonly ['row', table: number, cells: readonly string[]]
  | readonly ['attach', name: string, bytes: Uint8Array, description: string]
  | readonly ['rule'];
