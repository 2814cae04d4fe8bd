import type { AppInfo } from '../../../contract/app.ts';
import type { Handlers } from '../../../contract/index.ts';
import type { Notices } from './notices.ts';
import type { SettingsFile } from './settings-file.ts';

interface Needs {
  readonly info: () => AppInfo;
  readonly settings: SettingsFile;
  readonly notices: Notices;
  /** Emits `app.changed`. */
  readonly changed: () => void;
}

/** Calls about the program itself: version, preferences, notices. */
export function appCalls({
  info,
  settings,
  notices,
  changed,
}: Needs): Pick<Handlers, 'app.info' | 'app.setPreferences' | 'app.dismissNotice'> {
  return {
    'app.info': async () => info(),
    'app.setPreferences': async (preferences) => {
      await settings.change({ preferences });
      changed();
      return null;
    },
    'app.dismissNotice': async ({ id }) => {
      notices.dismiss(id);
      return null;
    },
  };
}
