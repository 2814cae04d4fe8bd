import type { Job } from '../../../contract/jobs.ts';
import type { BulkTable } from '../../store/signatures/bulks.ts';
import type { Connections } from '../connections/connections.ts';
import type { Context } from '../context.ts';
import type { Environment } from '../environment.ts';
import type { Files } from '../files/file-tokens.ts';
import { failureOf } from '../foundation/app-error.ts';
import { createCorrections } from '../jobs/corrections.ts';
import type { Jobs } from '../jobs/start-jobs.ts';
import { startBulks } from './bulk/bulks.ts';
import { createFormStore, kindOfJob } from './compose/form-store.ts';
import type { Pace } from './tracking/reading-schedule.ts';
import { createTracking, type Tracking } from './tracking/tracking.ts';

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
  const { store, vault, emit, ports, removals } = context;
  const forms = createFormStore({
    store,
    files,
    connections,
    jobs,
    vault,
    removals,
    dataDir: ports.dataDir,
    changed: () => emit('forms.changed', null),
  });
  const tracking = createTracking({
    context,
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
    const requests = (value as { readonly jobs: readonly Job[] }).jobs.filter((job) => kindOfJob(job) !== undefined);
    forms.follow(requests);
    bulks.follow(requests.map(({ id }) => id));
    followSent(requests, tracking, store.bulks);
  });
  const corrections = createCorrections({
    find: store.jobs.get,
    files,
    jobs,
    draftOf: forms.ofJob,
    dataDir: ports.dataDir,
  });
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
