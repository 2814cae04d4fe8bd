import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askWith, type Listen, listenWith } from '../../contract/client.ts';
import type { Ask, CallInput, CallName, CallOutput, EventName, EventValue } from '../../contract/index.ts';
import type { Task, TaskKind } from '../../contract/tasks.ts';
import type { Core } from '../../electron/core/core.ts';
import { type CoreOptions, createCore } from '../../electron/core/create-core.ts';
import { type Pauses, usualPauses } from '../../electron/core/foundation/pauses.ts';
import type { Keychain, PolicySource, Ports, PracticePort } from '../../electron/core/foundation/ports.ts';
import { openDatabase } from '../../electron/store/database/open-database.ts';
import { migrations } from '../../electron/store/schema/migrations.ts';
import { type PracticeControl, type PracticeOptions, startPractice } from './practice.ts';
import { onceInRun, runFolder } from './run-folder.ts';

export const assetsDir = fileURLToPath(new URL('../../assets', import.meta.url));

export interface CoreSetup {
  /** A new temporary folder unless given; a given one stays after `stop`. */
  readonly dataDir?: string;
  readonly assetsDir?: string;
  readonly keychain?: Keychain;
  readonly host?: Ports['host'];
  /** The answer to questions about unencrypted addresses; no unless given. */
  readonly mayBeInClear?: boolean;
  /** The system's languages; English unless given. */
  readonly systemLanguages?: readonly string[];
  /** None unless given. The log itself is kept in memory. */
  readonly logFile?: string;
  /** PAC answer by URL; `DIRECT` for all unless given. */
  readonly resolveProxy?: (url: string) => Promise<string>;
  /** Instead of the real practice service. */
  readonly practice?: PracticePort;
  /** For the real one. */
  readonly practiceOptions?: Omit<PracticeOptions, 'dataDir' | 'assetsDir'>;
  readonly practiceIdleMs?: number;
  /** False for a core that leaves the jobs of earlier runs alone, as the command line does. */
  readonly resumesQueue?: boolean;
  /** No policy unless given. */
  readonly policy?: PolicySource;
  /** Intervals at which the program reads lists. */
  readonly pace?: CoreOptions['pace'];
  /** How long it waits before it looks or tries again. */
  readonly pauses?: CoreOptions['pauses'];
  /** Seconds before anything is sent: 0 unless given, whatever the host. Null for the preferences. */
  readonly waitBeforeSeconds?: number | null;
  /** The clock of countdowns. */
  readonly clock?: CoreOptions['clock'];
}

/** An event that the core published. */
export interface PublishedEvent {
  readonly name: string;
  readonly value: unknown;
}

/** A core with simple real ports, and the records of those ports. */
export interface RunningCore {
  readonly core: Core;
  readonly ask: Ask;
  readonly listen: Listen;
  /** Calls and resolves with the value; throws on a failure. */
  readonly must: <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>;
  readonly dataDir: string;
  readonly events: readonly PublishedEvent[];
  /** Resolves with the first event, past ones included, that fits; rejects after `ms`. */
  readonly until: <N extends EventName>(
    name: N,
    fits: (value: EventValue<N>) => boolean,
    ms?: number,
  ) => Promise<EventValue<N>>;
  /** The same of what any event said about a task of this kind. */
  readonly untilTask: <K extends TaskKind>(kind: K, fits: (task: Task<K>) => boolean, ms?: number) => Promise<Task<K>>;
  /** Lines of the log as JSON. */
  readonly log: readonly string[];
  /** Entries of the in-memory keychain, unless one was given. */
  readonly secrets: Map<string, string>;
  /** Answers of the next dialogs, in order; null (cancelled) when empty. `suggested`: names of files; `inClear`: the origins that were asked about. */
  readonly dialogs: {
    readonly files: (readonly string[])[];
    readonly targets: string[];
    readonly suggested: string[];
    readonly inClear: string[];
  };
  readonly shown: readonly string[];
  /** Notifications of the desktop, with the click on each. */
  readonly notified: readonly { readonly title: string; readonly body: string; readonly click: () => void }[];
  /** How often the practice service was started, and the control of the one that runs or ran last. */
  readonly practice: { readonly starts: () => number; readonly control: () => PracticeControl };
  /** Closes the core and removes the data folder unless it was given. */
  readonly stop: () => Promise<void>;
}

/** The ports of a core in a test, and the records of what it did with them. */
function recordedPorts(setup: CoreSetup, dataDir: string) {
  const log: string[] = [];
  const secrets = new Map<string, string>();
  const dialogs: RunningCore['dialogs'] = { files: [], targets: [], suggested: [], inClear: [] };
  const shown: string[] = [];
  const notified: { title: string; body: string; click: () => void }[] = [];
  const practice = countedPractice(setup);
  const write = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    log.push(JSON.stringify({ level, message, ...fields }));
  };
  const ports: Parameters<typeof createCore>[0] = {
    host: setup.host ?? 'command-line',
    version: '0.0.0-test',
    installation: 'source',
    isSandboxed: true,
    hasTray: Promise.resolve(false),
    logFile: setup.logFile ?? null,
    dataDir,
    assetsDir: setup.assetsDir ?? assetsDir,
    licencesFile: join(assetsDir, '..', 'dist', 'licences.json'),
    keychain: setup.keychain ?? memoryKeychain(secrets),
    dialogs: {
      chooseFiles: async () => dialogs.files.shift() ?? null,
      chooseTarget: async (suggested) => {
        dialogs.suggested.push(suggested);
        return dialogs.targets.shift() ?? null;
      },
      confirmInClear: async (origin) => {
        dialogs.inClear.push(origin);
        return setup.mayBeInClear ?? false;
      },
    },
    desktop: {
      showInFolder: async (path) => void shown.push(path),
      openInBrowser: async (url) => void shown.push(url),
      openFile: async (path) => void shown.push(path),
    },
    notifications: { show: (text, onClick) => void notified.push({ ...text, click: onClick }) },
    systemLanguages: () => setup.systemLanguages ?? ['en'],
    network: { resolveProxy: setup.resolveProxy ?? (async () => 'DIRECT') },
    practice: practice.port,
    policy: setup.policy ?? noPolicySource,
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
  };
  return { ports, records: { log, secrets, dialogs, shown, notified, practice } };
}

export const noPolicySource: PolicySource = { name: 'none', read: async () => null, watch: () => () => undefined };

/** What other programs did is looked at sooner; what a test sends is looked for when it says so. */
const testPauses: Partial<Pauses> = { undoMs: 0, doubtLookMs: 3_600_000, heldMs: 200, leftLookMs: 500 };

/** The database of a first start, where the folder is there and empty: all of its migrations were most of the work of a core's test, so they run once in a run. */
async function giveDatabase(dataDir: string): Promise<void> {
  if (!runFolder() || (await readdir(dataDir).catch(() => ['none'])).length > 0) return;
  const empty = await onceInRun('database', async (folder) => {
    const path = join(folder, 'sealdesk.db');
    (await openDatabase(path, migrations)).sql.close();
    return path;
  });
  await copyFile(empty, join(dataDir, 'sealdesk.db'));
}

export async function startCore(setup: CoreSetup = {}): Promise<RunningCore> {
  const dataDir = setup.dataDir ?? (await mkdtemp(join(tmpdir(), 'sealdesk-core-')));
  await giveDatabase(dataDir);
  const { ports, records } = recordedPorts(setup, dataDir);
  const core = await createCore(ports, {
    ...(setup.practiceIdleMs === undefined ? {} : { practiceIdleMs: setup.practiceIdleMs }),
    ...(setup.resumesQueue === undefined ? {} : { resumesQueue: setup.resumesQueue }),
    ...(setup.pace ? { pace: setup.pace } : {}),
    pauses: { ...usualPauses, ...testPauses, ...setup.pauses },
    ...(setup.waitBeforeSeconds === null ? {} : { waitBeforeSeconds: setup.waitBeforeSeconds ?? 0 }),
    ...(setup.clock ? { clock: setup.clock } : {}),
  });
  const events: PublishedEvent[] = [];
  core.onEvent((name, value) => events.push({ name, value }));
  const ask = askWith(core);
  return {
    core,
    ask,
    listen: listenWith(core),
    must: async (name, input) => {
      const answer = await ask(name, input);
      if (!answer.ok) throw new Error(`${name} failed: ${JSON.stringify(answer.failure)}`);
      return answer.value;
    },
    dataDir,
    events,
    until: (name, fits, ms) =>
      untilPublished(core, events, (one) => one.name === name && fits(one.value as never), name, ms) as never,
    untilTask: (kind, fits, ms) =>
      untilPublished(core, events, (one) => isTask(one, kind) && fits(one.value as never), kind, ms) as never,
    ...records,
    stop: async () => {
      await core.close();
      if (setup.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export function memoryKeychain(secrets: Map<string, string>): Keychain {
  return {
    get: async (account) => secrets.get(account) ?? null,
    set: async (account, secret) => void secrets.set(account, secret),
    remove: async (account) => void secrets.delete(account),
  };
}

function countedPractice(setup: CoreSetup) {
  let starts = 0;
  let control: PracticeControl | null = null;
  const port: PracticePort = {
    start: async (dataDir) => {
      starts += 1;
      if (setup.practice) return await setup.practice.start(dataDir);
      const running = await startPractice({ ...setup.practiceOptions, dataDir, assetsDir });
      control = running.control;
      return running;
    },
  };
  return {
    port,
    starts: () => starts,
    control: () => {
      if (!control) throw new Error('the practice service was not started yet');
      return control;
    },
  };
}

function isTask({ name, value }: PublishedEvent, kind: TaskKind): boolean {
  return name.startsWith('tasks.') && (value as Task).kind === kind;
}

function untilPublished(
  core: Core,
  events: readonly PublishedEvent[],
  fits: (one: PublishedEvent) => boolean,
  what: string,
  ms = 20_000,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const past = events.find(fits);
    if (past) return resolve(past.value);
    const stop = core.onEvent((name, value) => {
      if (fits({ name, value })) done(() => resolve(value));
    });
    const timer = setTimeout(() => done(() => reject(new Error(`${what} was not published in ${ms} ms`))), ms);
    const done = (settle: () => void) => {
      clearTimeout(timer);
      stop();
      settle();
    };
  });
}
