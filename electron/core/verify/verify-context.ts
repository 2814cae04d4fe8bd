import type { Context } from '../context.ts';
import type { ReceivedFiles } from '../files/received-files.ts';
import type { PdfSignatureReader } from './pdf-signatures/pdf-signatures-client.ts';

/** The services that verification uses. */
export interface VerifyContext extends Context {
  readonly signatures: PdfSignatureReader;
  /** For a file of the program's own that is needed for one call. */
  readonly arrivals: Pick<ReceivedFiles, 'take'>;
}
