import { nativeTheme } from 'electron';
import type { AppInfo, Preferences } from '../../../contract/app.ts';
import type { Core } from '../../core/core.ts';

/**
 * Keeps what is outside of the page at what the person prefers: the colour scheme of menus, dialogs and the page, and by `apply` the rest. Resolves
 * once the first values are applied.
 */
export async function followPreferences(core: Core, apply: (preferences: Preferences) => void): Promise<void> {
  const follow = (value: unknown) => {
    // Both come from the core, whose types the contract fixes: AppInfo in either case.
    const { preferences } = value as AppInfo;
    nativeTheme.themeSource = preferences.theme;
    apply(preferences);
  };
  core.onEvent((name, value) => {
    if (name === 'app.changed') follow(value);
  });
  const info = await core.call('app.info', {});
  if (info.ok) follow(info.value);
}
