import { digestOf } from '../../electron/core/verify/pdf-signatures/cms/digests.ts';
import type { SignatureBytes } from '../../electron/core/verify/pdf-signatures/cms/prove-signature.ts';

/** Of a file that is all covered, but for the gap with this signature of it. */
export function signatureOf(
  contents: Uint8Array,
  covered: Uint8Array,
  subFilter = 'adbe.pkcs7.detached',
): SignatureBytes {
  return { subFilter, contents, covered: { digest: (name) => digestOf(name, [covered]) } };
}
