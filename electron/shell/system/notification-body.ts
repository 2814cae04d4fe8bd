import { askSessionBus } from './session-bus.ts';

let readsMarkup: Promise<boolean> | null = null;

/**
 * A notification's body as the system shows the text. On Linux the programs that show notifications may read markup in it, links included, and Electron passes texts on
 * as they are: names of documents and people come from outside. Never rejects.
 */
export async function notificationBody(
  text: string,
  platform: NodeJS.Platform = process.platform,
  asksMarkup: () => Promise<boolean> = whetherMarkupIsRead,
): Promise<string> {
  if (platform !== 'linux' || !/[&<>"']/.test(text)) return text;
  return (await asksMarkup()) ? withoutMarkup(text) : text;
}

/** Asked once for a run. Without an answer markup counts as read: an `&amp;` is ugly, a foreign link is worse. */
function whetherMarkupIsRead(): Promise<boolean> {
  readsMarkup ??= askSessionBus({
    program: 'org.freedesktop.Notifications',
    path: '/org/freedesktop/Notifications',
    interface: 'org.freedesktop.Notifications',
    method: 'GetCapabilities',
  }).then((answer) => answer === null || /\bbody-(markup|hyperlinks|images)\b/.test(answer));
  return readsMarkup;
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function withoutMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => references[sign] ?? sign);
}
