import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { appendFile, copyFile, stat } from 'node:fs/promises';
import type { Service } from './operation-call.ts';
import { commentRevision, inspectPdf } from './pdf-file.ts';
import type { StoredDocument } from './records.ts';
import { register } from './register-document.ts';
import type { ReceivedDocument } from './wire/document-sink.ts';

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
