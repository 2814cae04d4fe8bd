import { answerFile, fileBelow, type PageReach, pagePolicy } from '../host-kit/built-page.ts';
import { isPageOrigin, pageOrigin, viewerOrigin } from './trusted-url.ts';

/** No connection to anywhere, no frame but the viewer's. */
const reach: PageReach = { connect: "'none'", frame: `${viewerOrigin}/` };

/**
 * The file below `folder` that an address names, or null: foreign origin, query, anything that is not a plain
 * path, or a kind of file that the page has no use for.
 */
export function pageFile(folder: string, address: string): string | null {
  if (!isPageOrigin(address)) return null;
  return fileBelow(folder, address.slice(pageOrigin.length + 1).replace(/#.*$/s, '') || 'index.html');
}

export function contentSecurityPolicy(nonce: string): string {
  return pagePolicy(nonce, reach);
}

/** Answers a request of the page's scheme from the files in `folder`. Never rejects: what cannot be served is a 404. */
export async function answerPageRequest(folder: string, method: string, address: string): Promise<Response> {
  const { status, headers, body } = await answerFile(method === 'GET' ? pageFile(folder, address) : null, reach);
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers });
}
