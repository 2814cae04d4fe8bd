/** Where decoded bytes go. */
export interface ByteSink {
  buffer: Buffer;
  /** Where the next byte goes. The scanner moves it. */
  at: number;
  /** Makes room for `bytes` behind `at`; may put another buffer in place. */
  reserve(bytes: number): void;
}

/** Takes a document as it comes, without keeping it whole. */
export interface DocumentSink extends ByteSink {
  /** Resolves when it can take more; undefined while it can. Throws or rejects where it cannot go on. */
  settle(): Promise<void> | undefined;
  /** Bytes of the document so far. */
  readonly sizeBytes: number;
}
