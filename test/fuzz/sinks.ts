import type { DocumentSink } from '../../electron/core/files/target-file.ts';

/** Takes a document and keeps nothing of it. */
export function downloadSink(): DocumentSink {
  const sink = {
    buffer: Buffer.alloc(256 * 1024),
    at: 0,
    taken: 0,
    get sizeBytes() {
      return sink.taken + sink.at;
    },
    reserve: (bytes: number) => {
      if (sink.at + bytes <= sink.buffer.length) return;
      sink.taken += sink.at;
      sink.at = 0;
      if (bytes > sink.buffer.length) sink.buffer = Buffer.alloc(bytes);
    },
    settle: () => undefined,
  };
  return sink;
}
