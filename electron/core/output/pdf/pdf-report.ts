import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Target } from '../../files/place-file.ts';
import type { PdfColumn, PdfLook, PdfReportOptions, PdfStep, PdfTable } from './pdf-messages.ts';
import { startPdfWorker } from './pdf-worker-client.ts';

/**
 * A printable report that is written while it is made, by a thread of its own: A4, real text in embedded fonts (Latin, Greek, Cyrillic, Hebrew,
 * Arabic …; what the font lacks is shown as `‹U+4E2D›`), page numbers, a bookmark for each heading, and tags that tell programs which read aloud what
 * is a heading, a list, a table. Any text can be given; line ends are kept.
 */
export interface PdfReport {
  /** Level 1 to 3; with a bookmark. Level 1 stands beside other level 1 headings, 2 below the last level 1. */
  heading(text: string, level?: 1 | 2 | 3): void;
  paragraph(text: string, look?: PdfLook): void;
  /** Lines of a label and a value. */
  fields(rows: readonly (readonly [label: string, value: string])[]): void;
  /** Begins a table; its head is repeated on every page. Widths are shares. */
  table(columns: readonly PdfColumn[]): PdfTable;
  /** A file inside the PDF. */
  attach(name: string, bytes: Uint8Array, description: string): void;
  /** A horizontal line with some space. */
  rule(): void;
  /** To be awaited now and then while much is written: gives others a turn and waits for the thread. Rejects as `finish`. */
  settle(): Promise<void>;
  /**
   * Writes the end and gives the file its name; answers its path. Rejects with storage-full or file-unreadable (target-not-writable, target-exists); then nothing
   * stays.
   */
  finish(): Promise<string>;
  /** Gives it up: nothing stays. Never rejects. */
  discard(): Promise<void>;
}

/** More than this go to the thread without being asked for. */
const stepsAtOnce = 100;

/** Begins a report in a temporary file beside the target. */
export function createPdfReport(target: Target, options: PdfReportOptions): PdfReport {
  const thread = startPdfWorker(target, options);
  let steps: PdfStep[] = [];
  let tables = 0;
  const send = () => {
    if (steps.length > 0) thread.draw(steps);
    steps = [];
  };
  const put = (...step: PdfStep) => {
    steps.push(step);
    if (steps.length >= stepsAtOnce) send();
  };
  return {
    heading: (text, level = 1) => put('heading', text, level),
    paragraph: (text, look = {}) => put('paragraph', text, look),
    fields: (rows) => put('fields', rows),
    table: (columns) => {
      const table = tables++;
      put('table', columns);
      return { row: (cells) => put('row', table, cells) };
    },
    attach: (name, bytes, description) => put('attach', name, bytes, description),
    rule: () => put('rule'),
    settle: async () => {
      send();
      await nextTurn();
      await thread.room();
    },
    finish: async () => {
      send();
      return await thread.finish();
    },
    discard: thread.discard,
  };
}
