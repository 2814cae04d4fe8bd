import { setImmediate as nextTurn } from 'node:timers/promises';
import { emailKey } from '../../../../contract/email.ts';
import type { ReconcileQuestion, Reconciliation } from '../../../../contract/jobs.ts';
import { documentIdKey, withoutBraces } from '../../../../contract/text.ts';
import type { StoredJob } from '../../../store/jobs/job-rows.ts';
import { lastOf } from '../../../store/signatures/requests/request-signers.ts';
import { appError } from '../../foundation/app-error.ts';
import type { QueueContext } from '../queue-context.ts';
import { knownJob } from '../user-actions.ts';
import { askAboutFile, mostOpen } from './ask-about-file.ts';
import { type Asking, askAbout, askedByPerson, nearOf, newList, readLists } from './ask-service.ts';
import { type Compared, compare, normal, type Seen, type Wanted } from './compare.ts';

/** What is asked about besides the lists. */
export interface LookFor {
  readonly documentId?: string | undefined;
  readonly withFile: boolean;
}

/** How many candidates are asked about one by one, and how many are kept. */
const askedSingly = 5;
const keptCandidates = 20;

/**
 * Asks the service about a job in doubt, by reads only: the e-sign lists if the request had signers (address,
 * document name, time), the details of possible matches (client reference), and of a document that the person names.
 * Stores the result with the job, unless nothing could be asked; of a look that the program makes by itself only one that read a list. Rejects with not-found, and with bad-input if the job is not in doubt.
 */
export async function reconcile(
  queue: QueueContext,
  jobId: string,
  { documentId, withFile }: LookFor,
  asking: Asking = askedByPerson,
): Promise<Reconciliation> {
  const job = knownJob(queue, jobId);
  if (job.state !== 'in-doubt') throw appError('bad-input', `a job that is ${job.state} is not in doubt`);
  const connection = await queue.context.connections.get(job.connectionId);
  const asked = wantedOf(queue, job, connection.separator);
  // A quick note is in no list and has no document ID.
  const canBeListed = asked.emails.length > 0;
  const lists = canBeListed ? await readLists(queue, connection, asked, asking) : null;
  const listed = lists?.wanted ?? asked;
  const named = [...(documentId ? [withoutBraces(documentId)] : []), ...openedIds(queue, job, listed)];
  const toAsk = [...new Set([...named, ...idsOf(listed, lists?.seen ?? [])])];
  const about = await askAbout(queue, connection.id, toAsk, listed, asking);
  const found = comparedOf(queue, job, about.wanted, [...(lists?.seen ?? []), ...about.seen]);
  const file = withFile ? await askAboutFile(queue, job) : null;
  const questions = [...(file ? [file.question] : []), ...(lists?.questions ?? []), ...about.questions];
  const isComplete = canBeListed && questions.every(({ failure, isCutOff }) => failure === null && !isCutOff);
  const isOnly = isOnlyReference(queue, job);
  const ofOthers = verdictOf(found, about.questions, { isComplete, isOnly });
  const ofFile = file && ofOthers !== 'found' && !found.some(mayBe) ? file : null;
  const verdict = ofFile?.verdict ?? ofOthers;
  const isUnknown = verdict === 'cannot-tell' && !found.some(mayBe);
  const result: Reconciliation = {
    verdict: isUnknown && (ofFile ? [ofFile.question] : questions).some(isUnanswered) ? 'unanswered' : verdict,
    ...(ofFile?.explainedBy === undefined ? {} : { explainedBy: ofFile.explainedBy }),
    askedAt: new Date().toISOString(),
    questions,
    candidates: found.slice(0, keptCandidates).map(({ candidate }) => candidate),
  };
  const wasRead = questions.some(({ operation, failure }) => operation === 'GetESignList' && failure === null);
  if ((asking === askedByPerson && questions.length > 0) || wasRead) {
    queue.context.store.jobs.keepLook(jobId, withEarlier(job.look, result));
    queue.changes.mark(jobId);
  }
  return result;
}

/** That the service has no details of a document is an answer. */
const isUnanswered = ({ operation, failure }: ReconcileQuestion) =>
  failure !== null && !(operation === 'GetDocumentDetails' && failure.code === 'service-refused');

/** What was found before, where this look found out less because it got no answer. */
function withEarlier(before: Reconciliation | null, look: Reconciliation): Reconciliation {
  const { askedAt, questions } = look;
  const isLess = before !== null && questions.some(isUnanswered) && worthOf(look) < worthOf(before);
  return isLess ? { ...before, unanswered: { askedAt, questions } } : look;
}

const worths = ['unanswered', 'cannot-tell', 'not-found', 'may-be', 'found'] as const;
const worthOf = ({ verdict, candidates }: Reconciliation) =>
  worths.indexOf(verdict === 'cannot-tell' && candidates.length > 0 ? 'may-be' : verdict);

/**
 * Looks in the lists as they are stored for what no list had when it was looked for, or that nobody looked for yet: a later reading may have it. This asks nothing, and without details nothing is
 * certain: what has the name and nobody but people who were asked is a possible match. Rejects with not-found if the connection was removed.
 */
export async function lookInStoredLists(queue: QueueContext, connectionId: string): Promise<void> {
  const { jobs, tracked, requests } = queue.context.store;
  const { separator, lists } = await queue.context.connections.get(connectionId);
  const isUnfound = ({ state, look, supersededBy }: StoredJob) =>
    state === 'in-doubt' &&
    (look === null || (look.candidates.length === 0 && ['not-found', 'cannot-tell'].includes(look.verdict))) &&
    // What a list shows now may be the correction's, whose answer will say so.
    jobs.get(supersededBy ?? '')?.state !== 'sending';
  const page = { offset: 0, limit: mostOpen } as const;
  const doubts = jobs.list({ connectionId, states: ['in-doubt'], corrected: 'too', ...page }).jobs;
  for (const { id } of doubts.filter(isUnfound)) {
    await nextTurn();
    // A person may have decided about it meanwhile.
    const job = queue.closing.aborted ? null : jobs.get(id);
    if (!job || !isUnfound(job)) continue;
    const wanted = wantedOf(queue, job, separator);
    const list = newList(() => wanted);
    for (const entry of tracked.named(connectionId, wanted.documentName)) list.add(entry);
    const candidates = comparedOf(queue, job, wanted, nearOf(list.documents))
      .filter((one) => mayBe(one) && (one.candidate.fits.includes('email') || one.candidate.unlisted))
      .map(({ candidate }) => candidate);
    if (candidates.length === 0) continue;
    // As of the newest list: a colleague may have read it a while ago.
    const read = [...requests.lists({ connectionId, lists }).values()];
    const askedAt = lastOf(read.map(({ asOf }) => asOf)) ?? new Date().toISOString();
    jobs.changeLook(job.id, { verdict: 'cannot-tell', askedAt, questions: [], candidates });
    queue.changes.mark(job.id);
  }
}

function wantedOf({ context }: QueueContext, job: StoredJob, separator: string): Wanted {
  const text = (name: string) => String(job.args[name] ?? '');
  const doubts = context.store.jobs.attempts(job.id).filter(({ kind }) => kind === 'in-doubt');
  const sending = (departedAt: string, seen: string, overAt = seen) => {
    const departedMs = Date.parse(departedAt);
    return { departedMs, seenMs: Math.max(departedMs, Date.parse(seen)), overMs: Date.parse(overAt) };
  };
  const earlier = doubts.slice(0, -1).flatMap(({ departedAt, answerBeganAt, endedAt, at }) => {
    return departedAt === null ? [] : sending(departedAt, endedAt ?? answerBeganAt ?? departedAt, at);
  });
  const seen = job.attemptEndedAt ?? job.answerBeganAt ?? job.at;
  const emails = text('Emails')
    .split(separator)
    .map(emailKey)
    .filter((email) => email !== '');
  return {
    emails,
    asksOwner: text('ReqOwnerESign') === 'true',
    documentName: text('DocumentName'),
    clientId: text('ClientID'),
    description: text('Description'),
    sendings: [...earlier, sending(job.departedAt ?? job.createdAt, seen, doubts.at(-1)?.at)],
    aheadMs: null,
  };
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
    .flatMap(({ documentId }) => documentId ?? []);
}

function idsOf(wanted: Wanted, seen: readonly Seen[]): string[] {
  const found = seen.map((one) => compare(wanted, [one], false)).sort((a, b) => weight(b) - weight(a));
  return found.slice(0, askedSingly).map(({ candidate }) => candidate.documentId);
}

/** One per document, the best first. */
function comparedOf({ context }: QueueContext, job: StoredJob, wanted: Wanted, seen: readonly Seen[]): Compared[] {
  const isTaken = (documentId: string) => {
    const owner = context.store.documents.byDocumentId(job.connectionId, documentId)?.jobId;
    return owner !== null && owner !== undefined && owner !== job.id;
  };
  const reports = new Map<string, Seen[]>();
  for (const one of seen) {
    const key = documentIdKey(one.documentId);
    reports.set(key, [...(reports.get(key) ?? []), one]);
  }
  return [...reports.values()]
    .map((each) => compare(wanted, each, isTaken(each[0]?.documentId ?? '')))
    .sort((a, b) => weight(b) - weight(a));
}

function weight({ candidate: { fits, differs, isTaken }, isRuledOut }: Compared): number {
  return fits.length - 2 * differs.length - (isRuledOut ? 5 : 0) - (isTaken ? 10 : 0);
}

/**
 * True if time and identifying marks fit, no mark differs and nobody is missing. A time without a zone cannot fit: it takes a reference that was sent only once.
 */
function isIt({ candidate, isSomewhereThen }: Compared, isOnly: IsOnly): boolean {
  const { fits, differs, unlisted, isTaken, documentId } = candidate;
  if (isTaken || differs.length > 0 || unlisted) return false;
  const isReferred = fits.includes('client-reference');
  if (fits.includes('time')) return isReferred || (fits.includes('email') && fits.includes('document-name'));
  return isSomewhereThen && isReferred && isOnly(documentId);
}

type IsOnly = (documentId: string) => boolean;

/** Answers whether nothing besides a document that is known here, or in the team, has the job's reference. */
function isOnlyReference({ context: { store } }: QueueContext, { id, connectionId, args }: StoredJob): IsOnly {
  const reference = String(args.ClientID ?? '');
  const open = () => store.jobs.list({ states: ['sending', 'in-doubt'], offset: 0, limit: mostOpen }).jobs;
  return (documentId) =>
    !store.documents.isReferenceOfOther(connectionId, reference, documentId) &&
    !open().some((job) => job.id !== id && job.connectionId === connectionId && job.args.ClientID === reference);
}

/** True if the candidate could still be the job's document. */
function mayBe({ candidate: { fits, unlisted, isTaken }, isRuledOut }: Compared): boolean {
  return !isTaken && !isRuledOut && (fits.length > 0 || unlisted !== undefined);
}

/** Only a document whose details were read is found: they may contradict the lists. */
function verdictOf(
  found: readonly Compared[],
  asked: readonly ReconcileQuestion[],
  { isComplete, isOnly }: { readonly isComplete: boolean; readonly isOnly: IsOnly },
): Reconciliation['verdict'] {
  const [certain, ...others] = found.filter((one) => isIt(one, isOnly));
  const isAsked = asked.some(
    ({ about, failure }) =>
      failure === null && documentIdKey(about) === documentIdKey(certain?.candidate.documentId ?? ''),
  );
  if (certain && others.length === 0 && isAsked) return 'found';
  if (certain || found.some(mayBe) || !isComplete) return 'cannot-tell';
  return 'not-found';
}
