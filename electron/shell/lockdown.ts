import { app, protocol, type Session, session, type WebContents } from 'electron';
import { answerPageRequest, answerViewerRequest, type FindBytes } from './page-files.ts';
import { isPageItself, isPageOrigin, isViewerItself, isViewerOrigin, pageScheme } from './trusted-url.ts';

/**
 * Settings that must be made before the app is ready: every page runs in the sandbox, the app's scheme is standard
 * and secure, and no page may navigate away, open windows, embed webviews or get permissions.
 */
export function lockDownApp(): void {
  // A person who starts the program as root or in a container must pass --no-sandbox. Windows then still follow the
  // sandbox's rules (no Node in page or preload); enabling the sandbox as well would only make the engine's processes
  // end at once.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    {
      scheme: pageScheme,
      // The viewer reads its PDF by fetch; the page's own policy allows the page no connection.
      privileges: { standard: true, secure: true, codeCache: true, supportFetchAPI: true, stream: true },
    },
  ]);
  app.on('web-contents-created', (_event, contents) => lockDownPage(contents));
  // No page needs the browser engine's sign-in or client certificates: the SOAP client has its own.
  app.on('login', (event) => event.preventDefault());
  app.on('select-client-certificate', (event) => event.preventDefault());
}

/** Where nobody answers: port 9 (discard) of this computer. The page needs no network at all. */
const nowhere = '127.0.0.1:9';

function lockDownPage(contents: WebContents): void {
  // WebRTC follows neither the content security policy nor the request filter: no UDP, and TCP only through the session's proxy.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // Covers the top frame and every frame in it, and navigation by a link, a form, a script or a reload.
  contents.on('will-frame-navigate', (event) => {
    const isOwn = event.isMainFrame ? isPageItself(event.url) : isViewerItself(event.url);
    if (!isOwn) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
}

/** The window's session, in memory only: nothing that a page stores or caches is written to disk, and nothing reaches a network. */
export async function lockedSession(
  folders: { readonly page: string; readonly viewer: string },
  find: FindBytes,
): Promise<Session> {
  const locked = session.fromPartition('window', { cache: false });
  // Not `handle`: its answers are those of fetch, and loading that keeps the page waiting for a tenth of the start.
  locked.protocol.registerBufferProtocol(pageScheme, async ({ url, method, headers }, answer) => {
    const answered = isViewerOrigin(url)
      ? answerViewerRequest(folders.viewer, find, new Request(url, { method, headers })).then(inOnePiece)
      : answerPageRequest(folders.page, method, url);
    const { status, headers: given, body } = await answered.catch(() => ({ status: 500, headers: {}, body: '' }));
    answer({ statusCode: status, headers: given, data: typeof body === 'string' ? Buffer.from(body) : body });
  });
  // A second protection behind the content security policy: it also applies where the policy does not (prefetch,
  // pings).
  locked.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !mayLoad(details.url) }));
  locked.setPermissionRequestHandler((contents, permission, answer) => answer(mayCopy(permission, contents.getURL())));
  locked.setPermissionCheckHandler((_contents, permission, origin) => mayCopy(permission, origin));
  locked.setDevicePermissionHandler(() => false);
  locked.on('will-download', (event) => event.preventDefault());
  // The spell checker would load its dictionaries from the network.
  locked.setSpellCheckerEnabled(false);
  // Addresses of this computer otherwise bypass every proxy.
  await locked.setProxy({ mode: 'fixed_servers', proxyRules: nowhere, proxyBypassRules: '<-loopback>' });
  return locked;
}

const inOnePiece = async (response: Response) => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: Buffer.from(await response.arrayBuffer()),
});

/**
 * Allows the app's own addresses. Developer tools load themselves by their own scheme; in installed programs they are
 * off (window.ts).
 */
function mayLoad(address: string): boolean {
  if (isPageOrigin(address) || isViewerOrigin(address)) return true;
  if (address.startsWith(`blob:${pageScheme}:`) || address.startsWith('data:')) return true;
  return !app.isPackaged && address.startsWith('devtools:');
}

/** The only permission: writing text to the clipboard after a click (copy ID). Reading the clipboard is not allowed. */
function mayCopy(permission: string, origin: string): boolean {
  return permission === 'clipboard-sanitized-write' && isPageOrigin(origin);
}
