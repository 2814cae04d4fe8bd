import type { FileAnswer } from './file-answer.ts';

/** A file that is open for reading; it is read synchronously, in a thread that may wait. */
export interface OpenFile {
  readonly size: number;
  /** Fills the target from this position; the file has as many bytes there. */
  readonly readInto: (target: Uint8Array, position: number) => void;
}

export interface DescribeOptions {
  /** For a file that is encrypted; without one, only what the empty password opens is read. */
  readonly password?: string;
}

/** What a file itself proves about its signatures. Rejects only where the file cannot be read; whatever is wrong with it as a PDF is in the answer. */
export async function describeFile(_file: OpenFile, _options: DescribeOptions = {}): Promise<FileAnswer> {
  return {
    verdict: 'undecidable',
    reason: 'The structure of the file is not read yet.',
    signatures: [],
    revisionEnds: null,
    prefixes: [],
    changedPages: [],
    needsPassword: false,
  };
}
