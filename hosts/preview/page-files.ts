import { answerFile, fileBelow, type PageAnswer, type PageReach } from '../../electron/host-kit/built-page.ts';

export interface PageFolders {
  /** Folder of the built window. */
  readonly renderer: string;
  /** Path of the script that replaces the desktop's preload. */
  readonly bridgeScript: string;
}

/** As strict as the desktop's policy, except that the page may connect to its own address. */
const reach: PageReach = { connect: "'self'", frame: "'none'" };

/**
 * Answers a request for a file of the page, given the raw path of its address. Never rejects: a file that cannot be
 * served is a 404.
 */
export async function answerPage(folders: PageFolders, rawPath: string): Promise<PageAnswer> {
  if (rawPath === '/bridge.js') return answerFile(folders.bridgeScript, reach);
  const answer = await answerFile(fileBelow(folders.renderer, rawPath.slice(1) || 'index.html'), reach);
  return typeof answer.body === 'string' && answer.status === 200
    ? { ...answer, body: withBridge(answer.body) }
    : answer;
}

/** Loads the bridge before the window's own script, as the preload is on the desktop. */
function withBridge(html: string): string {
  return html.replace(/<head[^>]*>/, '$&<script src="/bridge.js"></script>');
}
