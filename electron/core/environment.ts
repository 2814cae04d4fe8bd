import { mkdir } from 'node:fs/promises';
import type { AppInfo } from '../../contract/app.ts';
import { listSetAside } from '../store/database/set-aside.ts';
import { openStore, type Store } from '../store/store.ts';
import { toStorageError } from './files/fs-errors.ts';
import { removeLeftBehind } from './files/left-behind.ts';
import { openReceivedFiles, type ReceivedFiles } from './files/received-files.ts';
import { openTargetNotes, type TargetNotes } from './files/target-notes.ts';
import { createListeners, type Listeners } from './foundation/event-emitter.ts';
import type { LedgerQuestions, Ports } from './foundation/ports.ts';
import { createRedactor, type Redactor, redactingLog } from './foundation/redactor.ts';
import { createNotices, type Notices } from './settings/notices.ts';
import { openSettingsFile, type SettingsFile } from './settings/settings-file.ts';

/** What everything else stands on: the data folder opened, and who is told what. */
export interface Environment extends Redactor, Listeners {
  /** The host's ports; every text of the log is cleaned of known secrets. */
  readonly ports: Ports;
  readonly settings: SettingsFile;
  readonly store: Store;
  readonly arrivals: ReceivedFiles;
  readonly targets: TargetNotes;
  readonly notices: Notices;
  info(): AppInfo;
  /** Tells `app.changed`. */
  appChanged(): void;
}

/** Rejects where the data folder or the database in it cannot be used; other damaged files become notices. `ask`: as in StoreOptions. */
export async function openEnvironment(given: Ports, ask?: LedgerQuestions): Promise<Environment> {
  const redactor = createRedactor();
  const log = redactingLog(given.log, redactor.redact);
  const { dataDir, version: program } = given;
  await makeFolder(dataDir);

  // The store before everything else: where it cannot be worked with, nothing in the folder is touched.
  const { store, setAside: damagedStore } = await openStore({ dataDir, log, program, ask });
  const { settings, setAside: damagedSettings } = await openSettingsFile(dataDir, log);
  const arrivals = await openReceivedFiles(dataDir, store.run, (folder) => store.jobs.sourcesBelow(folder));
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
  tellOfLedger(ports, store, notices, damagedStore);
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

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw toStorageError(error, `the folder ${folder} cannot be made`);
  }
}

/** A command line tells it each time: it leaves to the app what a person has to decide about. */
function tellOfLedger({ host, dataDir }: Ports, store: Store, notices: Notices, setAsideNow: string | null): void {
  const { tellings, jobs } = store;
  if (setAsideNow) notices.add('database-set-aside', setAsideNow);
  else if (host !== 'desktop') {
    const last = listSetAside(dataDir).findLast(({ reason }) => reason === 'damaged');
    if (last) notices.add('database-set-aside', `set-aside/${last.name}`);
  }
  if (tellings.isUntold('incomplete')) {
    notices.add('database-incomplete', null);
    if (host !== 'command-line') tellings.told('incomplete');
  }
  if (tellings.isUntold('restored')) {
    notices.add('database-restored', null);
    // Else until these are let go.
    if (host !== 'command-line' && jobs.restoredCount() === 0) tellings.told('restored');
  }
}
