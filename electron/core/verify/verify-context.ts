import type { Context } from '../context.ts';
import type { PdfSignatureReader } from './pdf-signatures/pdf-signatures-client.ts';

/** The services that verification uses. */
export interface VerifyContext extends Context {
  readonly signatures: PdfSignatureReader;
}
