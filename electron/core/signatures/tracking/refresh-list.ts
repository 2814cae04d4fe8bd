import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ESignEntry } from '../../../../contract/compose.ts';
import { readDateTime } from '../../../soap/reply/answers.ts';
import type { RawESignEntry } from '../../../soap/service/client.ts';
import type { ArrivedEntry, ListState } from '../../../store/signatures/tracking/list-entries.ts';
import type { Applied, ListReading } from '../../../store/signatures/tracking/list-reading.ts';
import type { Context } from '../../context.ts';
import { retryWhileBusy } from '../../foundation/retry-while-busy.ts';
import { createTurns } from '../../foundation/throttled.ts';
import type { SecretVault } from '../../secrets/secret-vault.ts';
import type { SharedCopy, SharedEntry } from '../../team/shared-lists.ts';

/** Entries removed in one transaction: a few milliseconds. */
const goneAtOnce = 100;
/** How long entries that left their list are remembered, in case they appear in another list. */
const keptGoneMs = 90 * 24 * 3_600_000;
/** Entries between two readings of the clock. */
const entriesPerClockCheck = 50;

const noDocument = /^0{8}-0{4}-0{4}-0{4}-0{12}$/;

/** Takes the entries of a list as they arrive: a long list is never whole in memory. */
export interface EntrySink {
  /** The reading begins again: what was taken does not count. */
  restart(): void | Promise<void>;
  add(entries: readonly ESignEntry[]): void | Promise<void>;
}

/** Takes the entries for the team as they arrive, without secret words. */
export interface TeamSink {
  restart(): void;
  add(entries: readonly SharedEntry[]): Promise<void>;
  /** The list is complete. Answers the time of the copy; null if the register could not take it. */
  publish(counts: { readonly total: number; readonly nilEntries: number }): Promise<string | null>;
}

interface ReadingOptions {
  readonly asSent?: EntrySink | undefined;
  readonly team?: TeamSink | undefined;
  readonly signal?: AbortSignal;
}

export interface ListToRead {
  readonly connectionId: string;
  readonly listType: number;
  readonly maxItems: number;
}

/**
 * Reads a list (GetESignList) and compares it with the stored copy as it arrives. Unchanged entries are not written
 * again; the others are published when the whole list has arrived. Works in slices: the window stays responsive with
 * 100,000 entries. `asSent` gets the entries in the order of the service, without secret words.
 */
export async function refreshList(
  { connections, store, vault }: Context,
  { connectionId, listType, maxItems }: ListToRead,
  { asSent, team, signal }: ReadingOptions = {},
): Promise<{ state: ListState; applied: Applied }> {
  const client = await connections.client(connectionId);
  const reading = await store.tracked.begin(connectionId, listType);
  try {
    // An earlier attempt may have ended halfway.
    await asSent?.restart();
    team?.restart();
    const take = createEntryWriter(reading, vault);
    const counts = { total: 0, nilEntries: 0 };
    await client.listESign(
      listType,
      maxItems,
      async (slice) => {
        const entries = slice.filter((entry) => entry !== null);
        counts.total += entries.length;
        counts.nilEntries += slice.length - entries.length;
        await asSent?.add(entries.map((entry) => shownEntry(entry, hasWord(entry))));
        await team?.add(entries.map((entry) => sharedEntry(entry, hasWord(entry))));
        await take(entries, hasWord);
      },
      { signal },
    );
    const state = { ...counts, asOf: (await team?.publish(counts)) ?? new Date().toISOString() };
    const applied = await reading.publish(state);
    const longAgo = new Date(Date.now() - keptGoneMs).toISOString();
    while (await retryWhileBusy(() => store.tracked.sweep(longAgo, goneAtOnce))) await nextTurn();
    return { state, applied };
  } finally {
    await reading.end();
  }
}

type Entry = NonNullable<RawESignEntry>;
const hasWord = ({ SecretWord }: Entry): boolean => (SecretWord ?? '') !== '';

const sharedEntry = (entry: Entry, hasSecretWord: boolean): SharedEntry => [
  entry.DocumentName ?? null,
  entry.CreatedDate ?? null,
  entry.ServiceDocumentID ?? null,
  entry.OrigServiceDocumentID ?? null,
  entry.Email ?? null,
  entry.Name ?? null,
  hasSecretWord,
];

const sharedFields = ['DocumentName', 'CreatedDate', 'ServiceDocumentID', 'OrigServiceDocumentID', 'Email', 'Name'];

/** Compares the stored copy with one that a colleague's program read, as if it came from the service. */
export async function applyCopy(
  { store, vault }: Context,
  connectionId: string,
  { listType, total, nilEntries, readAt }: SharedCopy,
  pieces: AsyncIterable<readonly SharedEntry[]>,
): Promise<{ state: ListState; applied: Applied }> {
  const reading = await store.tracked.begin(connectionId, listType);
  try {
    const take = createEntryWriter(reading, vault);
    for await (const piece of pieces) {
      const entries = new Map<Entry, boolean>(
        piece.map((values) => [
          Object.fromEntries(
            sharedFields.flatMap((field, at) => (typeof values[at] === 'string' ? [[field, values[at]]] : [])),
          ),
          values[6],
        ]),
      );
      await take([...entries.keys()], (entry) => entries.get(entry) === true);
    }
    const state = { total, nilEntries, asOf: readAt };
    return { state, applied: await reading.publish(state) };
  } finally {
    await reading.end();
  }
}

/** `hasSecretWord` says it of an entry: a colleague's copy has no words. */
type TakeEntries = (entries: readonly Entry[], hasSecretWord: (entry: Entry) => boolean) => Promise<void>;

function createEntryWriter(reading: ListReading, vault: SecretVault): TakeEntries {
  const keys = new Map<string, number>();
  return async (entries, hasSecretWord) => {
    const otherWork = createTurns();
    for (let from = 0; from < entries.length; from += entriesPerClockCheck) {
      const changed: ArrivedEntry[] = [];
      for (const entry of entries.slice(from, from + entriesPerClockCheck)) {
        const key = entryKey(entry, keys);
        const hasOne = hasSecretWord(entry);
        const fingerprint = await fingerprintOf(entry, hasOne, vault);
        if (reading.isKnown(key, fingerprint)) continue;
        const secret = entry.SecretWord ? await vault.seal(entry.SecretWord) : null;
        changed.push({ ...shownEntry(entry, hasOne), secret, entryKey: key, fingerprint });
      }
      if (changed.length > 0) await reading.add(changed);
      const turn = otherWork();
      if (turn) await turn;
    }
  };
}

/**
 * The fingerprint of an entry. If the entry has a secret word, the fingerprint is keyed, so that nobody can find the
 * word by trying.
 */
async function fingerprintOf(entry: Entry, hasSecretWord: boolean, vault: SecretVault): Promise<string> {
  const { DocumentName, CreatedDate, ServiceDocumentID, OrigServiceDocumentID, Email, Name, SecretWord } = entry;
  const text = JSON.stringify([DocumentName, CreatedDate, ServiceDocumentID, OrigServiceDocumentID, Email, Name]);
  if (SecretWord) return await vault.fingerprint(`${text}${SecretWord}`);
  const withheld = hasSecretWord ? 'word' : '';
  return hash('sha256', `${text}${withheld}`, 'base64url').slice(0, 22);
}

function shownEntry(entry: Entry, hasSecretWord: boolean): ESignEntry {
  const createdDate = entry.CreatedDate ?? null;
  return {
    documentName: entry.DocumentName ?? null,
    createdDate,
    createdAt: createdDate === null ? null : readDateTime(createdDate),
    documentId: entry.ServiceDocumentID ?? null,
    origDocumentId: entry.OrigServiceDocumentID ?? null,
    email: entry.Email ?? null,
    name: entry.Name ?? null,
    hasSecretWord,
  };
}

/**
 * The key by which an entry is recognised, because the interface gives an entry no ID. The document that was sent and
 * the signer stay the same when an entry moves (the signed document may be another one); entries that are equal in
 * both are told apart by their order.
 */
function entryKey(entry: Entry, keys: Map<string, number>): string {
  const original = entry.OrigServiceDocumentID ?? '';
  const document = original === '' || noDocument.test(original) ? (entry.ServiceDocumentID ?? '') : original;
  const key = [document, entry.Email ?? '', document === '' ? (entry.DocumentName ?? '') : '']
    .map((part) => part.trim().toLowerCase())
    .join('\n');
  const times = keys.get(key) ?? 0;
  keys.set(key, times + 1);
  return times === 0 ? key : `${key}\n${times}`;
}
