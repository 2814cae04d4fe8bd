import { nativeTheme, session, shell } from 'electron';
import type { AppInfo, Preferences } from '../../../contract/app.ts';
import type { Core } from '../../core/core.ts';
import { appError } from '../../core/foundation/app-error.ts';
import type { Desktop, Network } from '../../core/foundation/ports.ts';

/** The only module that uses Electron's shell. */
export function createDesktop(): Desktop {
  return {
    async showInFolder(path) {
      shell.showItemInFolder(path);
    },
    async openInBrowser(url) {
      const address = browserAddress(url);
      if (address === null) throw appError('bad-input', 'only https and mailto addresses are opened');
      await shell.openExternal(address);
    },
    async openFile(path) {
      const trouble = await shell.openPath(path);
      if (trouble !== '') throw appError('file-unreadable', 'no program opened the file', { retryable: true });
    },
  };
}

/**
 * Returns the address in the form that may be given to the system's browser or mail program, or null. Only https and
 * mailto without user or password are allowed: anything else (file:, javascript:, custom schemes of other programs)
 * could run a program.
 */
export function browserAddress(text: string): string | null {
  if (text.length > 2000 || /[\s\u0000-\u001F\u007F]/.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'mailto:')) return null;
  return url.username === '' && url.password === '' ? url.href : null;
}

/** The system's proxy settings, PAC files included, as the browser engine reads them. They have a session of their own: the window's leads nowhere. */
export function createNetwork(): Network {
  const asking = session.fromPartition('network', { cache: false });
  return { resolveProxy: (url) => asking.resolveProxy(url) };
}

/**
 * Applies the person's preferences outside of the page: the colour scheme of menus, dialogs and page, and by `apply`
 * the others. Resolves when the first values are applied.
 */
export async function followPreferences(core: Core, apply: (preferences: Preferences) => Promise<void>): Promise<void> {
  const follow = async (value: unknown) => {
    // Both values come from the core, and the contract gives both the type AppInfo.
    const { preferences } = value as AppInfo;
    // High contrast is the page's own: the system's menus and dialogs have theirs.
    nativeTheme.themeSource = preferences.theme === 'contrast' ? 'system' : preferences.theme;
    await apply(preferences);
  };
  core.onEvent((name, value) => {
    if (name === 'app.changed') void follow(value);
  });
  const info = await core.call('app.info', {});
  if (info.ok) await follow(info.value);
}
