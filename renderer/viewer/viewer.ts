import { getDocument, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { rangesOf } from './bytes.ts';
import type { Order, ViewerMessage, Wish } from './messages.ts';
import { type Pages, showPages } from './pages.ts';

/*
 * The viewer: an origin and a process of its own, in a sandboxed frame of the window. It holds one PDF, draws pictures of its pages and tells the
 * window three numbers. Nothing in a PDF is run: no scripts, no forms, no links, no attachments.
 */

const pageOrigin = 'app://sealdesk';
/** A file whose structure takes longer is given up. */
const openMs = 30_000;
const aliveEveryMs = 1_000;
/** Larger pictures in a PDF are left out. */
const mostImagePixels = 64_000_000;

const tell = (told: ViewerMessage) => window.parent.postMessage(told, pageOrigin);
const order = JSON.parse(decodeURIComponent(location.hash.slice(1))) as Order;

document.documentElement.lang = order.language;
if (order.theme !== 'system') document.documentElement.dataset.theme = order.theme;
setInterval(() => tell({ told: 'alive' }), aliveEveryMs);
window.addEventListener('keydown', (event) => event.key === 'Escape' && tell({ told: 'escape' }));
void open();

async function open(): Promise<void> {
  const worker = PDFWorker.create({ port: new Worker(workerUrl, { type: 'module' }) });
  const task = getDocument({
    worker,
    range: rangesOf(order.token, order.sizeBytes, () => tell({ told: 'failed', why: 'gone' })),
    rangeChunkSize: 256 * 1024,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    useWasm: false,
    useWorkerFetch: true,
    maxImageSize: mostImagePixels,
    cMapUrl: new URL('pdf/cmaps/', location.href).href,
    standardFontDataUrl: new URL('pdf/standard_fonts/', location.href).href,
    wasmUrl: new URL('pdf/wasm/', location.href).href,
  });
  const late = setTimeout(() => giveUp(), openMs);
  const giveUp = () => {
    worker.destroy();
    tell({ told: 'failed', why: 'broken' });
  };
  try {
    const file = await task.promise;
    const root = document.getElementById('pages');
    if (!root || file.numPages < 1) return giveUp();
    tell({ told: 'ready', pages: file.numPages });
    obey(
      showPages(file, root, order, (page) => tell({ told: 'page', page })),
      file.numPages,
    );
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    tell({ told: 'failed', why: isLocked ? 'password' : 'broken' });
  } finally {
    clearTimeout(late);
  }
}

function obey(pages: Pages, count: number): void {
  window.addEventListener('message', (event: MessageEvent<Wish>) => {
    if (event.source !== window.parent || event.origin !== pageOrigin) return;
    if (event.data.wish === 'page') pages.show(Math.max(1, Math.min(count, event.data.page)));
    if (event.data.wish === 'zoom') pages.zoom(event.data.zoom);
  });
}
