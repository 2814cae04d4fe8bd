import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { syncFile } from '../../files/atomic-write.ts';
import { toWriteError } from '../../foundation/fs-errors.ts';

/** Begins a document in the file `temporary`, which must not exist. */
export function openPdfFile(temporary: string, options: PDFKit.PDFDocumentOptions) {
  const document = new PDFDocument(options);
  const sink = createWriteStream(temporary, { flags: 'wx' });
  let failed: unknown = null;
  sink.on('error', (error) => {
    failed ??= error;
    // Without a reader the document would wait for ever.
    document.unpipe(sink);
    document.resume();
  });
  document.pipe(sink);
  const assertWritable = () => {
    if (failed !== null) throw toWriteError(failed);
  };
  /** Removes the file. Never rejects. */
  const discard = async () => {
    document.unpipe(sink);
    document.resume();
    // The file may not be created yet: it can only be removed once the stream is closed.
    const closed = sink.closed ? null : new Promise<void>((resolve) => sink.once('close', () => resolve()));
    sink.destroy();
    await closed;
    await rm(temporary, { force: true }).catch(() => undefined);
  };
  return {
    document,
    /** Waits for the disk. Rejects with storage-full or file-unreadable (target-not-writable). */
    settle: async () => {
      await nextTurn();
      while (sink.writableNeedDrain && failed === null) await nextTurn();
      assertWritable();
    },
    /** Ends the document and syncs the file, which is then complete. Rejects as `settle`; then the file is removed. */
    finish: async () => {
      try {
        document.end();
        await finished(sink);
        assertWritable();
        await syncFile(temporary);
      } catch (error) {
        await discard();
        throw toWriteError(error);
      }
    },
    discard,
  };
}
