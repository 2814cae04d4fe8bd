import { setImmediate as nextTurn } from 'node:timers/promises';
import { emailKey } from '../../../contract/email.ts';
import type { Found, FoundJob, FoundPerson, FoundRequest } from '../../../contract/home.ts';
import type { Handlers } from '../../../contract/index.ts';
import { matchRank } from '../../../contract/text.ts';
import type { FoundRequest as StoredFound } from '../../store/signatures/requests/requests.ts';
import type { Store } from '../../store/store.ts';
import type { Context } from '../context.ts';
import { appError } from '../foundation/app-error.ts';

/** Matches of each kind that are answered, and those that are ranked for it. */
const [mostAnswered, mostRanked] = [6, 24];
/** Jobs that need a person are few. */
const mostLooked = 500;

/** The search of the whole program while a person types. */
export function findCalls({ store, connections }: Context): Pick<Handlers, 'find.all'> {
  let searches = 0;
  return {
    'find.all': async ({ connectionId, text }) => {
      searches += 1;
      const own = searches;
      // Each part is short; between two of them other calls are answered, and a search that was overtaken ends.
      const part = async <T>(read: () => T): Promise<T> => {
        await nextTurn();
        if (own !== searches) throw appError('cancelled', 'another search began');
        return read();
      };
      const { lists, separator } = await connections.get(connectionId);
      const listed = await part(() => findPeople(store, connectionId, text));
      const stored = await store.requests.findByText({ connectionId, lists, separator }, text, mostRanked);
      const asked = new Set(stored.flatMap(({ request }) => request?.signers ?? []).map(addressOf));
      const people = listed.map((one) => (asked.has(addressOf(one)) ? { ...one, hasRequests: true } : one));
      const requests = await part(() => foundRequests(store, connectionId, stored, text));
      const documents = await part(() => findDocuments(store, text));
      const jobs = await part(() => findJobs(store, text));
      return { jobs, people, requests, documents };
    },
  };
}

const addressOf = ({ email }: { readonly email: string | null }) => emailKey(email ?? '');

/** Of the newest jobs that need a person, whatever their connection. */
function findJobs(store: Store, text: string): Found['jobs'] {
  const { jobs } = store.jobs.list({ states: ['in-doubt', 'refused', 'failed'], offset: 0, limit: mostLooked });
  const found = jobs.map(({ id, batchId, title, state, record }) => {
    return { id, batchId, title, state, sentTo: record?.signers ?? '' };
  });
  const isFound = ({ title, sentTo }: FoundJob) => matchRank(text, [title, sentTo]) > 0;
  return ranked(text, found.filter(isFound), ({ title, sentTo }) => [title, sentTo]).slice(0, mostAnswered);
}

/** People of the address book and signers of the connection's lists, each address once. */
function findPeople(store: Store, connectionId: string, text: string): FoundPerson[] {
  const known = store.people.list({ search: text, offset: 0, limit: mostRanked }).people;
  const listed = store.tracked.findSigners(connectionId, text, mostRanked);
  const people = new Map([...listed, ...known].map(({ name, email }) => [emailKey(email), { name, email }]));
  const ordered = [...known, ...listed].map(({ email }) => emailKey(email));
  const unique = [...new Set(ordered)].flatMap((key) => people.get(key) ?? []);
  const best = ranked(text, unique, ({ name, email }) => [name, email]).slice(0, mostAnswered);
  const withRequests = store.tracked.listedAddresses(
    connectionId,
    best.map(({ email }) => email),
  );
  return best.map((person) => ({ ...person, hasRequests: withRequests.has(emailKey(person.email)) }));
}

function foundRequests(
  store: Store,
  connectionId: string,
  stored: readonly StoredFound[],
  text: string,
): FoundRequest[] {
  // The service may list a document without a name; it is then called as it was sent from here.
  const names = store.documents.sentAs(
    connectionId,
    stored.flatMap(({ request }) => request?.origDocumentId ?? []),
  );
  const found = stored.map(({ entry, request }) => ({
    entryId: entry && String(entry.seq),
    origDocumentId: request?.origDocumentId ?? null,
    jobId: request?.origDocumentId ? null : (request?.job?.id ?? null),
    documentName:
      request?.documentName ||
      entry?.document_name ||
      names.get(request?.origDocumentId?.toLowerCase() ?? '')?.name ||
      null,
    signerCount: request?.signerCount ?? 1,
    signedCount: request?.signedCount ?? 0,
    hasUnknown: request?.hasUnknown ?? true,
    ...(request?.mayHaveMore && { mayHaveMore: request.mayHaveMore }),
    people: (request?.signers ?? []).map(({ name, email }) => name || email || '').filter(Boolean),
  }));
  return ranked(text, found, ({ documentName, origDocumentId }) => [documentName ?? '', origDocumentId ?? '']).slice(
    0,
    mostAnswered,
  );
}

function findDocuments(store: Store, text: string): Found['documents'] {
  const found = store.documents.findByText(text, mostRanked).map((row) => ({
    id: row.id,
    connectionId: row.connectionId,
    documentId: row.documentId,
    key: row.documentId ?? row.jobId ?? '',
    name: row.name,
    clientId: row.clientId,
  }));
  return ranked(text, found, ({ name, documentId, clientId }) => [name, documentId ?? '', clientId]).slice(
    0,
    mostAnswered,
  );
}

/** Best matches first; equal ones stay in their order. */
function ranked<T>(text: string, found: readonly T[], textsOf: (one: T) => readonly string[]): T[] {
  return found
    .map((one) => ({ one, rank: matchRank(text, textsOf(one)) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ one }) => one);
}
