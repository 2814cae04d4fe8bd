import type { EventValue, Handlers, HandlersOf } from '../../../contract/index.ts';
import type { Job } from '../../../contract/jobs.ts';
import type { BulkTable } from '../../store/signatures/bulks.ts';
import type { Connections } from '../connections/connections.ts';
import type { PracticeSupervisor } from '../connections/practice-supervisor.ts';
import type { Context } from '../context.ts';
import type { Environment } from '../environment.ts';
import type { Files } from '../files/file-tokens.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { createCorrections } from '../jobs/corrections.ts';
import type { Jobs } from '../jobs/start-jobs.ts';
import { bulkCalls } from './bulk/bulk-calls.ts';
import { startBulks } from './bulk/bulks.ts';
import { composeCalls, formCalls } from './compose/compose-calls.ts';
import { createFormStore, kindOfJob } from './compose/form-store.ts';
import { prepareRequest, refuseErrors, secretOf } from './compose/prepare-request.ts';
import { homeCalls } from './tracking/home-calls.ts';
import type { Pace } from './tracking/reading-schedule.ts';
import { createTracking, type Tracking } from './tracking/tracking.ts';
import { trackingCalls } from './tracking/tracking-calls.ts';

/** The services for signature requests: stored forms, corrections, bulks and tracking. */
export type SignatureServices = ReturnType<typeof createSignatures>;

interface Needs {
  readonly environment: Environment;
  readonly context: Context;
  readonly connections: Connections;
  readonly files: Files;
  readonly jobs: Jobs;
  /** True: continues the work that earlier runs left, and reads lists automatically. */
  readonly resumesQueue: boolean;
  readonly pace: Partial<Pace> | undefined;
}

/** Starts the services for signature requests, and follows the queue's changes until `close`. */
export function createSignatures({ environment, context, connections, files, jobs, resumesQueue, pace }: Needs) {
  const { store, emit, ports } = context;
  const { dataDir } = ports;
  const changed = () => emit('forms.changed', null);
  const forms = createFormStore({ ...context, files, jobs, dataDir, changed });
  const tracking = createTracking({
    context,
    onStored: jobs.lookInStoredLists,
    preferences: context.settings.preferences,
    isAutomatic: resumesQueue,
    ...(pace ? { pace } : {}),
  });
  if (resumesQueue) {
    void forms
      .sweep()
      .catch((error: unknown) => ports.log.error('copies of removed drafts stay', { code: failureOf(error)?.code }));
    for (const { id, kind } of connections.state().connections) if (kind === 'service') tracking.resume(id);
  }
  const bulks = startBulks(context, jobs, resumesQueue);
  const unsubscribe = environment.onEvent((name, value) => {
    if (name !== 'jobs.changed') return;
    const { jobs: changed, countdowns, isIncomplete } = value as EventValue<'jobs.changed'>;
    const requests = changed.filter((job) => kindOfJob(job) !== undefined);
    // The rows of a countdown that was stopped wait for a person, and none of their jobs is named.
    if (isIncomplete) for (const { bulkId } of countdowns) if (bulkId !== null) bulks.tell(bulkId);
    forms.follow(requests);
    bulks.follow(requests.map(({ id }) => id));
    followSent(requests, tracking, store.bulks);
  });
  const corrections = createCorrections({ find: store.jobs.get, files, jobs, draftOf: forms.ofJob, dataDir });
  return {
    forms,
    corrections,
    bulks,
    tracking,
    close: async (): Promise<void> => {
      unsubscribe();
      await Promise.all([bulks.close(), tracking.close()]);
    },
  };
}

/** The lists are read soon after the service accepted requests. */
function followSent(requests: readonly Job[], tracking: Tracking, bulks: Pick<BulkTable, 'rowOfJob'>): void {
  const done = requests.filter(({ state }) => state === 'done');
  for (const connectionId of new Set(done.map((job) => job.connectionId))) {
    const isOfBulk = done.every((job) => job.connectionId !== connectionId || bulks.rowOfJob(job.id) !== null);
    tracking.sent(connectionId, isOfBulk);
  }
}

/** All calls about signature requests. */
export function signingCalls(
  context: Context,
  jobs: Jobs,
  practice: PracticeSupervisor,
  parts: SignatureServices,
): HandlersOf<
  'signatures' | 'compose' | 'forms' | 'corrections' | 'templates' | 'bulk' | 'tracking' | 'home' | 'practice'
> {
  const { forms, corrections, bulks, tracking } = parts;
  return {
    ...signatureCalls(context, jobs, parts),
    ...composeCalls(context),
    ...formCalls(context, forms, practice),
    'corrections.open': ({ jobId }) => corrections.open(jobId),
    ...bulkCalls(context, bulks),
    ...trackingCalls(context, tracking),
    ...homeCalls(context),
    ...practiceCalls(context, practice, tracking.expect),
  };
}

/**
 * Signs documents of the practice service in place of their signers. `signed` is called with the connection whose
 * lists change.
 */
function practiceCalls(
  { connections }: Context,
  practice: PracticeSupervisor,
  signed: (connectionId: string) => void,
): Pick<Handlers, 'practice.signAs'> {
  return {
    'practice.signAs': async ({ connectionId, documentId, email }) => {
      const { kind } = await connections.get(connectionId);
      if (kind !== 'practice') throw appError('bad-input', 'signers are played in the practice service only');
      await practice.use(({ sign }) =>
        sign(documentId, email).catch((error: unknown) => {
          throw appError('bad-input', error instanceof Error ? error.message : 'there is nothing to sign');
        }),
      );
      signed(connectionId);
    },
  };
}

/** Calls that send a signature request and read a list. */
function signatureCalls(
  context: Context,
  jobs: Jobs,
  { forms, bulks, tracking }: Pick<SignatureServices, 'forms' | 'bulks' | 'tracking'>,
): HandlersOf<'signatures'> {
  const { connections, store, emit } = context;
  return {
    'signatures.request': async (request) => {
      const { connectionId, draftId } = request;
      const prepared = await prepareRequest(context, request);
      refuseErrors(prepared.problems);
      const secretWord = await secretOf(context, request);
      // Fails before anything is written if there are no credentials.
      await connections.client(connectionId);
      const sent = await jobs.enqueueOne(
        connectionId,
        { ...prepared.order, secretWord, duplicates: request.repeats },
        (jobId) => {
          if (draftId === undefined) return null;
          const corrected = forms.send(draftId, jobId);
          if (corrected !== null) bulks.correct(corrected, jobId, prepared.connection.separator);
          return corrected;
        },
      );
      const { TemplateID, ElementsFromTemplateID } = prepared.order.args;
      const templates = [TemplateID, ElementsFromTemplateID].filter((id) => typeof id === 'string');
      store.forms.usedTemplates(connectionId, templates);
      if (draftId !== undefined) emit('forms.changed', null);
      bulks.follow([sent.jobId]);
      return sent;
    },
    'signatures.refresh': ({ connectionId, listType, maxItems }) => tracking.refresh(connectionId, listType, maxItems),
  };
}
