import address from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

interface TrustedTypes {
  createPolicy(
    name: 'viewer-worker',
    rules: { readonly createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): URL };
}

/**
 * Starts the worker that reads PDFs. The viewer's policy demands a trusted address for that, and allows one policy that can make some: this one, of this
 * one address.
 */
export function startReader(): Worker {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };
  const trusted = trustedTypes?.createPolicy('viewer-worker', { createScriptURL: () => address });
  return new Worker(trusted?.createScriptURL('') ?? address, { type: 'module' });
}
