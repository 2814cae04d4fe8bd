import { getDocument, PDFDataRangeTransport, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import address from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import type { ViewerCommand, ViewerMessage, ViewerOptions } from './messages.ts';
import { type Pages, showPages } from './pages.ts';

/*
 * The viewer: a sandboxed frame of the window with its own origin and process. It shows one PDF as images of its pages and sends a few numbers to the
 * window. Nothing in a PDF is run: no scripts, no forms, no links, no attachments.
 */

const pageOrigin = 'app://sealdesk';
/** Time after which opening a file is given up, in milliseconds. */
const openMs = 30_000;
const aliveEveryMs = 1_000;
/** Larger images in a PDF are not rendered. */
const mostImagePixels = 64_000_000;

const send = (message: ViewerMessage) => window.parent.postMessage(message, pageOrigin);
const options = JSON.parse(decodeURIComponent(location.hash.slice(1))) as ViewerOptions;

document.documentElement.lang = options.language;
document.documentElement.dir = options.direction;
if (options.theme !== 'system') document.documentElement.dataset.theme = options.theme;
setInterval(() => send({ kind: 'alive' }), aliveEveryMs);
window.addEventListener('keydown', (event) => event.key === 'Escape' && send({ kind: 'escape' }));
void open();

async function open(): Promise<void> {
  const worker = PDFWorker.create({ port: startReader() });
  const task = getDocument({
    worker,
    range: rangesOf(options.token, options.sizeBytes, () => send({ kind: 'failed', why: 'gone' })),
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
    send({ kind: 'failed', why: 'broken' });
  };
  try {
    const file = await task.promise;
    const root = document.getElementById('pages');
    if (!root || file.numPages < 1) return giveUp();
    send({ kind: 'ready', pages: file.numPages });
    followCommands(showPages(file, root, options, send), file.numPages);
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    send({ kind: 'failed', why: isLocked ? 'password' : 'broken' });
  } finally {
    clearTimeout(late);
  }
}

function followCommands(pages: Pages, count: number): void {
  window.addEventListener('message', (event: MessageEvent<ViewerCommand>) => {
    if (event.source !== window.parent || event.origin !== pageOrigin) return;
    if (event.data.command === 'page') pages.show(Math.max(1, Math.min(count, event.data.page)));
    if (event.data.command === 'zoom') pages.zoom(event.data.zoom);
  });
}

/** Below the size limit of one response (electron/shell/page-files.ts), in bytes. */
const partBytes = 4 * 1024 * 1024;

/** Reads a file in the ranges that pdf.js requests. Calls `lost` when the bytes can no longer be read. */
function rangesOf(token: string, sizeBytes: number, lost: () => void): PDFDataRangeTransport {
  const transport = new PDFDataRangeTransport(sizeBytes, null);
  const stopping = new AbortController();
  transport.requestDataRange = (begin: number, end: number) => {
    readRange(token, begin, Math.min(end, sizeBytes), stopping.signal).then(
      (bytes) => transport.onDataRange(begin, bytes),
      () => (stopping.signal.aborted ? undefined : lost()),
    );
  };
  transport.abort = () => stopping.abort();
  return transport;
}

async function readRange(token: string, begin: number, end: number, signal: AbortSignal): Promise<Uint8Array> {
  const whole = new Uint8Array(end - begin);
  for (let at = begin; at < end; at += partBytes) {
    const to = Math.min(end, at + partBytes);
    const answer = await fetch(`bytes/${token}`, { headers: { Range: `bytes=${at}-${to - 1}` }, signal });
    const part = new Uint8Array(await answer.arrayBuffer());
    if (answer.status !== 206 || part.length !== to - at) throw new Error('the bytes are not there');
    whole.set(part, at - begin);
  }
  return whole;
}

interface TrustedTypes {
  createPolicy(
    name: 'viewer-worker',
    rules: { readonly createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): URL };
}

/**
 * Starts the worker that reads PDFs. The viewer's policy demands a trusted address for that, and allows one policy that can make some: this one, of this
 * one address.
 */
function startReader(): Worker {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };
  const trusted = trustedTypes?.createPolicy('viewer-worker', { createScriptURL: () => address });
  return new Worker(trusted?.createScriptURL('') ?? address, { type: 'module' });
}
