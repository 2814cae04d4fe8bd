import { nativeTheme } from 'electron';
import type { AppInfo } from '../../contract/app.ts';
import type { Core } from '../core/core.ts';

/** Keeps menus, dialogs and the page's colour scheme at what the person prefers. Resolves once the first value is applied. */
export async function followTheme(core: Core): Promise<void> {
  const apply = (value: unknown) => {
    // Both come from the core, whose types the contract fixes: AppInfo in either case.
    nativeTheme.themeSource = (value as AppInfo).preferences.theme;
  };
  core.onEvent((name, value) => {
    if (name === 'app.changed') apply(value);
  });
  const info = await core.call('app.info', {});
  if (info.ok) apply(info.value);
}
