import { mkdir } from 'node:fs/promises';
import type { AppInfo } from '../../contract/app.ts';
import { openStore, type Store } from '../store/store.ts';
import { type Arrivals, openArrivals } from './arrivals.ts';
import { removeLeftBehind } from './left-behind.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { createNotices, type Notices } from './notices.ts';
import type { Ports } from './ports.ts';
import { createRedactor, type Redactor, redactingLog } from './redactor.ts';
import { openSettingsFile, type SettingsFile } from './settings-file.ts';
import { openTargetNotes, type TargetNotes } from './target-notes.ts';

/** What everything else stands on: the data folder opened, and who is told what. */
export interface Ground extends Redactor, Listeners {
  /** The host's ports; every text of the log is cleaned of known secrets. */
  readonly ports: Ports;
  readonly settings: SettingsFile;
  readonly store: Store;
  readonly arrivals: Arrivals;
  readonly targets: TargetNotes;
  readonly notices: Notices;
  info(): AppInfo;
  /** Tells `app.changed`. */
  appChanged(): void;
}

/** Rejects only where the data folder cannot be used at all; damaged files in it become notices. */
export async function openGround(given: Ports): Promise<Ground> {
  const redactor = createRedactor();
  const log = redactingLog(given.log, redactor.redact);
  const { dataDir } = given;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });

  const { settings, setAside: damagedSettings } = await openSettingsFile(dataDir, log);
  const { store, setAside: damagedStore } = await openStore({ dataDir, log });
  const arrivals = await openArrivals(dataDir, store.run, (folder) => store.jobs.sourcesBelow(folder));
  const targets = openTargetNotes(dataDir, store.run);
  const ports: Ports = { ...given, log, dialogs: notingDialogs(given.dialogs, targets) };
  // Nobody waits for it: a target may be on a network.
  void removeLeftBehind(dataDir, store).catch(() => log.error('what killed runs left behind was not removed'));
  const listeners = createListeners(log);

  const info = (): AppInfo => ({
    version: ports.version,
    host: ports.host,
    preferences: settings.get().preferences,
    notices: notices.all(),
  });
  const appChanged = () => listeners.emit('app.changed', info());
  const notices = createNotices(appChanged);
  if (damagedSettings) notices.add('settings-set-aside', damagedSettings);
  if (damagedStore) notices.add('database-set-aside', damagedStore);
  return { ...redactor, ...listeners, ports, settings, store, arrivals, targets, notices, info, appChanged };
}

/** Where a person lets a file be written is noted before it is begun. */
function notingDialogs(dialogs: Ports['dialogs'], targets: TargetNotes): Ports['dialogs'] {
  return {
    chooseFiles: (what) => dialogs.chooseFiles(what),
    chooseTarget: async (suggestedName) => {
      const path = await dialogs.chooseTarget(suggestedName);
      if (path !== null) targets.note(path);
      return path;
    },
  };
}
