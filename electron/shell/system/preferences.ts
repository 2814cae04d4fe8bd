import { nativeTheme } from 'electron';
import type { AppInfo, Preferences } from '../../../contract/app.ts';
import type { Core } from '../../core/core.ts';

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
