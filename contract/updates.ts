import { call, event } from './call.ts';

/**
 * Why the program does not update itself. `no-feed`, `no-key`: the settings name no feed, or no key to check it with. `policy`: switched off.
 * `policy-broken`: the policy may say so and cannot be read. `not-replaceable`: this person may not write where the program is. The others: something else
 * updates what was installed that way.
 */
export const updateOffReasons = [
  'no-feed',
  'no-key',
  'policy',
  'policy-broken',
  'not-replaceable',
  'source',
  'folder',
  'package',
  'windows-msi',
] as const;
export type UpdateOffReason = (typeof updateOffReasons)[number];

/**
 * Why the last update did not come about; the installed version stays as it was. `unreachable`: no usable answer came. `unsigned`: the feed has no signature by one
 * of the keys, or the installer none by the publisher. `unusable`: what the feed says does not fit this program. `older`: it offers an older version. `outdated`: the dates in
 * its list are past, before those of a list that was seen, or far ahead: an old list, or a wrong clock.
 * `damaged`: the file is not the one that was signed. `not-saved`: no space, or no right to write. `not-installed`: the installation failed.
 */
export const updateProblems = [
  'unreachable',
  'too-slow',
  'redirected',
  'unsigned',
  'unusable',
  'older',
  'outdated',
  'damaged',
  'not-saved',
  'not-installed',
] as const;
export type UpdateProblem = (typeof updateProblems)[number];

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
