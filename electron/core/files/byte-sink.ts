/** Receives decoded bytes. */
export interface ByteSink {
  buffer: Buffer;
  /** Index in `buffer` of the next byte. The scanner advances it. */
  at: number;
  /** Makes room for `bytes` after `at`; may replace `buffer`. */
  reserve(bytes: number): void;
}

/** Takes a document as it arrives, without holding it whole in memory. */
export interface DocumentSink extends ByteSink {
  /** Resolves when it can take more; undefined while it can. Throws or rejects if it failed. */
  settle(): Promise<void> | undefined;
  /** Bytes of the document so far. */
  readonly sizeBytes: number;
}
