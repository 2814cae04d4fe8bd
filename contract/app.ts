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
 * Something that went wrong outside of any call and must not be swallowed: a damaged settings file, a set-aside database (told at each start of a host
 * without a window), a database that came back older than it was (what it did not know of is in doubt: incomplete; anything may be unknown to
 * it, so everything is held: restored).
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
  /** File name of what was set aside, without its folder. */
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
