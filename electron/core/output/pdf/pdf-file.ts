import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { writeFailure } from '../../files/target-file.ts';

/** A document on its way into a temporary file. */
export interface PdfFile {
  readonly document: PDFKit.PDFDocument;
  /** Waits for the disk. Rejects with storage-full or file-unreadable (target-not-writable). */
  settle(): Promise<void>;
  /** Ends the document, fsync: the file is whole. Rejects as `settle`; nothing stays then. */
  finish(): Promise<void>;
  /** Removes what there is of it. Never rejects. */
  discard(): Promise<void>;
}

/** Writes into `temporary`, which must not be there yet. */
export function openPdfFile(temporary: string, options: PDFKit.PDFDocumentOptions): PdfFile {
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
    if (trouble !== null) throw writeFailure(trouble);
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
      } catch (error) {
        await discard();
        throw writeFailure(error);
      }
    },
    discard,
  };
}
