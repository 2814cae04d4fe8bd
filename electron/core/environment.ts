import { mkdir } from 'node:fs/promises';
import type { AppInfo } from '../../contract/app.ts';
import { listSetAside } from '../store/database/set-aside.ts';
import { openStore, type Store } from '../store/store.ts';
import { removeLeftBehind } from './files/left-behind.ts';
import { openReceivedFiles, type ReceivedFiles } from './files/received-files.ts';
import { openTargetNotes, type TargetNotes } from './files/target-notes.ts';
import { createListeners, type Listeners } from './foundation/event-emitter.ts';
import { toStorageError } from './foundation/fs-errors.ts';
import type { LedgerQuestions, Ports } from './foundation/ports.ts';
import { createRedactor, type Redactor, redactingLog } from './foundation/redactor.ts';
import { createNotices, type Notices } from './settings/notices.ts';
import { openSettingsFile, type SettingsFile } from './settings/settings-file.ts';

/** The open data folder and the services that every feature needs. */
export interface Environment extends Redactor, Listeners {
  /** The host's ports; the log redacts known secrets. */
  readonly ports: Ports;
  readonly settings: SettingsFile;
  readonly store: Store;
  readonly arrivals: ReceivedFiles;
  readonly targets: TargetNotes;
  readonly notices: Notices;
  info(): AppInfo;
  /** Emits `app.changed`. */
  appChanged(): void;
}

/**
 * Opens the data folder and the services that every feature needs. Rejects if the folder or its database cannot be used; other damaged files become notices.
 * `ask`: as in StoreOptions.
 */
export async function openEnvironment(hostPorts: Ports, ask?: LedgerQuestions): Promise<Environment> {
  const redactor = createRedactor();
  const log = redactingLog(hostPorts.log, redactor.redact);
  const { dataDir, version: program } = hostPorts;
  await makeFolder(dataDir);

  // The store first: if it is unusable, nothing in the folder is touched.
  const { store, setAside: damagedStore } = await openStore({ dataDir, log, program, ask });
  const { settings, setAside: damagedSettings } = await openSettingsFile(dataDir, log);
  const arrivals = await openReceivedFiles(dataDir, store.run, (folder) => store.jobs.sourcesBelow(folder));
  const targets = openTargetNotes(dataDir, store.run);
  const ports: Ports = { ...hostPorts, log, dialogs: notingDialogs(hostPorts.dialogs, targets) };
  // Not awaited: a target may be on a slow network.
  void removeLeftBehind(dataDir, store).catch(() => log.error('files left behind by killed runs were not removed'));
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
  addLedgerNotices(ports, store, notices, damagedStore);
  return { ...redactor, ...listeners, ports, settings, store, arrivals, targets, notices, info, appChanged };
}

/** Notes each chosen target before the file is begun. */
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

/** Adds the notices about the state of the database. The command line repeats them in each run: only the app marks them as shown, as a person has to decide there. */
function addLedgerNotices({ host, dataDir }: Ports, store: Store, notices: Notices, setAsideNow: string | null): void {
  const { ledgerNotices, jobs } = store;
  if (setAsideNow) notices.add('database-set-aside', setAsideNow);
  else if (host !== 'desktop') {
    const last = listSetAside(dataDir).findLast(({ reason }) => reason === 'damaged');
    if (last) notices.add('database-set-aside', `set-aside/${last.name}`);
  }
  if (ledgerNotices.isPending('incomplete')) {
    notices.add('database-incomplete', null);
    if (host !== 'command-line') ledgerNotices.shown('incomplete');
  }
  if (ledgerNotices.isPending('restored')) {
    notices.add('database-restored', null);
    // With restored jobs the notice stays until a person has released them.
    if (host !== 'command-line' && jobs.restoredCount() === 0) ledgerNotices.shown('restored');
  }
}
