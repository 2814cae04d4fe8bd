import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RawESignEntry } from '../../soap/client.ts';
import { readDateTime } from '../../soap/date-time.ts';
import type { Applied } from '../../store/apply-list.ts';
import type { CopiedEntry, ListState } from '../../store/lists.ts';
import type { Context } from '../context.ts';
import type { SecretVault } from '../secret-vault.ts';

/** Entries written, or removed, in one transaction: a few milliseconds. */
const entriesPerWrite = 500;
/** With the search index behind them these cost more: some 20 ms. */
const entriesPerStep = 400;
/** Entries that went from their list are known again for so long, should they come up in another. */
const keptGoneMs = 90 * 24 * 3_600_000;

const noDocument = /^0{8}-0{4}-0{4}-0{4}-0{12}$/;

/**
 * GetESignList: writes the list as it arrives beside the last copy, which stays until the new one is whole, then brings the tracked entries to it. In slices: the
 * window stays responsive with 100,000 entries.
 */
export async function refreshList(
  { connections, store, vault }: Context,
  connectionId: string,
  listType: number,
  maxItems: number,
): Promise<{ state: ListState; applied: Applied }> {
  const client = await connections.client(connectionId);
  const copy = store.lists.begin();
  const keys = new Map<string, number>();
  let nilEntries = 0;
  try {
    await client.listESign(listType, maxItems, async (slice) => {
      const entries: CopiedEntry[] = [];
      for (const entry of slice) {
        if (entry === null) nilEntries += 1;
        else entries.push(await copiedEntry(entry, keys, vault));
      }
      for (let from = 0; from < entries.length; from += entriesPerWrite) {
        copy.add(entries.slice(from, from + entriesPerWrite));
        await nextTurn();
      }
    });
  } catch (error) {
    copy.discard();
    throw error;
  }
  const { copyId, ...state } = copy.publish({ connectionId, listType, nilEntries, asOf: new Date().toISOString() });
  const applying = store.tracked.begin({ connectionId, listType, copyId });
  while (applying.step(entriesPerStep)) await nextTurn();
  const applied = applying.finish(state);
  while (store.lists.sweep(entriesPerWrite)) await nextTurn();
  const longAgo = new Date(Date.now() - keptGoneMs).toISOString();
  while (store.tracked.sweep(longAgo, entriesPerStep)) await nextTurn();
  return { state, applied };
}

/** The secret word itself goes no further than this: what is kept is sealed. */
async function copiedEntry(
  entry: NonNullable<RawESignEntry>,
  keys: Map<string, number>,
  vault: SecretVault,
): Promise<CopiedEntry> {
  const createdDate = entry.CreatedDate ?? null;
  const secretWord = entry.SecretWord ?? '';
  return {
    documentName: entry.DocumentName ?? null,
    createdDate,
    createdAt: createdDate === null ? null : readDateTime(createdDate),
    documentId: entry.ServiceDocumentID ?? null,
    origDocumentId: entry.OrigServiceDocumentID ?? null,
    email: entry.Email ?? null,
    name: entry.Name ?? null,
    hasSecretWord: secretWord !== '',
    secret: secretWord === '' ? null : await vault.seal(secretWord),
    entryKey: entryKey(entry, keys),
  };
}

/**
 * The interface gives an entry no ID of its own. The document that was sent and the signer stay the same when an entry moves (the signed document may be another one);
 * those that are equal in both are told apart by their order.
 */
function entryKey(entry: NonNullable<RawESignEntry>, keys: Map<string, number>): string {
  const original = entry.OrigServiceDocumentID ?? '';
  const document = original === '' || noDocument.test(original) ? (entry.ServiceDocumentID ?? '') : original;
  const key = [document, entry.Email ?? '', document === '' ? (entry.DocumentName ?? '') : '']
    .map((part) => part.trim().toLowerCase())
    .join('\n');
  const times = keys.get(key) ?? 0;
  keys.set(key, times + 1);
  return times === 0 ? key : `${key}\n${times}`;
}
