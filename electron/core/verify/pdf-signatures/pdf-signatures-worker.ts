import { serveWorker } from '../../foundation/worker-channel.ts';
import { describeFile } from './answer/describe-file.ts';
import type { FileAnswer } from './answer/file-answer.ts';
import { openDescriptor } from './answer/open-descriptor.ts';
import { indexSigners, type KnownSigners, nobody } from './trust/known-signers.ts';

let known = indexSigners(nobody);

/** Reads bytes that anybody may have made. It imports nothing that opens a file or a connection (test/unit/verify/pdf-signatures-worker.test.ts): it gets the descriptor of one open file and answers with a verdict, which is checked for its size where it arrives. */
const actions = {
  /** Whom this computer knows, for the files that follow. */
  know(signers: KnownSigners): void {
    known = indexSigners(signers);
  },
  describe(descriptor: number, password: string | null): Promise<FileAnswer> {
    return describeFile(openDescriptor(descriptor), known, password ?? '');
  },
};

export type PdfSignatureActions = typeof actions;

serveWorker(actions);
