import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ESignEntry } from '../../../../contract/signatures.ts';
import type { RawESignEntry } from '../../../soap/client.ts';
import { readDateTime } from '../../../soap/date-time.ts';
import type { ArrivedEntry, ListState } from '../../../store/signatures/tracking/list-entries.ts';
import type { Applied, ListReading } from '../../../store/signatures/tracking/list-reading.ts';
import type { Context } from '../../context.ts';
import type { SecretVault } from '../../secrets/secret-vault.ts';

/** Entries removed in one transaction: a few milliseconds. */
const goneAtOnce = 100;
/** How long entries that left their list are remembered, in case they appear in another list. */
const keptGoneMs = 90 * 24 * 3_600_000;
/** Longest work between two turns of the event loop, and the number of entries between two readings of the clock. */
const sliceMs = 6;
const entriesPerClockCheck = 50;

const noDocument = /^0{8}-0{4}-0{4}-0{4}-0{12}$/;

/** Takes the entries of a list as they arrive: a long list is never whole in memory. */
export interface EntrySink {
  /** The reading begins again: what was taken does not count. */
  restart(): void | Promise<void>;
  add(entries: readonly ESignEntry[]): void | Promise<void>;
}

/**
 * Reads a list (GetESignList) and compares it with the stored copy as it arrives. Unchanged entries are not written
 * again; the others are published when the whole list has arrived. Works in slices: the window stays responsive with
 * 100,000 entries. `asSent` gets the entries in the order of the service, without secret words.
 */
export async function refreshList(
  { connections, store, vault }: Context,
  connectionId: string,
  listType: number,
  maxItems: number,
  asSent?: EntrySink,
): Promise<{ state: ListState; applied: Applied }> {
  const client = await connections.client(connectionId);
  const reading = await store.tracked.begin(connectionId, listType);
  try {
    // An earlier attempt may have ended halfway.
    await asSent?.restart();
    const take = createEntryWriter(reading, vault);
    const counts = { total: 0, nilEntries: 0 };
    await client.listESign(listType, maxItems, async (slice) => {
      const entries = slice.filter((entry) => entry !== null);
      counts.total += entries.length;
      counts.nilEntries += slice.length - entries.length;
      await asSent?.add(entries.map(shownEntry));
      await take(entries);
    });
    const state = { ...counts, asOf: new Date().toISOString() };
    const applied = await reading.publish(state);
    const longAgo = new Date(Date.now() - keptGoneMs).toISOString();
    while (store.tracked.sweep(longAgo, goneAtOnce)) await nextTurn();
    return { state, applied };
  } finally {
    await reading.end();
  }
}

type Entry = NonNullable<RawESignEntry>;

function createEntryWriter(reading: ListReading, vault: SecretVault): (entries: readonly Entry[]) => Promise<void> {
  const keys = new Map<string, number>();
  return async (entries) => {
    let since = performance.now();
    for (let from = 0; from < entries.length; from += entriesPerClockCheck) {
      const changed: ArrivedEntry[] = [];
      for (const entry of entries.slice(from, from + entriesPerClockCheck)) {
        const key = entryKey(entry, keys);
        const fingerprint = await fingerprintOf(entry, vault);
        if (!reading.isKnown(key, fingerprint)) changed.push(await arrived(entry, key, fingerprint, vault));
      }
      if (changed.length > 0) await reading.add(changed);
      if (performance.now() - since < sliceMs) continue;
      await nextTurn();
      since = performance.now();
    }
  };
}

/**
 * The fingerprint of an entry. If the entry has a secret word, the fingerprint is keyed, so that nobody can find the
 * word by trying.
 */
async function fingerprintOf(entry: Entry, vault: SecretVault): Promise<string> {
  const { DocumentName, CreatedDate, ServiceDocumentID, OrigServiceDocumentID, Email, Name, SecretWord } = entry;
  const text = JSON.stringify([DocumentName, CreatedDate, ServiceDocumentID, OrigServiceDocumentID, Email, Name]);
  if (SecretWord) return await vault.fingerprint(`${text}${SecretWord}`);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Seals the secret word: only the sealed form is stored. */
async function arrived(entry: Entry, key: string, fingerprint: string, vault: SecretVault): Promise<ArrivedEntry> {
  const secretWord = entry.SecretWord ?? '';
  return {
    ...shownEntry(entry),
    secret: secretWord === '' ? null : await vault.seal(secretWord),
    entryKey: key,
    fingerprint,
  };
}

function shownEntry(entry: Entry): ESignEntry {
  const createdDate = entry.CreatedDate ?? null;
  return {
    documentName: entry.DocumentName ?? null,
    createdDate,
    createdAt: createdDate === null ? null : readDateTime(createdDate),
    documentId: entry.ServiceDocumentID ?? null,
    origDocumentId: entry.OrigServiceDocumentID ?? null,
    email: entry.Email ?? null,
    name: entry.Name ?? null,
    hasSecretWord: (entry.SecretWord ?? '') !== '',
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
