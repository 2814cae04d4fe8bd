/** The program's own scheme and host: standard and secure, so the page has a real origin that nothing else can have. */
export const pageScheme = 'app';
export const pageOrigin = `${pageScheme}://sealdesk`;
/** The one document that is ever loaded. */
export const pageUrl = `${pageOrigin}/index.html`;

/**
 * True for addresses at exactly the program's own origin. Compared as text, because URL parsers give schemes of our own an opaque
 * origin (`null`) and leave the host's case alone: whatever is not spelled exactly so is not ours.
 */
export function isPageOrigin(address: string): boolean {
  return address === pageOrigin || address.startsWith(`${pageOrigin}/`);
}

/** The part of a sender that counts: Electron's WebFrameMain, or null once the frame is gone. */
export interface SenderFrame {
  readonly url: string;
  readonly parent: unknown;
}

/** The sender gate: only the top frame, only at exactly the program's own origin. */
export function isTrustedSender(frame: SenderFrame | null | undefined): boolean {
  return frame !== null && frame !== undefined && frame.parent === null && isPageOrigin(frame.url);
}

/** True for the page itself, with or without a fragment: what it may navigate to (a reload) and nothing else. */
export function isPageItself(address: string): boolean {
  return address === pageUrl || address.startsWith(`${pageUrl}#`);
}

/** Where PDFs are looked at: an origin of its own, so that the browser engine gives it a process of its own and the page stays out of its reach. */
export const viewerOrigin = `${pageScheme}://viewer`;
const viewerUrl = `${viewerOrigin}/index.html`;

export function isViewerOrigin(address: string): boolean {
  return address === viewerOrigin || address.startsWith(`${viewerOrigin}/`);
}

/** True for the one document of the viewer, with a fragment that says what to show. */
export function isViewerItself(address: string): boolean {
  return address === viewerUrl || address.startsWith(`${viewerUrl}#`);
}
