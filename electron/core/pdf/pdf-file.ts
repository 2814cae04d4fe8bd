import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { failing, failureOf, shortageOf } from '../failing.ts';

/** A document on its way into a file that is there only when it is whole. */
export interface PdfFile {
  readonly document: PDFKit.PDFDocument;
  /** Waits for the disk. Rejects with storage-full or file-unreadable (target-not-writable). */
  settle(): Promise<void>;
  /** Ends the document, fsync, and puts the file in its place. Rejects as `settle`; nothing stays then. */
  finish(): Promise<void>;
  /** Removes what there is of it. Never rejects. */
  discard(): Promise<void>;
}

function targetTrouble(error: unknown): unknown {
  if (failureOf(error)) return error;
  const detail = (error as NodeJS.ErrnoException | null)?.code === 'EIO' ? 'drive-error' : 'target-not-writable';
  return shortageOf(error) ?? failing('file-unreadable', 'the target cannot be written', { detail });
}

/** Writes into `temporary`, in the same folder as `target`. */
export function openPdfFile(target: string, temporary: string, options: PDFKit.PDFDocumentOptions): PdfFile {
  const document = new PDFDocument(options);
  const sink = createWriteStream(temporary, { flags: 'wx' });
  let trouble: unknown = null;
  sink.on('error', (error) => {
    trouble ??= error;
    // Nobody reads any more: the document must not wait for that.
    document.unpipe(sink);
    document.resume();
  });
  document.pipe(sink);
  const assertWritable = () => {
    if (trouble !== null) throw targetTrouble(trouble);
  };
  const discard = async () => {
    document.unpipe(sink);
    document.resume();
    // The file may be about to be made: it can only be removed after that.
    const closed = sink.closed ? null : new Promise<void>((resolve) => sink.once('close', () => resolve()));
    sink.destroy();
    await closed;
    await rm(temporary, { force: true }).catch(() => undefined);
  };
  return {
    document,
    settle: async () => {
      await nextTurn();
      while (sink.writableNeedDrain && trouble === null) await nextTurn();
      assertWritable();
    },
    finish: async () => {
      try {
        document.end();
        await finished(sink);
        assertWritable();
        const handle = await open(temporary, 'r+');
        await handle.sync().finally(() => handle.close());
        await rename(temporary, target);
      } catch (error) {
        await discard();
        throw targetTrouble(error);
      }
    },
    discard,
  };
}
