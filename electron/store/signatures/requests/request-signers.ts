import type { ConnectionSettings, ListMeaning } from '../../../../contract/connections.ts';
import { emailKey } from '../../../../contract/email.ts';
import type { RequestState, TrackedSigner } from '../../../../contract/tracking.ts';

/** Somebody who was asked; the address is empty for the owner of the account, which no request names. */
export interface AskedPerson {
  readonly email: string;
  readonly name: string;
}

/** An entry of a list, now or before it left the list. */
export interface SeenEntry {
  readonly seq: number;
  readonly entry_key: string;
  readonly list_type: number;
  readonly email: string | null;
  readonly name: string | null;
  readonly first_seen_at: string;
  readonly moved_from: number | null;
  readonly gone_at: string | null;
  /** Of one that has gone: the last reading that had it; null where that is not known. */
  readonly listed_until?: string | null;
}

/** A list that was read completely, with the times of its first and its last reading. */
export interface ReadList {
  readonly meaning: ListMeaning;
  readonly firstReadAt: string;
  readonly asOf: string;
}
export type ReadLists = ReadonlyMap<number, ReadList>;

/** The lists that were never read completely: what they have is not known, and no count that needs one of them. */
export const unreadOf = (lists: ConnectionSettings['lists'], read: ReadLists) =>
  lists.filter(({ value }) => !read.has(value));

/** The last of some times; null if there is none. */
export const lastOf = (times: readonly (string | null)[]) =>
  times
    .filter((time) => time !== null)
    .sort()
    .at(-1) ?? null;

/** `seq`: the entry in a list now. */
export interface StoredSigner extends Pick<TrackedSigner, 'state' | 'at' | 'isByStatus'> {
  readonly email: string | null;
  readonly name: string | null;
  readonly seq: number | null;
}

export interface SignerSources {
  readonly asked: readonly AskedPerson[];
  readonly seen: readonly SeenEntry[];
  readonly lists: ReadLists;
  /** When the service answered that the document is completed; null if its last answer was another, or a list knows better since. */
  readonly completedAt: string | null;
  /** When the service answered that the document is in progress; null if its last answer was another. */
  readonly inProgressAt: string | null;
  /** It left from this computer: nobody had signed it before, so that a first reading of a list is when that was seen. */
  readonly leftFromHere?: boolean;
}

/**
 * Who was asked, in the order of the request, and what is known of each. Entries of one address are counted: a list does not tell which place in the order signed. People
 * who were seen and not asked come last, as the owner of the account if one was asked.
 */
export function signersOf(sources: SignerSources): StoredSigner[] {
  const groups = new Map<string, SeenEntry[]>();
  for (const entry of sources.seen) {
    if (!sources.lists.has(entry.list_type)) continue;
    const key = emailKey(entry.email ?? '');
    const known = groups.get(key);
    if (known) known.push(entry);
    else groups.set(key, [entry]);
  }
  const named = sources.asked.filter(({ email }) => email !== '');
  const owners = sources.asked.length - named.length;
  const places = new Map<string, StoredSigner[]>();
  for (const { email } of named) {
    const key = emailKey(email);
    if (places.has(key)) continue;
    const times = named.filter((one) => emailKey(one.email) === key).length;
    places.set(key, placesOf(sources, groups.get(key) ?? [], times));
    groups.delete(key);
  }
  const signers = named.map(({ email, name }) => {
    const place = places.get(emailKey(email))?.shift() ?? nobodySeen(sources);
    return { ...place, email, name: name || place.name };
  });
  const others = [...groups.values()].flatMap((entries) => placesOf(sources, entries, 1));
  const unseenOwners = Array.from({ length: Math.max(0, owners - others.length) }, () => nobodySeen(sources));
  const all = waitedFor(sources, [...signers, ...[...places.values()].flat(), ...others, ...unseenOwners]);
  const isByStatus = ({ state, at }: StoredSigner) => state === 'signed' && at !== null && at === sources.completedAt;
  return all.map((one) => (isByStatus(one) ? { ...one, isByStatus: true } : one));
}

/** With a document in progress, the only one of whom it is not known is who is waited for. */
function waitedFor(sources: SignerSources, signers: StoredSigner[]): StoredSigner[] {
  const unknown = signers.filter(({ state }) => state === 'not-known');
  const isOther = unknown.length !== 1 || signers.some(({ state }) => state === 'waiting');
  if (isOther || !isInProgress(sources, signers)) return signers;
  return signers.map((one) => (one === unknown[0] ? { ...one, state: 'waiting', at: sources.inProgressAt } : one));
}

/** True if the service answered so after everything that was seen of the signers. */
export function isInProgress(
  { inProgressAt }: Pick<SignerSources, 'inProgressAt'>,
  signers: readonly Pick<StoredSigner, 'at'>[],
): boolean {
  return inProgressAt !== null && signers.every(({ at }) => at === null || at <= inProgressAt);
}

/** The signers with one address; at least `times`. */
function placesOf(sources: SignerSources, entries: readonly SeenEntry[], times: number): StoredSigner[] {
  const { lists, completedAt } = sources;
  const meaningOf = ({ list_type }: SeenEntry) => lists.get(list_type)?.meaning ?? 'none';
  const byKey = (some: readonly SeenEntry[]) => [...new Map(some.map((entry) => [entry.entry_key, entry])).values()];
  // Of the entries with one key the last counts: one that is in its list.
  const ordered = [...entries].sort((a, b) => Number(a.gone_at === null) - Number(b.gone_at === null));
  const count = Math.max(times, byKey(entries).length);
  const signed = byKey(ordered.filter((entry) => meaningOf(entry) === 'signed')).map((entry) =>
    signerOf(entry, 'signed', sources.leftFromHere ? entry.first_seen_at : signedAt(entry, lists)),
  );
  const waiting = byKey(ordered.filter((entry) => meaningOf(entry) === 'waiting' && entry.gone_at === null))
    .slice(0, Math.max(0, count - signed.length))
    .map((entry) => (completedAt === null ? signerOf(entry, 'waiting', null) : signerOf(entry, 'signed', completedAt)));
  const known = [...signed, ...waiting];
  const left = ordered.filter((entry) => meaningOf(entry) !== 'signed').at(-1);
  const goneAt = lastOf(entries.map(({ gone_at }) => gone_at));
  while (known.length < count)
    known.push(
      completedAt !== null
        ? { ...nobodySeen(sources), state: 'signed', at: completedAt, ...(left ? personOf(left) : {}) }
        : left
          ? signerOf(left, 'not-known', left.gone_at === null ? null : goneAt)
          : nobodySeen(sources),
    );
  return known;
}

const personOf = ({ email, name }: SeenEntry) => ({ email, name });

function signerOf(entry: SeenEntry, state: StoredSigner['state'], at: string | null): StoredSigner {
  return { ...personOf(entry), state, at, seq: entry.gone_at === null ? entry.seq : null };
}

/** Also of a request that was just sent: a list that was not read since, or that is cut, tells nothing of whom it does not have. */
function nobodySeen({ completedAt }: SignerSources): StoredSigner {
  return { email: null, name: null, state: completedAt !== null ? 'signed' : 'not-known', at: completedAt, seq: null };
}

/** When a signature was first seen; null if it was there when its list was first read and nobody had seen the entry elsewhere. */
export function signedAt(
  entry: Pick<SeenEntry, 'first_seen_at' | 'moved_from' | 'list_type'>,
  lists: ReadLists,
): string | null {
  const firstReadAt = lists.get(entry.list_type)?.firstReadAt ?? '';
  return entry.moved_from !== null || entry.first_seen_at > firstReadAt ? entry.first_seen_at : null;
}

/**
 * The state of a request that was sent. Whoever is known to wait is waited for, whatever the others did; without such a person it is known only if everybody is, or
 * if the service answered that somebody is waited for. `isSignedUnread`: a list of signed ones was never read, so that those of whom it is not known may all be in it.
 */
export function stateOfSigners(
  signers: readonly Pick<StoredSigner, 'state'>[],
  { isAwaited = false, isSignedUnread = false } = {},
): RequestState {
  const has = (state: StoredSigner['state']) => signers.some((signer) => signer.state === state);
  const isComplete = has('signed') && !has('not-known');
  const isOpen = has('waiting') || (isAwaited && !isComplete);
  if (isOpen && has('signed')) return 'partly-signed';
  if (isOpen && !(isSignedUnread && has('not-known'))) return 'waiting';
  return isComplete ? 'complete' : 'not-known';
}
