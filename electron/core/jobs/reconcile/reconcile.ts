import { emailKey } from '../../../../contract/email.ts';
import type { ReconcileCandidate, Reconciliation } from '../../../../contract/jobs.ts';
import { withoutBraces } from '../../../../contract/text.ts';
import type { StoredJob } from '../../../store/jobs/job-rows.ts';
import { appError } from '../../foundation/app-error.ts';
import type { QueueContext } from '../queue-context.ts';
import { knownJob } from '../user-actions.ts';
import { askAbout, readLists } from './ask-service.ts';
import { compare, normal, type Seen, type Wanted } from './compare.ts';

/** How many candidates are asked about one by one, and how many are kept. */
const askedSingly = 5;
const keptCandidates = 20;

/**
 * Asks the service about a job in doubt, by reads only: the e-sign lists if the request had signers (address,
 * document name, time), the details of possible matches (client reference), and of a document that the person names.
 * Stores the result with the job. Rejects with not-found, and with bad-input if the job is not in doubt.
 */
export async function reconcile(queue: QueueContext, jobId: string, documentId?: string): Promise<Reconciliation> {
  const job = knownJob(queue, jobId);
  if (job.state !== 'in-doubt') throw appError('bad-input', `a job that is ${job.state} is not in doubt`);
  const connection = await queue.context.connections.get(job.connectionId);
  const wanted = wantedOf(queue, job, connection.separator);
  // A quick note is in no list and has no document ID.
  const canBeListed = wanted.emails.size > 0;
  const lists = canBeListed ? await readLists(queue, connection, (seen) => isNear(wanted, seen)) : null;
  const named = [...(documentId ? [withoutBraces(documentId)] : []), ...openedIds(queue, job, wanted)];
  const about = await askAbout(queue, connection.id, [...new Set([...named, ...idsOf(wanted, lists?.seen ?? [])])]);
  const candidates = candidatesOf(queue, job, wanted, merged(lists?.seen ?? [], about.seen));
  const questions = [...(lists?.questions ?? []), ...about.questions];
  const isComplete = canBeListed && questions.every(({ failure, isCutOff }) => failure === null && !isCutOff);
  const result: Reconciliation = {
    verdict: verdictOf(candidates, isComplete),
    askedAt: new Date().toISOString(),
    questions,
    candidates: candidates.slice(0, keptCandidates),
  };
  queue.context.store.jobs.keepLook(jobId, result);
  queue.changes.mark(jobId);
  return result;
}

function wantedOf({ context }: QueueContext, job: StoredJob, separator: string): Wanted {
  const text = (name: string) => String(job.args[name] ?? '');
  const departedMs = Date.parse(job.departedAt ?? job.createdAt);
  const seen = job.attemptEndedAt ?? job.answerBeganAt ?? job.at;
  const foundOver = context.store.jobs.history(job.id).findLast(({ kind }) => kind === 'in-doubt');
  const emails = text('Emails')
    .split(separator)
    .map(emailKey)
    .filter((email) => email !== '');
  return {
    emails: new Set(emails),
    documentName: text('DocumentName'),
    clientId: text('ClientID'),
    departedMs,
    seenMs: Math.max(departedMs, Date.parse(seen)),
    overMs: Date.parse(foundOver?.at ?? seen),
  };
}

/** True for an entry worth keeping from a list of any length. */
function isNear(wanted: Wanted, seen: Seen): boolean {
  const { fits, differs } = compare(wanted, seen);
  return fits.includes('email') && !differs.includes('time');
}

/** Documents that somebody opened by ID after the job was created: each may be the job's document. */
function openedIds({ context }: QueueContext, job: StoredJob, wanted: Wanted): string[] {
  return context.store.documents
    .opened(job.connectionId, 200)
    .filter(({ clientId, registeredAt }) => {
      const isSame = wanted.clientId !== '' && normal(clientId) === normal(wanted.clientId);
      return isSame && registeredAt >= job.createdAt;
    })
    .slice(0, askedSingly)
    .map(({ documentId }) => documentId);
}

function idsOf(wanted: Wanted, seen: readonly Seen[]): string[] {
  const sorted = [...seen].sort((a, b) => weight(compare(wanted, b)) - weight(compare(wanted, a)));
  return [...new Set(sorted.map(({ documentId }) => documentId))].slice(0, askedSingly);
}

/** Merges entries to one per document: details complete what the lists contain. A list has one entry per signer. */
function merged(listed: readonly Seen[], asked: readonly Seen[]): Seen[] {
  const byId = new Map<string, Seen>();
  for (const seen of [...listed, ...asked]) {
    const key = normal(seen.documentId);
    const before = byId.get(key);
    byId.set(key, {
      documentId: seen.documentId,
      documentName: before?.documentName ?? seen.documentName,
      email: before?.email ?? seen.email,
      name: before?.name ?? seen.name,
      createdDate: before?.createdDate ?? seen.createdDate,
      clientId: seen.clientId ?? before?.clientId,
      isTaken: false,
    });
  }
  return [...byId.values()];
}

function candidatesOf(
  { context }: QueueContext,
  job: StoredJob,
  wanted: Wanted,
  seen: readonly Seen[],
): ReconcileCandidate[] {
  const isTaken = (documentId: string) => {
    const owner = context.store.documents.byDocumentId(job.connectionId, documentId)?.jobId;
    return owner !== null && owner !== undefined && owner !== job.id;
  };
  return seen
    .map((one) => compare(wanted, { ...one, isTaken: isTaken(one.documentId) }))
    .sort((a, b) => weight(b) - weight(a));
}

function weight({ fits, differs, isTaken }: ReconcileCandidate): number {
  return fits.length - 2 * differs.length - (isTaken ? 10 : 0);
}

/** True if time and identifying marks fit and no mark differs. */
function isIt({ fits, differs, isTaken }: ReconcileCandidate): boolean {
  const isNamed = fits.includes('client-reference') || (fits.includes('email') && fits.includes('document-name'));
  return !isTaken && differs.length === 0 && fits.includes('time') && isNamed;
}

/** True if the candidate could still be the job's document. */
function mayBe({ fits, differs, isTaken }: ReconcileCandidate): boolean {
  return !isTaken && differs.length === 0 && fits.length > 0;
}

function verdictOf(candidates: readonly ReconcileCandidate[], isComplete: boolean): Reconciliation['verdict'] {
  const certain = candidates.filter(isIt);
  if (certain.length === 1) return 'found';
  if (certain.length > 1 || candidates.some(mayBe) || !isComplete) return 'cannot-tell';
  return 'not-found';
}
