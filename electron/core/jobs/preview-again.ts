import { setImmediate as nextTurn } from 'node:timers/promises';
import { emailKey } from '../../../contract/email.ts';
import type { AgainPreview } from '../../../contract/jobs.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { QueueContext } from './queue-context.ts';
import { inSlices } from './user-actions.ts';

/** Jobs read between two turns of the event loop: some milliseconds. */
const slice = 100;
/** People who are named; the others are counted. */
const mostNamed = 3;
/** creditType of prepaid credits. */
const prepaid = 2;

type Which = { readonly jobIds: readonly string[] } | { readonly batchId?: string | undefined };

/** What sending jobs again would use, and whom it would mail, read from what they sent. */
export async function previewAgain(queue: QueueContext, which: Which): Promise<AgainPreview> {
  const people = new Map<string, { name: string; email: string }>();
  const counts = { credits: 0, requests: 0, notes: 0, prepaidCount: 0, idChecks: 0 };
  const settings = settingsOnce(queue);
  await forEach(queue, which, async (job) => {
    const { separator, ownerEmail } = await settings(job.connectionId);
    const mailed = mailedBy(job, separator, ownerEmail);
    for (const person of mailed.people) {
      const key = emailKey(person.email);
      if (!people.has(key)) people.set(key, person);
    }
    counts[kindOf(job)] += 1;
    if (job.args.creditType === prepaid) counts.prepaidCount += 1;
    if (job.args.IDVerify === true) counts.idChecks += mailed.signers;
  });
  return { ...counts, people: [...people.values()].slice(0, mostNamed), peopleCount: people.size };
}

async function forEach(queue: QueueContext, which: Which, work: (job: StoredJob) => Promise<void>): Promise<void> {
  if (!('jobIds' in which)) {
    return inSlices(queue, { batchId: which.batchId, states: ['failed'] }, async (jobs) => {
      for (const job of jobs) await work(job);
    });
  }
  for (const [at, id] of which.jobIds.entries()) {
    if (at % slice === slice - 1) await nextTurn();
    const job = queue.context.store.jobs.get(id);
    if (job && !job.dismissed) await work(job);
  }
}

type MailSettings = { readonly separator: string; readonly ownerEmail: string };

/**
 * Reads each connection once: a batch has thousands of jobs and one connection. Without its connection a job cannot be sent; its addresses are then
 * read with the usual separator.
 */
function settingsOnce({ context }: QueueContext): (connectionId: string) => Promise<MailSettings> {
  const known = new Map<string, Promise<MailSettings>>();
  return (connectionId) => {
    const settings =
      known.get(connectionId) ??
      context.connections.get(connectionId).catch(() => ({ separator: ';', ownerEmail: '' }));
    known.set(connectionId, settings);
    return settings;
  };
}

/** As the form of each says what it uses. */
function kindOf({ operation, args }: StoredJob): 'credits' | 'requests' | 'notes' {
  if (operation === 'AddQuickNote') return 'notes';
  return args.creditType === undefined ? 'requests' : 'credits';
}

function mailedBy({ args }: StoredJob, separator: string, ownerEmail: string) {
  const list = (name: string) => (typeof args[name] === 'string' ? args[name].split(separator) : []);
  const names = list('Names');
  const signers = [
    ...list('Emails').map((email, at) => ({ email: email.trim(), name: (names[at] ?? '').trim() })),
    ...(args.ReqOwnerESign === true ? [{ email: ownerEmail, name: '' }] : []),
  ];
  const copies = list('CCEmails').map((email) => ({ email: email.trim(), name: '' }));
  return { people: [...signers, ...copies], signers: signers.length };
}
