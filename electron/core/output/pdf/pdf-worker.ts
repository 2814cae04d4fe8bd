import { parentPort, workerData } from 'node:worker_threads';
import { appError, failureOf } from '../../foundation/app-error.ts';
import type { FromPdfWorker, PdfWorkerStart, ToPdfWorker } from './pdf-messages.ts';
import { writePdf } from './pdf-writing.ts';

// The thread that writes one PDF: draws batch after batch in the order in which they come, then ends by itself.
const port = parentPort;
if (!port) throw new Error('this file is a thread of the program');
const { temporary, options } = workerData as PdfWorkerStart;
const tell = (message: FromPdfWorker) => port.postMessage(message);
const writing = writePdf(temporary, options);

let order: Promise<void> = Promise.resolve();
port.on('message', (message: ToPdfWorker) => {
  order = order.then(() => carryOut(message)).catch(fail);
});

async function carryOut(message: ToPdfWorker): Promise<void> {
  if (message === 'finish') {
    await writing.finish();
    end('finished');
  } else if (message === 'discard') {
    await writing.discard();
    end('discarded');
  } else {
    for (const step of message.draw) writing.draw(step);
    await writing.settle();
    tell('drawn');
  }
}

async function fail(error: unknown): Promise<void> {
  await writing.discard();
  end({ failed: failureOf(error) ?? appError('bug', `drawing the PDF failed: ${nameOf(error)}`).failure });
}

function end(message: FromPdfWorker): void {
  tell(message);
  port?.close();
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
