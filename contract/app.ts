import { z } from 'zod';
import { call, event } from './call.ts';

export const preferences = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** BCP 47 tag of the interface's language, or `system`. */
  language: z.string().max(35).default('system'),
  /** Desktop notifications about signature requests and reminders. */
  notifications: z.boolean().default(true),
});
export type Preferences = z.output<typeof preferences>;

/**
 * A problem outside of any call that must not be hidden. Settings file damaged; database set aside (published at each start of a host without a
 * window); database older than it was: requests that it did not know of are in doubt (incomplete), or any request may be missing in it, so all jobs
 * are held (restored).
 */
export interface Notice {
  readonly id: string;
  readonly kind:
    | 'settings-set-aside'
    | 'database-set-aside'
    | 'database-incomplete'
    | 'database-restored'
    | 'keychain-unavailable'
    | 'sending-held';
  /** Name of the file that was set aside, without its folder. */
  readonly fileName: string | null;
}

export interface AppInfo {
  readonly version: string;
  readonly host: 'desktop' | 'preview' | 'command-line';
  readonly preferences: Preferences;
  readonly notices: readonly Notice[];
}

export const app = {
  'app.info': call(z.strictObject({})).answers<AppInfo>(),
  'app.setPreferences': call(preferences).answers<null>(),
  'app.dismissNotice': call(z.strictObject({ id: z.string().max(64) })).answers<null>(),
};

export const appEvents = {
  'app.changed': event<AppInfo>(),
};
