import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { appendFile, copyFile, stat } from 'node:fs/promises';
import type { Answer, Arguments, Service } from './operation-call.ts';
import { commentRevision, inspectPdf } from './pdf-file.ts';
import type { Account, SignEntry, StoredDocument } from './records.ts';
import { register } from './register-document.ts';
import type { ReceivedDocument } from './wire/document-sink.ts';

const dayMs = 24 * 60 * 60 * 1000;
const outDays = 45;
const signedEntries = 100;

/** A date as .NET writes it: seven fraction digits and the zone. */
export function dateTimeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}0000+00:00`;
}

/**
 * Lists entries. ListType 1: out for signature, of the last 45 days. 2: the last 100 signed. Any other: an empty list.
 * Newest first; MaxItems of 0 or less is no limit.
 */
export function getESignList({ store, settings }: Service, account: Account, args: Arguments): Answer {
  const [listType, maxItems] = [args.int('ListType'), args.int('MaxItems')];
  const since = Date.now() - outDays * dayMs;
  const own = store.entries().filter((entry) => entry.ownerId === account.id);
  let entries: SignEntry[] = [];
  if (listType === 1) entries = own.filter((entry) => entry.signedMs === null && entry.createdMs >= since).reverse();
  if (listType === 2)
    entries = own
      .filter((entry) => entry.signedMs !== null)
      .sort((a, b) => (b.signedMs ?? 0) - (a.signedMs ?? 0))
      .slice(0, signedEntries);
  const listed = maxItems > 0 ? entries.slice(0, maxItems) : entries;
  return { kind: 'list', entries: withNilEntries(listed, settings.nilEntryEvery) };
}

/** The interface allows them; they come on top of MaxItems. */
function withNilEntries(entries: readonly SignEntry[], every: number): readonly (SignEntry | null)[] {
  if (every === 0) return entries;
  return entries.flatMap((entry, at) => ((at + 1) % every === 0 ? [entry, null] : [entry]));
}

/** Signs as one of the signers. Rejects with a plain sentence if there is nothing to sign. */
export async function signAs(service: Service, documentId: string, email: string): Promise<void> {
  const { store } = service;
  const document = store.document(documentId);
  if (!document?.request) throw new Error(`There is no request for signatures with the ID ${documentId}.`);
  const entries = store.entriesOf(document.id);
  const entry = entries.find((each) => each.signer.email.toLowerCase() === email.toLowerCase());
  if (!entry) throw new Error(`${email} is no signer of this document.`);
  if (entry.signedMs !== null) throw new Error(`${email} has signed this document already.`);
  const first = entries[0];
  if (document.request.ownerFirst && first && first.signedMs === null && entry !== first)
    throw new Error('The owner has to sign this document first.');
  await store.record({ event: 'signed', documentId: document.id, email: entry.signer.email, atMs: Date.now() });
  if (store.entriesOf(document.id).every((each) => each.signedMs !== null)) await makeSignedCopy(service, document);
}

/** Registers the sealed document with a line for the signatures as a document of its own. */
async function makeSignedCopy(service: Service, document: StoredDocument): Promise<void> {
  const { store } = service;
  const account = store.accounts.get(document.ownerId);
  if (!account) return;
  const path = store.newUploadPath();
  await copyFile(store.documentPath(document.id), path, constants.COPYFILE_FICLONE);
  const before = await inspectPdf(path, document.sealedBytes);
  const names = (document.request?.signers ?? []).map((signer) => signer.email.replace(/[^ -~]/g, '?')).join(' ');
  await appendFile(path, commentRevision(`%SealdeskPracticeSigned ${names}`, document.sealedBytes, before));
  const received = await receivedFrom(path);
  const facts = await inspectPdf(path, received.sizeBytes);
  await register(service, {
    account,
    operation: 'signed copy',
    args: {
      text: () => '',
      optional: (name) =>
        name === 'DocumentName' ? document.name : name === 'ClientID' ? document.clientId : document.description,
      int: () => 0,
      bool: () => false,
      document: () => null,
    },
    received,
    facts: { ...facts, pages: document.pages },
    cost: {},
    request: null,
    signedCopyOf: document.id,
  });
}

async function receivedFrom(path: string): Promise<ReceivedDocument> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  const { size } = await stat(path);
  return { path, sizeBytes: size, sha256: hash.copy().digest('hex'), hash, tooLarge: false };
}
