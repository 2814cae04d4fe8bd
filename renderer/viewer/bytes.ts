import { PDFDataRangeTransport } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Below the size limit of one response (electron/shell/viewer-files.ts), in bytes. */
const partBytes = 4 * 1024 * 1024;

/** Reads a file in the ranges that pdf.js requests. Calls `lost` when the bytes can no longer be read. */
export function rangesOf(token: string, sizeBytes: number, lost: () => void): PDFDataRangeTransport {
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
