import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Target } from '../../files/place-file.ts';
import type { PdfColumn, PdfLook, PdfReportOptions, PdfStep, PdfTable } from './pdf-step.ts';
import { startPdfWorker } from './pdf-worker-client.ts';

/**
 * A printable report that a worker writes while it is made: A4, real text in embedded fonts (Latin, Greek, Cyrillic, Hebrew,
 * Arabic …; characters that the font lacks are shown as `‹U+4E2D›`), page numbers, a bookmark for each heading, and tags of headings, lists and tables for
 * screen readers. Any text can be given; line ends are kept.
 */
export type PdfReport = ReturnType<typeof createPdfReport>;

/** Steps are sent to the worker when there are this many. */
const stepsAtOnce = 100;

/** Begins a report in a temporary file beside the target. */
export function createPdfReport(target: Target, options: PdfReportOptions) {
  const worker = startPdfWorker(target, options);
  let steps: PdfStep[] = [];
  let tables = 0;
  const send = () => {
    if (steps.length > 0) worker.draw(steps);
    steps = [];
  };
  const put = (...step: PdfStep) => {
    steps.push(step);
    if (steps.length >= stepsAtOnce) send();
  };
  return {
    /** A heading of level 1 to 3 with a bookmark, which is below that of the last heading of a lower level. */
    heading: (text: string, level: 1 | 2 | 3 = 1): void => put('heading', text, level),
    paragraph: (text: string, look: PdfLook = {}): void => put('paragraph', text, look),
    /** Lines of a label and a value. */
    fields: (rows: readonly (readonly [label: string, value: string])[]): void => put('fields', rows),
    /** Begins a table; its head is repeated on every page. The columns' widths are shares of the page's. */
    table: (columns: readonly PdfColumn[], look: Pick<PdfLook, 'sizePt'> = {}): PdfTable => {
      const table = tables++;
      put('table', columns, look);
      return { row: (cells) => put('row', table, cells) };
    },
    /** Attaches a file to the PDF. */
    attach: (name: string, bytes: Uint8Array, description: string): void => put('attach', name, bytes, description),
    /** A horizontal line with some space. */
    rule: (): void => put('rule'),
    /** Await it now and then while writing much: yields to the event loop and waits for the worker. Rejects as `finish`. */
    settle: async (): Promise<void> => {
      send();
      await nextTurn();
      await worker.room();
    },
    /**
     * Writes the end and gives the file its name; answers its path. Rejects with storage-full or file-unreadable (target-not-writable, target-exists); then the file
     * is removed.
     */
    finish: async (): Promise<string> => {
      send();
      return await worker.finish();
    },
    /** Removes the unfinished file. Never rejects. */
    discard: worker.discard,
  };
}
