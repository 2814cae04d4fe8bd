import { z } from 'zod';
import { event, repeatable } from './call.ts';
import type { LogState } from './diagnostics.ts';
import { type PolicyState, preferenceTable, type SettingValue } from './settings.ts';
import type { MenuShortcut } from './shortcuts.ts';

type PreferenceTable = typeof preferenceTable;
const preferenceSchemas = Object.fromEntries(
  Object.entries(preferenceTable).map(([name, { schema }]) => [name, schema]),
) as { readonly [N in keyof PreferenceTable]: PreferenceTable[N]['schema'] };

const chosen = z.strictObject(preferenceSchemas).partial();

/** What a person chose, as it is stored: the rest is left to policy and program. What only a newer version knows is let through. */
export const storedPreferences = chosen.loose();

export type Preferences = { readonly [N in keyof PreferenceTable]: SettingValue<N> };
export type ChosenPreferences = Partial<Preferences>;

/** The preferences of a new installation. */
export const defaultPreferences = Object.fromEntries(
  Object.entries(preferenceTable).map(([name, { builtIn }]) => [name, builtIn]),
) as unknown as Preferences;

/** What put the program on this computer, and therefore what updates it. */
export type Installation =
  | 'windows-installer'
  | 'windows-msi'
  | 'disk-image'
  | 'appimage'
  | 'package'
  | 'folder'
  | 'source';

/**
 * A problem outside of any call that must not be hidden. Settings file damaged; database set aside (published at each start of a host without a
 * window); database older than it was: requests that it did not know of are in doubt (incomplete), or any request may be missing in it, so all jobs
 * are held (restored). Sandbox off: the installed program was started without the browser engine's own protection. Ended unexpectedly: the program or
 * its window, without being asked to. Update ready: it is installed when the program ends; update failed: it was not (both name the version).
 * Reply renamed: the only element of a reply was read as its result although it has another name; reply characters: some that XML forbids were replaced in a reply
 * (both name connection and operation).
 */
export interface Notice {
  readonly id: string;
  readonly kind:
    | 'settings-set-aside'
    | 'database-set-aside'
    | 'database-incomplete'
    | 'database-restored'
    | 'keychain-unavailable'
    | 'sending-held'
    | 'policy-broken'
    | 'sandbox-off'
    | 'update-ready'
    | 'update-failed'
    | 'reply-renamed'
    | 'reply-characters'
    | 'reply-surplus'
    | 'ended-unexpectedly';
  /** Name of the file that was set aside, without its folder; the version of an update; connection, operation and element of a reply. */
  readonly fileName: string | null;
}

export interface AppInfo {
  readonly version: string;
  readonly host: 'desktop' | 'preview' | 'command-line';
  readonly installation: Installation;
  /** False if the system shows no icons of programs in a tray, and until that is known. */
  readonly hasTray: boolean;
  readonly preferences: Preferences;
  readonly policy: PolicyState;
  readonly log: LogState;
  readonly notices: readonly Notice[];
}

/** A library or font in the program that somebody else has made. */
export interface LibraryLicence {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  readonly text: string;
}

/** What Help opens: the guide at the screen in use, the shortcuts, the tour through the practice service, or what the program is made of. */
export const helpTopics = ['guide', 'shortcuts', 'tour', 'about'] as const;
export type HelpTopic = (typeof helpTopics)[number];

export const app = {
  'app.info': repeatable(() => ({})).answers<AppInfo>(),
  /** Changes the given preferences and keeps the others. Rejects with bad-input (managed) for one that a policy sets. */
  'app.setPreferences': repeatable(() => chosen).answers<null>(),
  /** Forgets what the person chose of the preferences and the limits of automatic calls. */
  'app.resetPreferences': repeatable(() => ({})).answers<null>(),
  /** True at the first call of an installation only: then the window offers its tour. */
  'app.offerTour': repeatable(() => ({})).answers<boolean>(),
  /** The libraries and fonts in the program, by name. Fails with `storage-unusable` in a program that is not built. */
  'app.licences': repeatable(() => ({})).answers<readonly LibraryLicence[]>(),
  'app.dismissNotice': repeatable(() => ({ id: z.string().max(64) })).answers<null>(),
};

export const appEvents = {
  'app.changed': event<AppInfo>(),
  /** A person chose an entry of the desktop's Help menu. */
  'app.helpWanted': event<{ readonly topic: HelpTopic }>(),
  /** A person chose an entry of the desktop's menu that the window carries out. */
  'app.shortcutWanted': event<{ readonly id: MenuShortcut }>(),
};
