import { answerFile, fileBelow, type PageAnswer, type PageReach } from '../host-kit/built-page.ts';
import { isPageOrigin, pageOrigin, viewerOrigin } from './trusted-url.ts';

/** No connections, and no frame except the viewer's. */
const reach: PageReach = { connect: "'none'", frame: `${viewerOrigin}/` };

/**
 * The file below `folder` for an address. Null for a foreign origin, a query, a path with other than plain segments,
 * or a kind of file that the page does not use.
 */
export function pageFile(folder: string, address: string): string | null {
  if (!isPageOrigin(address)) return null;
  return fileBelow(folder, address.slice(pageOrigin.length + 1).replace(/#.*$/s, '') || 'index.html');
}

/** Answers a request for the page's scheme from the files in `folder`. Never rejects: a file that cannot be served is a 404. */
export const answerPageRequest = (folder: string, method: string, address: string): Promise<PageAnswer> =>
  answerFile(method === 'GET' ? pageFile(folder, address) : null, reach);
