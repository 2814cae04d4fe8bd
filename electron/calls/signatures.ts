import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Handlers } from '../../contract/index.ts';
import type { ESignEntry } from '../../contract/signatures.ts';
import { retryRead } from '../core/backoff.ts';
import type { Context } from '../core/context.ts';
import type { Jobs } from '../core/jobs/jobs.ts';
import { signatureOrder } from '../core/signature-order.ts';

import type { RawESignEntry } from '../soap/client.ts';
import { readDateTime } from '../soap/date-time.ts';

type Names = 'signatures.request' | 'signatures.refresh' | 'signatures.entries';

/** A person waits for it: asked twice, no more. */
const tries = 2;
/** Entries written, or removed, in one transaction: a few milliseconds. */
const entriesPerWrite = 500;

export function signatureCalls(context: Context, jobs: Jobs): Pick<Handlers, Names> {
  const { connections, files, store } = context;
  return {
    'signatures.request': async (request) => {
      const { separator } = await connections.get(request.connectionId);
      const file = request.kind === 'easy-sign-template' ? undefined : await files.file(request.fileToken);
      const imageToken = request.kind === 'plain' ? undefined : request.imageToken;
      const image = imageToken === undefined ? undefined : await files.file(imageToken);
      const order = signatureOrder({ request, separator, file, image });
      // Without credentials nothing is begun.
      await connections.client(request.connectionId);
      const { batchId, jobIds } = await jobs.enqueue(request.connectionId, [order]);
      return { batchId, jobId: jobIds[0] ?? '' };
    },
    'signatures.refresh': async ({ connectionId, listType, maxItems }) => {
      const { maxItems: usual } = await connections.get(connectionId);
      return retryRead(() => refresh(context, connectionId, listType, maxItems ?? usual), { tries });
    },
    'signatures.entries': async ({ connectionId, listType, offset, limit }) => {
      const { entries, state } = store.lists.page(connectionId, listType, { offset, limit });
      return { entries, total: state?.total ?? 0, asOf: state?.asOf ?? null };
    },
  };
}

/** Writes the list as it arrives beside the last copy, which stays until the new one is whole. */
async function refresh(
  { connections, store }: Context,
  connectionId: string,
  listType: number,
  maxItems: number,
): Promise<{ total: number; nilEntries: number; asOf: string }> {
  const client = await connections.client(connectionId);
  const copy = store.lists.begin();
  let nilEntries = 0;
  try {
    await client.listESign(listType, maxItems, async (slice) => {
      const entries = slice.filter((entry) => entry !== null);
      nilEntries += slice.length - entries.length;
      for (let from = 0; from < entries.length; from += entriesPerWrite) {
        copy.add(entries.slice(from, from + entriesPerWrite).map(entryOf));
        await nextTurn();
      }
    });
  } catch (error) {
    copy.discard();
    throw error;
  }
  const state = copy.publish({ connectionId, listType, nilEntries, asOf: new Date().toISOString() });
  while (store.lists.sweep(entriesPerWrite)) await nextTurn();
  return state;
}

/** The secret word itself goes no further than this. */
function entryOf(entry: NonNullable<RawESignEntry>): ESignEntry {
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
