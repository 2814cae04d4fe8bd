/**
 * The program's own scheme and host: standard and secure, so that the page has a real origin that nothing else can
 * have.
 */
export const pageScheme = 'app';
export const pageOrigin = `${pageScheme}://sealdesk`;
/** The only document that a window loads. */
export const pageUrl = `${pageOrigin}/index.html`;

/**
 * True for addresses at exactly the program's own origin. Compared as text, because URL parsers give custom schemes
 * an opaque origin (`null`) and do not change the host's case: any other spelling is refused.
 */
export function isPageOrigin(address: string): boolean {
  return address === pageOrigin || address.startsWith(`${pageOrigin}/`);
}

/** The part of a sender that is checked: Electron's WebFrameMain, or null if the frame no longer exists. */
export interface SenderFrame {
  readonly url: string;
  readonly parent: unknown;
}

/** Checks a sender: true only for the top frame at exactly the program's own origin. */
export function isTrustedSender(frame: SenderFrame | null | undefined): boolean {
  return frame !== null && frame !== undefined && frame.parent === null && isPageOrigin(frame.url);
}

/** True for the page itself, with or without a fragment: the only address it may navigate to (a reload). */
export function isPageItself(address: string): boolean {
  return address === pageUrl || address.startsWith(`${pageUrl}#`);
}

/**
 * The origin of the PDF viewer. It has its own origin, so that the browser engine gives it its own process, which
 * cannot reach the page.
 */
export const viewerOrigin = `${pageScheme}://viewer`;
const viewerUrl = `${viewerOrigin}/index.html`;

/** True for addresses at exactly the viewer's origin. */
export function isViewerOrigin(address: string): boolean {
  return address === viewerOrigin || address.startsWith(`${viewerOrigin}/`);
}

/** True for the viewer's only document, with a fragment that says what to show. */
export function isViewerItself(address: string): boolean {
  return address === viewerUrl || address.startsWith(`${viewerUrl}#`);
}
