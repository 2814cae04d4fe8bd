import type { Connection } from '../../../../contract/connections.ts';
import type { Failure } from '../../../../contract/failure.ts';
import type { ReconcileQuestion } from '../../../../contract/jobs.ts';
import { documentIdKey } from '../../../../contract/text.ts';
import type { RawESignEntry, SoapClient } from '../../../soap/service/client.ts';
import { acceptedText } from '../../connections/service-calls.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import { retryRead } from '../../foundation/backoff.ts';
import type { QueueContext } from '../queue-context.ts';
import { isNear, isOlder, type Seen, type Wanted, without } from './compare.ts';

/** How the questions are asked. */
export interface Asking {
  /** Attempts per question. */
  readonly tries: number;
  /** Counts one call; false if it must not be made. */
  readonly mayAsk: () => Promise<boolean>;
}

/** A person waits for the result, and it matters. */
export const askedByPerson: Asking = { tries: 4, mayAsk: async () => true };

/** The program may not ask more by itself now. */
export class NoMoreCalls extends Error {}

/** Documents kept of one list until all its signers are read; a longer list counts as cut off there. */
const keptDocuments = 50_000;
/** Signers kept of one document besides those asked: more would only differ once more. */
const keptOthers = 20;

/** The questions asked, and the entries worth comparing. */
export interface Asked {
  readonly questions: ReconcileQuestion[];
  readonly seen: Seen[];
  /** With the service's clock, where an answer named it. */
  readonly wanted: Wanted;
}

/** A document in a list. */
interface Listed {
  readonly seen: Seen;
  readonly emails: (string | null)[];
  isNear: boolean;
}

/** Reads every list of the connection, for the documents that may be the job's with all their signers. A question that fails is recorded as one of the answers. */
export async function readLists(
  queue: QueueContext,
  { id, lists, maxItems }: Connection,
  given: Wanted,
  asking: Asking,
): Promise<Asked> {
  const questions: ReconcileQuestion[] = [];
  const all = new Map<string, Listed>();
  const clock = serviceClock(given);
  const how = { onServiceTime: clock.onServiceTime, signal: queue.closing };
  for (const { value, name } of lists) {
    let list = newList(clock.wanted);
    const read = async (client: SoapClient) => {
      list = newList(clock.wanted);
      const onEntries = (slice: readonly RawESignEntry[]) => slice.forEach(list.add);
      return client.listESign(value, maxItems, onEntries, how);
    };
    const { value: entries, failure } = await attempt(queue, id, asking, read);
    const isFull = entries !== null && maxItems > 0 && entries >= maxItems;
    // A service may list less than was asked: without an older entry the list may end after the attempt.
    const mayEndBefore = entries !== null && entries > 0 && !list.reachesBack();
    const isCutOff = list.isPartial() || isFull || mayEndBefore;
    questions.push({ operation: 'GetESignList', about: name, entries, isCutOff, failure });
    if (failure) continue;
    // Who signs while the lists are read is in two of them.
    for (const [key, { seen, emails, isNear }] of list.documents)
      put(all, key, seen, without(emails, all.get(key)?.emails ?? []), isNear, clock.wanted());
  }
  return { questions, seen: nearOf(all), wanted: clock.wanted() };
}

/** Those of the documents that may be the job's. */
export const nearOf = (documents: ReadonlyMap<string, Listed>): Seen[] =>
  [...documents.values()].filter((one) => one.isNear).map((one) => ({ ...one.seen, emails: one.emails }));

/** The job's own marks, with the service's clock as the newest answer tells it. */
function serviceClock(given: Wanted) {
  let wanted = given;
  return {
    wanted: () => wanted,
    onServiceTime: (ms: number) => {
      wanted = { ...given, aheadMs: ms - Date.now() };
    },
  };
}

/** Gathers the entries of a list by document. */
export function newList(sought: () => Wanted) {
  const documents = new Map<string, Listed>();
  let isPartial = false;
  let reachesBack = false;
  return {
    documents,
    add(entry: RawESignEntry) {
      const wanted = sought();
      reachesBack ||= isOlder(wanted, entry?.CreatedDate ?? null);
      const seen = seenOf(entry);
      const key = seen && documentIdKey(seen.documentId);
      // An entry without content (nil), or whose document has another element name, may be the one that is searched.
      if (key === null || (documents.size >= keptDocuments && !documents.has(key))) isPartial = true;
      else put(documents, key, seen as Seen, (seen as Seen).emails, isNear(wanted, seen as Seen), wanted);
    },
    isPartial: () => isPartial,
    reachesBack: () => reachesBack,
  };
}

/** A list has one entry per signer. The fields are those of the first entry that may be the job's. */
function put(
  documents: Map<string, Listed>,
  key: string,
  seen: Seen,
  emails: Seen['emails'],
  isNear: boolean,
  wanted: Wanted,
): void {
  const before = documents.get(key);
  if (before && (before.isNear || !isNear)) {
    if (before.emails.length <= wanted.emails.length + keptOthers) before.emails.push(...emails);
  } else documents.set(key, { seen, emails: [...(before?.emails ?? []), ...emails], isNear });
}

/** Reads the details of each document. */
export async function askAbout(
  queue: QueueContext,
  connectionId: string,
  documentIds: readonly string[],
  given: Wanted,
  asking: Asking,
): Promise<Asked> {
  const questions: ReconcileQuestion[] = [];
  const seen: Seen[] = [];
  const { wanted, onServiceTime } = serviceClock(given);
  const how = { onServiceTime, signal: queue.closing };
  for (const documentId of documentIds) {
    const { value: reply, failure } = await attempt(queue, connectionId, asking, async (client) => {
      const answered = await client.invoke('GetDocumentDetails', { ServiceDocumentID: documentId }, how);
      acceptedText(answered.raw);
      const errors = answered.record?.Errors?.trim() ?? '';
      if (errors.startsWith('-') || !answered.record)
        throw appError('service-refused', 'the service has no details of this document', {
          detail: 'negative-code',
          serviceCode: errors || undefined,
        });
      // A text, or a record with other names, does not say whether this is the document that is searched.
      if (Object.keys(answered.record).length === 0)
        throw appError('reply-unreadable', 'a record with none of the known fields', { detail: 'wrong-reply' });
      return answered;
    });
    const question = { operation: 'GetDocumentDetails', about: documentId, entries: null, isCutOff: false } as const;
    questions.push({ ...question, failure });
    const record = reply?.record;
    if (!record) continue;
    seen.push({
      documentId,
      documentName: record.DocumentName ?? null,
      emails: [],
      name: null,
      createdDate: record.CreatedDate ?? null,
      clientId: record.ClientID ?? null,
      description: record.Description ?? null,
    });
  }
  return { questions, seen, wanted: wanted() };
}

async function attempt<T>(
  { context, closing }: QueueContext,
  connectionId: string,
  { tries, mayAsk }: Asking,
  read: (client: SoapClient) => Promise<T>,
): Promise<{ readonly value: T | null; readonly failure: Failure | null }> {
  if (!(await mayAsk())) throw new NoMoreCalls();
  try {
    const client = await context.connections.client(connectionId);
    return { value: await retryRead(() => read(client), { tries, signal: closing }), failure: null };
  } catch (error) {
    const failure = failureOf(error);
    // A look that the end of the program cuts off is none.
    if (!failure || closing.aborted) throw error;
    return { value: null, failure };
  }
}

const noGuid = /^[0-]*$/;

/** The document of an entry: the original document if the service names both the original and the signed one. */
function seenOf(entry: RawESignEntry): Seen | null {
  if (!entry) return null;
  const original = entry.OrigServiceDocumentID ?? '';
  const documentId = noGuid.test(original) ? (entry.ServiceDocumentID ?? '') : original;
  if (documentId.trim() === '') return null;
  return {
    documentId: documentId.trim(),
    documentName: entry.DocumentName ?? null,
    emails: [entry.Email ?? null],
    name: entry.Name ?? null,
    createdDate: entry.CreatedDate ?? null,
  };
}
