import { mkdir } from 'node:fs/promises';
import type { AppInfo } from '../../contract/app.ts';
import type { LedgerNotice } from '../store/database/ledger-errors.ts';
import { listSetAside } from '../store/database/set-aside.ts';
import { openStore, type Store } from '../store/store.ts';
import { removeLeftBehind } from './files/left-behind.ts';
import { openReceivedFiles, type ReceivedFiles } from './files/received-files.ts';
import { openTargetNotes, type TargetNotes } from './files/target-notes.ts';
import { createListeners, type Listeners } from './foundation/event-emitter.ts';
import { toStorageError } from './foundation/fs-errors.ts';
import { createLogSetting, type LogSetting, leveledLog } from './foundation/log-level.ts';
import type { LedgerQuestions, Ports } from './foundation/ports.ts';
import { createRedactor, type Redactor, redactingLog } from './foundation/redactor.ts';
import { createNotices, type Notices } from './settings/app-calls.ts';
import { openPolicy, type Policy } from './settings/policy.ts';
import { openSettingsFile, type SettingsFile } from './settings/settings-file.ts';

/** The open data folder and the services that every feature needs. */
export interface Environment extends Redactor, Listeners {
  /** The host's ports; the log redacts known secrets and has the level that a person set. */
  readonly ports: Ports;
  readonly settings: SettingsFile;
  readonly policy: Policy;
  readonly store: Store;
  readonly arrivals: ReceivedFiles;
  readonly targets: TargetNotes;
  readonly notices: Notices;
  readonly logSetting: LogSetting;
  info(): AppInfo;
}

/**
 * Opens the data folder and the services that every feature needs. Rejects if the folder or its database cannot be used; other damaged files become notices.
 * `ask`: as in StoreOptions.
 */
export async function openEnvironment(hostPorts: Ports, ask?: LedgerQuestions): Promise<Environment> {
  const redactor = createRedactor();
  const logSetting = createLogSetting(() => appChanged());
  const log = leveledLog(redactingLog(hostPorts.log, redactor.redact), () => logSetting.state().level);
  const { dataDir, version: program } = hostPorts;
  await makeFolder(dataDir);

  // The store first: if it is unusable, nothing in the folder is touched.
  const { store, setAside: damagedStore } = await openStore({ dataDir, log, program, ask });
  const policy = await openPolicy(hostPorts.policy, log);
  const { settings, setAside: damagedSettings } = await openSettingsFile(dataDir, log, policy);
  const arrivals = await openReceivedFiles(dataDir, store.run, (folder) => store.jobs.sourcesBelow(folder));
  const targets = openTargetNotes(dataDir, store.run);
  const ports: Ports = { ...hostPorts, log, dialogs: notingDialogs(hostPorts.dialogs, targets) };
  // Not awaited: a target may be on a slow network.
  void removeLeftBehind(dataDir, store).catch(() => log.warn('files left behind by killed runs were not removed'));
  const listeners = createListeners(log);

  let hasTray = false;
  const info = (): AppInfo => ({
    version: ports.version,
    host: ports.host,
    installation: ports.installation,
    hasTray,
    preferences: settings.preferences(),
    policy: policy.state(),
    log: logSetting.state(),
    notices: notices.all(),
  });
  const appChanged = () => listeners.emit('app.changed', info());
  settings.onChange.add(appChanged);
  void ports.hasTray.then((there) => {
    hasTray = there;
    if (there) appChanged();
  });
  const notices = createNotices(appChanged);
  if (!ports.isSandboxed) notices.add('sandbox-off', null);
  noticeCrashes(ports.crashes, notices);
  if (damagedSettings) notices.add('settings-set-aside', damagedSettings);
  addLedgerNotices(ports, store, notices, damagedStore);
  void store.indexesChecked.then(() => {
    if (noteLedger(ports, store, notices, 'mended'))
      for (const { id } of store.connections.all()) listeners.emit('documents.changed', { connectionId: id });
  });
  followPolicy(policy, settings, notices);
  const open = { ports, settings, policy, store, arrivals, targets, notices, logSetting };
  return { ...redactor, ...listeners, ...open, info };
}

/** Offers a report after an unexpected end, until a person dismisses it: in a later run, too. */
function noticeCrashes(crashes: Ports['crashes'], notices: Notices): void {
  const kind = 'ended-unexpectedly';
  const offer = () => {
    if (!notices.all().some((notice) => notice.kind === kind)) notices.add(kind, null);
  };
  if (crashes?.isUnseen()) offer();
  crashes?.onCrash(offer);
  if (crashes) notices.onDismiss.add((notice) => notice.kind === kind && crashes.markSeen());
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
    confirmInClear: (origin) => dialogs.confirmInClear(origin),
  };
}

/** Keeps the notice about a policy that cannot be used, wholly or in part, for as long as that is so; a change of the policy changes preferences. */
function followPolicy(policy: Policy, settings: SettingsFile, notices: Notices): void {
  const show = () => {
    for (const { id, kind } of notices.all()) if (kind === 'policy-broken') notices.dismiss(id);
    const { problems, source } = policy.state();
    if (problems.some(({ kind }) => kind === 'unusable' || kind === 'wrong-value'))
      notices.add('policy-broken', source);
  };
  show();
  policy.onChange.add(() => {
    show();
    for (const listener of settings.onChange) listener();
  });
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw toStorageError(error, `the folder ${folder} cannot be made`);
  }
}

/** Adds the notices about the state of the database. The command line repeats them in each run: only the app marks them as shown, as a person has to decide there. */
function addLedgerNotices(ports: Ports, store: Store, notices: Notices, setAsideNow: string | null): void {
  const { host, dataDir } = ports;
  if (setAsideNow) notices.add('database-set-aside', setAsideNow);
  else if (host !== 'desktop') {
    const last = listSetAside(dataDir).findLast(({ reason }) => reason === 'damaged');
    if (last) notices.add('database-set-aside', `set-aside/${last.name}`);
  }
  noteLedger(ports, store, notices, 'incomplete');
  // With restored jobs the notice stays until a person has released them.
  noteLedger(ports, store, notices, 'restored', store.jobs.restoredCount() > 0);
}

/** Adds a stored notice. True if there was one. */
function noteLedger({ host }: Ports, store: Store, notices: Notices, what: LedgerNotice, stays = false): boolean {
  const isPending = store.ledgerNotices.isPending(what);
  if (isPending) notices.add(`database-${what}`, null);
  if (isPending && !stays && host !== 'command-line') store.ledgerNotices.shown(what);
  return isPending;
}
