import { app, protocol, type Session, session, type WebContents } from 'electron';
import { answerPageRequest } from './page-files.ts';
import { isPageItself, isPageOrigin, isViewerItself, isViewerOrigin, pageScheme } from './trusted-url.ts';
import { answerViewerRequest, type FindBytes } from './viewer-files.ts';

/**
 * What must be said before the app is ready: every page in the sandbox, our scheme standard and secure, and no page, whoever
 * makes it, may leave, open windows, hold guests or ask for more.
 */
export function lockDownApp(): void {
  // Whoever starts the program as root or in a container has to say --no-sandbox; windows then still get the sandbox's
  // rules (no Node in page or preload), and saying both would only make the engine's processes end at once.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    {
      scheme: pageScheme,
      // Fetching is what the viewer reads its PDF by; the page's own policy allows it no connection.
      privileges: { standard: true, secure: true, codeCache: true, supportFetchAPI: true, stream: true },
    },
  ]);
  app.on('web-contents-created', (_event, contents) => lockDownPage(contents));
  // No page of ours needs a sign-in or a certificate of the browser engine: the SOAP client does its own.
  app.on('login', (event) => event.preventDefault());
  app.on('select-client-certificate', (event) => event.preventDefault());
}

function lockDownPage(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // Covers the top frame and every frame in it, whether a link, a form, a script or a reload wants to go somewhere.
  contents.on('will-frame-navigate', (event) => {
    const isOwn = event.isMainFrame ? isPageItself(event.url) : isViewerItself(event.url);
    if (!isOwn) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
}

/** The window's session: in memory only, so nothing that a page stores, caches or is asked for lands on the disk. */
export function lockedSession(folders: { readonly page: string; readonly viewer: string }, find: FindBytes): Session {
  const locked = session.fromPartition('window', { cache: false });
  locked.protocol.handle(pageScheme, (request) =>
    isViewerOrigin(request.url)
      ? answerViewerRequest(folders.viewer, find, request)
      : answerPageRequest(folders.page, request.method, request.url),
  );
  // A second wall behind the content security policy: it also holds where the policy says nothing (prefetch, pings).
  locked.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !mayLoad(details.url) }));
  locked.setPermissionRequestHandler((contents, permission, answer) => answer(mayCopy(permission, contents.getURL())));
  locked.setPermissionCheckHandler((_contents, permission, origin) => mayCopy(permission, origin));
  locked.setDevicePermissionHandler(() => false);
  locked.on('will-download', (event) => event.preventDefault());
  // The dictionaries would come from the network.
  locked.setSpellCheckerEnabled(false);
  return locked;
}

/** Developer tools load themselves by their own scheme; in installed programs they are off (window.ts). */
function mayLoad(address: string): boolean {
  if (isPageOrigin(address) || isViewerOrigin(address)) return true;
  if (address.startsWith(`blob:${pageScheme}:`) || address.startsWith('data:')) return true;
  return !app.isPackaged && address.startsWith('devtools:');
}

/** The one permission: putting text on the clipboard after a click (copy ID). Reading it is not in it. */
function mayCopy(permission: string, origin: string): boolean {
  return permission === 'clipboard-sanitized-write' && isPageOrigin(origin);
}
