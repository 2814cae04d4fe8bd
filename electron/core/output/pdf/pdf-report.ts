import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reporter } from '../../../../contract/verify.ts';
import { syncFolder } from '../../files/atomic-write.ts';
import { placeFile, type Target, temporaryBeside } from '../../files/place-file.ts';
import { type AppError, appError, failureOf } from '../../foundation/app-error.ts';
import { toWriteError } from '../../foundation/fs-errors.ts';
import { startWorker } from '../../foundation/worker-channel.ts';
import type { PdfColumn, PdfLook, PdfReportOptions, PdfStep, PdfTable } from './pdf-step.ts';
import type { PdfActions } from './pdf-worker.ts';

/**
 * A printable report that a worker writes while it is made: A4, real text in embedded fonts (Latin, Greek, Cyrillic, Hebrew,
 * Arabic …; characters that the font lacks are shown as `‹U+4E2D›`), page numbers, a bookmark for each heading, and tags of headings, lists and tables for
 * screen readers. Any text can be given; line ends are kept.
 */
export type PdfReport = ReturnType<typeof createPdfReport>;

/** Room to write by hand. */
export const blank = '_'.repeat(48);

/** Who stands for what is printed: a person and an organisation, or room for them. */
export function madeBy(reporter: Reporter | null): string {
  return [reporter?.person, reporter?.organisation].filter(Boolean).join(', ') || blank;
}

/** `2026-11-21 05:51:48`: sorts and reads the same everywhere. */
export function timeOf(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

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

/** Writes a report with what `draw` draws; answers its path. Rejects as `draw` and as `PdfReport.finish` do; then the file is removed. */
export async function savePdfReport(
  target: Target,
  options: PdfReportOptions,
  draw: (report: PdfReport) => void | Promise<void>,
): Promise<string> {
  const report = createPdfReport(target, options);
  try {
    await draw(report);
    return await report.finish();
  } catch (error) {
    await report.discard();
    throw error;
  }
}

/** Batches that may wait for the worker: their steps are in memory twice. */
const batchesAhead = 2;

/** Starts a worker for one PDF. A worker is needed because a page is laid out in one step, which would freeze the window for too long. */
function startPdfWorker(target: Target, options: PdfReportOptions) {
  const temporary = temporaryBeside(target.path);
  const worker = startWorker<PdfActions>(new URL('./pdf-worker.ts', import.meta.url));
  /** Requests that have no answer yet; they settle in their order, and each is removed then. */
  const pending: Promise<void>[] = [];
  let failed: AppError | null = null;
  const track = (answer: Promise<void>) => {
    const settled = answer
      .catch((error: unknown) => {
        failed ??= drawingFailure(error);
      })
      .finally(() => void pending.shift());
    pending.push(settled);
  };
  /** Removes the unfinished file. Never rejects. */
  const discard = async () => {
    await worker.ask('discard').catch(() => undefined);
    await worker.end();
    // A worker that ended by itself did not remove the file.
    await rm(temporary, { force: true }).catch(() => undefined);
  };
  track(worker.ask('begin', temporary, options));
  return {
    draw: (steps: readonly PdfStep[]) => track(worker.ask('draw', steps)),
    /** Resolves when at most two batches wait to be drawn. Rejects as `finish`. */
    room: async () => {
      while (pending.length > batchesAhead) await pending[0];
      if (failed) throw failed;
    },
    /**
     * Answers the path of the PDF. Rejects with storage-full, file-unreadable (target-not-writable, target-exists), or bug if drawing failed or the worker
     * ended; then the file is removed.
     */
    finish: async () => {
      try {
        await Promise.all(pending);
        if (failed) throw failed;
        await worker.ask('finish').catch((error: unknown) => {
          throw drawingFailure(error);
        });
        await worker.end();
        return await placeAndSync(temporary, target);
      } catch (error) {
        await discard();
        throw error;
      }
    },
    discard,
  };
}

async function placeAndSync(temporary: string, target: Target): Promise<string> {
  const path = await placeFile(temporary, target).catch((error: unknown) => {
    throw toWriteError(error);
  });
  await syncFolder(dirname(path));
  return path;
}

/** The message of a foreign error stays out of the note: it may hold words of the document. */
function drawingFailure(error: unknown): AppError {
  if (failureOf(error)) return error as AppError;
  return appError('bug', `drawing the PDF failed: ${error instanceof Error ? error.name : typeof error}`);
}
