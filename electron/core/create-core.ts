import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import { type ExportCall, exportOf } from '../../contract/exports.ts';
import type { Handlers } from '../../contract/index.ts';
import { languageFor } from '../../locales/choose-language.ts';
import { answerCalls, createAnswerRegistry } from './answers/answer-registry.ts';
import { createCallBudgets } from './connections/call-budget.ts';
import { type Connections, connectionCalls, createConnections } from './connections/connections.ts';
import { checkBriefly, doctorCalls } from './connections/doctor/doctor-calls.ts';
import { providedTeams } from './connections/managed-connections.ts';
import { createPracticeSupervisor, type PracticeSupervisor } from './connections/practice-supervisor.ts';
import { serviceAddress } from './connections/service-address.ts';
import { readAuthToken, serviceCalls } from './connections/service-calls.ts';
import type { Context } from './context.ts';
import type { Core } from './core.ts';
import { createDocuments, type DocumentServices, documentCalls } from './documents/documents-calls.ts';
import { receiptCalls } from './documents/receipts/receipts-calls.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { createFiles, type Files, fileCalls } from './files/file-tokens.ts';
import { shownName } from './files/safe-file-name.ts';
import { givenTarget } from './files/target.ts';
import { findCalls } from './find/find-calls.ts';
import { appError, failureOf } from './foundation/app-error.ts';
import { type Pauses, usualPauses } from './foundation/pauses.ts';
import { type LedgerQuestions, type Log, type Ports, type SteadyClock, steadyClock } from './foundation/ports.ts';
import { createRemovals, type Removals } from './foundation/removals.ts';
import { activityCalls } from './jobs/jobs-calls.ts';
import { type Jobs, startJobs } from './jobs/start-jobs.ts';
import { createCircuitBreakers } from './lasting-work/circuit-breaker.ts';
import { noteCalls } from './notes/notes-calls.ts';
import { peopleCalls } from './people/people-calls.ts';
import { createCallRouter } from './router/call-router.ts';
import { createSecretVault } from './secrets/secret-vault.ts';
import { appCalls, diagnosticsCalls, viewCalls } from './settings/app-calls.ts';
import type { Policy } from './settings/policy.ts';
import { storageCalls } from './settings/storage-calls.ts';
import { createSignatures, type SignatureServices, signingCalls } from './signatures/signing-calls.ts';
import type { Pace } from './signatures/tracking/reading-schedule.ts';
import { createTasks, taskCalls } from './tasks/tasks.ts';
import { sharedMeanings } from './team/shared-items.ts';
import { teamCalls } from './team/team-calls.ts';
import { createTeams, type Teams } from './team/teams.ts';
import { createUpdates, type Updates, updatesCalls } from './updates/updates.ts';
import { createPreviews, type Previews } from './verify/previews.ts';
import { lastExamined } from './verify/stored-signatures.ts';
import { auditCalls, createVerify, previewCalls, type VerifyServices, verifyCalls } from './verify/verify-calls.ts';

const tenMinutes = 600_000;
/** Longest time that the window may freeze while another program writes. */
const windowWaitMs = 150;

/** Settings of the core that some hosts and tests change. */
export interface CoreOptions {
  /**
   * Whether this run sends the adds that earlier runs left waiting; true by default. The command line leaves them to the
   * program that shows them: a person who asks for a status does not expect documents to be sent.
   */
  readonly resumesQueue?: boolean;
  /** Idle time before the practice service is closed, in milliseconds; ten minutes by default. */
  readonly practiceIdleMs?: number;
  /** Changes to how often the program reads e-sign lists by itself. */
  readonly pace?: Partial<Pace>;
  /** Changes to how long it waits before it looks or tries again. */
  readonly pauses?: Partial<Pauses>;
  /** Seconds before anything is sent, in place of the preferences; 0 by default for the command line. */
  readonly waitBeforeSeconds?: number;
  /** The clock of countdowns. */
  readonly clock?: SteadyClock;
  /** Asks a person what to do if the database is unusable; without it the core refuses to start then. */
  readonly ask?: LedgerQuestions;
}

/**
 * The application, without a host: opens the data folder, connects the features and answers the bridge. A damaged settings file is set aside and becomes a
 * notice. Rejects if the data folder or its database cannot be used, and with cancelled if the person who was asked chose to quit.
 */
export async function createCore(hostPorts: Ports, options: CoreOptions = {}): Promise<Core> {
  const { resumesQueue = true, pace } = options;
  const pauses = { ...usualPauses, ...options.pauses };
  const environment = await openEnvironment(hostPorts, options.ask);
  const { ports, store } = environment;
  const files = createFiles();
  const removals = createRemovals(pauses.undoMs, ports.log);
  const { practice, connections, connectionListeners } = openConnections(environment, files, removals, options);
  await connections.applyPolicy();
  environment.policy.onChange.add(() => void connections.applyPolicy());
  const teams = openTeams(environment, connections, pauses);
  const context = contextOf(environment, connections, files, teams, pauses, removals);
  // Last of the context's services: the queue may begin to send at once.
  const jobs = startJobs(context, {
    resumesQueue,
    // The user of a command line says how long with each command.
    waitBeforeSeconds: options.waitBeforeSeconds ?? (ports.host === 'command-line' ? 0 : null),
    clock: options.clock ?? steadyClock,
    onHeld: (isHeld) => showHeld(environment.notices, isHeld),
  });
  connectionListeners.add(jobs.wake);
  connectionListeners.add(teams.followConnection);
  teams.onBack.add(jobs.wake);
  const documents = createDocuments(context, resumesQueue);
  const verifying = createVerify(context, environment.arrivals);
  // What this program, or another one with its data folder, could not finish before it ended.
  for (const { id } of store.connections.all()) context.answers.followTeam(id);
  teams.onShared.add(context.answers.followTeam);
  const previews = createPreviews(context);
  const signing = createSignatures({ environment, context, connections, files, jobs, resumesQueue, pace });
  connectionListeners.add(signing.tracking.expect);
  if (resumesQueue) void connections.endRemovals();
  // From here on a window may be open and must not freeze. Writers that find the database busy try again (retry-while-busy.ts, writeDown).
  if (ports.host !== 'command-line') store.waitForOthers(windowWaitMs);
  const updates = createUpdates({
    ...environment,
    isWorking: () => {
      const { prepared, waiting, sending } = store.jobs.counts();
      return prepared + waiting + sending > 0 || context.tasks.list().length > 0;
    },
  });
  const services = { practice, connections, environment, context, files, jobs, teams, updates };
  const parts = { ...services, documents, signing, verifying, previews };
  return coreOf(parts, withinPolicy(handlersOf(parts), environment.policy));
}

/** A notice is there as long as the queue is held. */
function showHeld(notices: Environment['notices'], isHeld: boolean): void {
  const shown = notices.all().filter(({ kind }) => kind === 'sending-held');
  if (isHeld && shown.length === 0) notices.add('sending-held', null);
  if (!isHeld) for (const { id } of shown) notices.dismiss(id);
}

async function closeAll({ environment, context, ...parts }: Parts): Promise<void> {
  const { signing, jobs, verifying, teams, connections, practice, updates } = parts;
  const { ports, store, arrivals, targets, policy } = environment;
  let installUpdate = async (): Promise<void> => undefined;
  await closeInOrder(ports.log, [
    // First, while it still can be seen what is in progress.
    async () => {
      installUpdate = updates.close();
    },
    async () => context.removals.close(),
    async () => verifying.close(),
    () => Promise.all([signing.close(), jobs.close(), context.tasks.close()]),
    () => verifying.release(),
    () => teams.close(),
    async () => context.budget.close(),
    async () => connections.close(),
    () => practice.close(),
    () => arrivals.close(),
    async () => targets.close(),
    async () => policy.close(),
    () => store.documents.endSearch(),
    () => store.indexesChecked,
    async () => store.close(),
    () => installUpdate(),
  ]);
}

function contextOf(
  { ports, store, settings, policy, emit, targets }: Environment,
  connections: Connections,
  files: Files,
  team: Teams,
  pauses: Pauses,
  removals: Removals,
): Context {
  const answers = createAnswerRegistry({
    words: store.answerWords,
    marks: store.settings,
    team: sharedMeanings(store),
    removals,
    onChange: (view) => emit('answers.changed', view),
  });
  const budget = createCallBudgets({ settings: store.settings, policy, emit });
  const vault = createSecretVault(ports.keychain, ports.log);
  const tasks = createTasks({ emit, log: ports.log, removals });
  const breakers = createCircuitBreakers(pauses);
  const services = { answers, budget, vault, team, targets, tasks, removals, breakers };
  return { ports, store, settings, policy, connections, files, ...services, pauses, emit };
}

function openTeams(
  { ports, store, policy, notices, learn, emit }: Environment,
  connections: Connections,
  pauses: Pauses,
): Teams {
  const { log, keychain, version } = ports;
  const secrets = { keychain, settings: store.settings, notices, learn, log };
  const teams = createTeams({
    store,
    secrets,
    version,
    pauses,
    emit,
    log,
    kindOf: (id) => connections.known(id)?.kind ?? (store.connections.isHidden(id) ? 'removed' : null),
    serviceOf: (id) => {
      const connection = connections.known(id);
      if (!connection) return null;
      return { address: serviceAddress(connection, 'mainPath').href.toLowerCase(), namespace: connection.namespaceUri };
    },
    provided: () => providedTeams(policy),
  });
  policy.onChange.add(() => emit('team.changed', teams.state()));
  return teams;
}

/** Runs the closing steps one after the other. A step that fails must not keep the later ones from running. */
async function closeInOrder(log: Log, steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) {
    await step().catch((error: unknown) => {
      log.error('a closing step failed', { error: error instanceof Error ? error.name : typeof error });
    });
  }
}

interface Parts {
  readonly documents: DocumentServices;
  readonly signing: SignatureServices;
  readonly practice: PracticeSupervisor;
  readonly environment: Environment;
  readonly context: Context;
  readonly connections: Connections;
  readonly files: Files;
  readonly jobs: Jobs;
  readonly verifying: VerifyServices;
  readonly previews: Previews;
  readonly teams: Teams;
  readonly updates: Updates;
}

/** `connectionListeners` are called with the id of a connection whose settings or credentials changed. */
function openConnections(
  environment: Environment,
  files: Files,
  removals: Removals,
  { practiceIdleMs = tenMinutes }: CoreOptions,
): { practice: PracticeSupervisor; connections: Connections; connectionListeners: Set<(id: string) => void> } {
  const { ports, settings, learn, emit } = environment;
  const connectionListeners = new Set<(id: string) => void>();
  const onChange = (id: string | null) => {
    emit('connections.changed', connections.state());
    if (id !== null) for (const wake of connectionListeners) wake(id);
  };
  const practice = createPracticeSupervisor({
    port: ports.practice,
    dataDir: join(ports.dataDir, 'practice'),
    idleMs: practiceIdleMs,
    learn,
    log: ports.log,
    onChange: () => onChange(null),
  });
  // A command has a language of its own, whatever the window's is.
  const preferred = () => (ports.host === 'command-line' ? 'system' : settings.preferences().language);
  const language = () => languageFor(preferred(), ports.systemLanguages());
  const connections = createConnections({ ...environment, files, practice, removals, language, onChange });
  let shown = language();
  environment.onEvent((name) => {
    if (name !== 'app.changed' || shown === language()) return;
    shown = language();
    onChange(null);
  });
  return { practice, connections, connectionListeners };
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Every call of the contract; one that is missing does not compile. */
function handlersOf(parts: Parts): Handlers {
  const { documents, signing, practice, environment, context, connections, files, jobs, verifying, previews } = parts;
  const { teams, updates } = parts;
  const { info, redact, logSetting } = environment;
  return {
    ...appCalls(environment, context.budget.reset),
    ...storageCalls(context.ports),
    ...diagnosticsCalls(
      { ...context, info, redact, connections, check: checkBriefly(context, connections, redact) },
      context.ports,
      logSetting,
    ),
    ...connectionCalls(context, connections),
    ...doctorCalls(context, connections, redact),
    ...fileCalls(context.ports, files),
    ...activityCalls(jobs),
    ...documentCalls(context, jobs, documents),
    ...receiptCalls(context, (sha256) => lastExamined(context.store, sha256)),
    ...viewCalls(context.store.views, context.removals),
    ...verifyCalls(context, verifying),
    ...auditCalls(verifying.audits),
    ...taskCalls(context.tasks),
    ...previewCalls(previews, context.ports.desktop),
    ...signingCalls(context, jobs, practice, signing),
    ...answerCalls(context.answers, context.files, context.ports.dialogs),
    ...noteCalls(context, jobs),
    ...peopleCalls(context),
    'removals.putBack': async ({ removal }) => context.removals.putBack(removal),
    ...findCalls(context),
    // The call that changes it is `tracking.setBudget`.
    'budget.state': async () => context.budget.state(),
    ...serviceCalls(connections, redact),
    ...teamCalls(teams, context.store, { ...context, wake: jobs.wake, connection: connections.get }),
    ...updatesCalls(updates),
  };
}

/** Calls that write a file which the policy may forbid ask it first. */
function withinPolicy(handlers: Handlers, { assertExport }: Policy): Handlers {
  const guarded = Object.entries(exportOf).map(([name, right]) => {
    // Every key is the name of a call, and each call has one input.
    const write = handlers[name as ExportCall] as (input: unknown) => Promise<unknown>;
    return [
      name,
      async (input: unknown) => {
        assertExport(right);
        return await write(input);
      },
    ] as const;
  });
  return { ...handlers, ...Object.fromEntries(guarded) };
}

function coreOf(parts: Parts, handlers: Handlers): Core {
  const { environment, connections, files, documents, verifying, previews, signing } = parts;
  const { ports, arrivals, targets, policy, redact, emit, onEvent } = environment;
  const ask = createCallRouter(handlers, ports.log, redact);
  let closing: Promise<void> | null = null;
  return {
    call: async (name, input) => {
      if (closing) return { ok: false, failure: appError('cancelled', 'the program is closing').failure };
      return await ask(name, input);
    },
    onEvent,
    acceptPath: (path) => files.accept(path),
    foundFiles: (intakeId) => files.found(intakeId),
    acceptStream: async (name, bytes) => {
      const hash = createHash('sha256');
      const path = await arrivals.take(hashed(bytes, hash));
      return await files.accept(path, { name: shownName(name), sha256: hash.digest('hex') });
    },
    arrive: async (paths) => {
      const tokens = await Promise.all(
        paths.map((path) =>
          files.accept(path).catch((error: unknown) => {
            ports.log.error('a file that arrived cannot be used', { code: failureOf(error)?.code });
            return null;
          }),
        ),
      );
      const usable = tokens.filter((token) => token !== null);
      if (usable.length > 0) emit('files.arrived', usable);
    },
    previewedFile: (token) => previews.file(token),
    authToken: (connectionId) => readAuthToken(connections, connectionId),
    readRequests: signing.tracking.readAsSent,
    downloadTo: async (connectionId, documentId, path, { mayReplace } = { mayReplace: false }) => {
      policy.assertExport('saveDocuments');
      targets.note(path);
      return documents.downloads.start(connectionId, documentId, await givenTarget(path, mayReplace));
    },
    reportTo: async (runId, format, path, language, { mayReplace } = { mayReplace: false }) => {
      policy.assertExport('exportReports');
      targets.note(path);
      return verifying.reports.start(runId, format, await givenTarget(path, mayReplace), language);
    },
    close: () => {
      closing ??= closeAll(parts);
      return closing;
    },
  };
}
