import { z } from 'zod';
import { call, event, repeatable } from './call.ts';
import type { LogState } from './diagnostics.ts';
import { type PolicyState, preferenceTable, type SettingValue } from './settings.ts';
import type { MenuShortcut } from './shortcuts.ts';
import { localId } from './text.ts';

type PreferenceTable = typeof preferenceTable;
const preferenceSchemas = Object.fromEntries(
  Object.entries(preferenceTable).map(([name, { schema }]) => [name, schema]),
) as { readonly [N in keyof PreferenceTable]: PreferenceTable[N]['schema'] };

const chosen = z.strictObject(preferenceSchemas).partial();

/** What a person chose, as it is stored: the rest is left to policy and program. What only a newer version knows is let through. */
export const storedPreferences = chosen.loose();

export type Preferences = { readonly [N in keyof PreferenceTable]: SettingValue<N> };
export type ChosenPreferences = Partial<Preferences>;

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
 * are held (restored); an index of it was damaged, and lists may have left out rows (mended). Sandbox off: the installed program was started without the browser engine's own protection. Ended unexpectedly: the program or
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
    | 'database-mended'
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
export type HelpTopic = 'guide' | 'shortcuts' | 'tour' | 'about';

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

/**
 * Why the program does not update itself. `no-feed`, `no-key`: the settings name no feed, or no key to check it with. `policy`: switched off.
 * `policy-broken`: the policy may say so and cannot be read. `not-replaceable`: this person may not write where the program is. The others: something else
 * updates what was installed that way.
 */
export type UpdateOffReason =
  | 'no-feed'
  | 'no-key'
  | 'policy'
  | 'policy-broken'
  | 'not-replaceable'
  | 'source'
  | 'folder'
  | 'package'
  | 'windows-msi';

/**
 * Why the last update did not come about; the installed version stays as it was. `unreachable`: no usable answer came. `unsigned`: the feed has no signature by one
 * of the keys, or the installer none by the publisher. `unusable`: what the feed says does not fit this program. `older`: it offers an older version. `outdated`: the dates in
 * its list are past, before those of a list that was seen, or far ahead: an old list, or a wrong clock.
 * `damaged`: the file is not the one that was signed. `not-saved`: no space, or no right to write. `not-installed`: the installation failed.
 */
export type UpdateProblem =
  | 'unreachable'
  | 'too-slow'
  | 'redirected'
  | 'unsigned'
  | 'unusable'
  | 'older'
  | 'outdated'
  | 'damaged'
  | 'not-saved'
  | 'not-installed';

export interface UpdateState {
  /** `available`: it is fetched when no work runs any more. `ready`: it is installed when the program ends. */
  readonly stage: 'off' | 'idle' | 'checking' | 'available' | 'downloading' | 'ready';
  /** Null unless `off`. */
  readonly offReason: UpdateOffReason | null;
  /** The newer version; null before one is known. */
  readonly version: string | null;
  readonly receivedBytes: number;
  /** 0 before it is known. */
  readonly totalBytes: number;
  /** End of the last check that got a signed answer, ISO 8601, UTC; also of an earlier run. */
  readonly lastCheckedAt: string | null;
  /** Of the last check or installation; null if it went well. */
  readonly problem: UpdateProblem | null;
}

export const removals = {
  /** Puts back what was removed, as it was. Rejects with not-found if it is too late, or something else has its place. */
  'removals.putBack': call(() => ({ removal: localId })).answers<null>(),
};

export const updates = {
  'updates.state': call(() => ({})).answers<UpdateState>(),
  /** Checks now, and fetches what is newer unless work runs. Answers at once: events report the rest. */
  'updates.check': call(() => ({})).answers<UpdateState>(),
  /** Ends the program, installs the update and starts it again. `work-running`: nothing was done, because files or tasks are in progress. */
  'updates.restart': call(() => ({})).answers<'restarting' | 'work-running' | 'not-ready'>(),
};

export const updateEvents = {
  /** While downloading, at most four times a second. */
  'updates.changed': event<UpdateState>(),
};
