import type { SignatureBytes } from '../../electron/core/verify/pdf-signatures/signature-value.ts';

/** A file that is in memory and all covered, but for a gap in its middle, with this signature of it. */
export function signatureOf(
  contents: Uint8Array,
  covered: Uint8Array,
  subFilter = 'adbe.pkcs7.detached',
): SignatureBytes {
  const half = Math.floor(covered.length / 2);
  const gap = 10;
  const bytes = Buffer.concat([covered.subarray(0, half), Buffer.alloc(gap), covered.subarray(half)]);
  return {
    subFilter,
    contents,
    ranges: [
      [0, half],
      [half + gap, covered.length - half],
    ],
    file: {
      size: bytes.length,
      read: async (start, length) => bytes.subarray(start, start + length),
    },
  };
}
