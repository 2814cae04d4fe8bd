import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { appendFile, copyFile, stat } from 'node:fs/promises';
import type { Store } from './account-store.ts';
import type { OperationName } from './interface.ts';
import { type FaultInjector, mischiefsOf } from './misbehave.ts';
import { type EasySignAnswer, type Limits, Refusal, type Service } from './operation-call.ts';
import { commentRevision, inspectPdf } from './pdf-file.ts';
import type { Account, Credits, Permissions, StoredDocument } from './records.ts';
import { register } from './register-document.ts';
import type { ReceivedDocument } from './wire/document-sink.ts';
import type { SoapVersion } from './wire/faults.ts';
import type { ScannedRequest } from './wire/request-scanner.ts';

const maxSeenRequests = 1000;

/** The control, and the exchange's side of it. */
export function controlOf(
  service: Service,
  keys: Keys,
  misbehave: FaultInjector | readonly FaultInjector[] | undefined,
) {
  const { store, settings } = service;
  const counts: Partial<Record<OperationName, number>> = {};
  const seen: SeenRequest[] = [];
  let mischiefs = mischiefsOf(misbehave);
  const change = (change: Partial<Account>) =>
    store.record({ event: 'account', account: { ...store.owner, ...change } });
  const control = {
    /** Replaces all rules; null removes them. The first rule that matches a request applies. */
    misbehave(rules: FaultInjector | readonly FaultInjector[] | null) {
      mischiefs = mischiefsOf(rules);
    },
    /** Well-formed requests since the start, by operation. */
    requests: (): Readonly<Partial<Record<OperationName, number>>> => ({ ...counts }),
    /** The last 1,000 well-formed requests, oldest first. */
    seen: (): readonly SeenRequest[] => [...seen],
    /** Number of accepted adds by the SHA-256 (lower-case hex) of the document, including earlier runs on the same dataDir. */
    addsByHash: (): ReadonlyMap<string, number> => store.addsByHash(),
    /** All documents as an account's page of a service lists them to a person; the interface has no such list. */
    documents: () => [...store.documents()].map(({ id, name, clientId }) => ({ documentId: id, name, clientId })),
    credits: (): Credits => store.owner.credits,
    setCredits: (credits: Partial<Credits>) => change({ credits: { ...store.owner.credits, ...credits } }),
    setPermissions: (permissions: Partial<Permissions>) =>
      change({ permissions: { ...store.owner.permissions, ...permissions } }),
    setLimits(limits: Partial<Limits>) {
      settings.limits = { ...settings.limits, ...limits };
    },
    /** See PracticeOptions. */
    setNilEntryEvery(every: number) {
      settings.nilEntryEvery = every;
    },
    setEasySignAnswer(operation: 'AddNewEasySignDocument' | 'AddNewEasySignTemplate', answer: EasySignAnswer) {
      settings.easySignAnswers = { ...settings.easySignAnswers, [operation]: answer };
    },
    /** Signs a request as one of its signers; after the last one a signed copy with its own ID exists and the document is Completed. Rejects if there is nothing to sign. */
    sign: (documentId: string, email: string): Promise<void> => signAs(service, documentId, email),
    /** Adds an account with its own credits. */
    addAccount: async (email: string) => keys.issue((await store.addAccount(email)).id),
    /** Gives the account with this address read access to a document. */
    async share(documentId: string, email: string) {
      const document = store.document(documentId);
      const account = [...store.accounts.values()].find((each) => each.email === email);
      if (!document || !account) throw new Error(`There is no document ${documentId} or no account ${email}.`);
      await store.record({ event: 'shared', documentId: document.id, accountId: account.id });
    },
    /** Adds invented entries to the list "out for signature", for this run only. */
    fillESignList: (count: number): void =>
      store.addEntries(Array.from({ length: count }, (_each, at) => inventedEntry(store.owner.id, at))),
  };
  const onRequest = (scanned: ScannedRequest, soapVersion: SoapVersion) => {
    counts[scanned.operation.name] = (counts[scanned.operation.name] ?? 0) + 1;
    seen.push(seenRequest(scanned, soapVersion));
    if (seen.length > maxSeenRequests) seen.shift();
  };
  return { control, hooks: { mischiefs: () => mischiefs, onRequest } };
}

function seenRequest({ operation, children }: ScannedRequest, soapVersion: SoapVersion): SeenRequest {
  const values: Record<string, string | { sizeBytes: number; sha256: string }> = {};
  for (const [name, value] of children) {
    if (name === 'apiKey' || name === 'apiSig') values[name] = '***';
    else if (value && typeof value === 'object') values[name] = { sizeBytes: value.sizeBytes, sha256: value.sha256 };
    else values[name] = value ?? '';
  }
  return { operation: operation.name, soapVersion, children: values };
}

function inventedEntry(ownerId: string, at: number) {
  return {
    documentId: randomUUID().toUpperCase(),
    ownerId,
    documentName: `Invented agreement ${at + 1}`,
    signer: { name: `Signer ${at + 1}`, email: `signer${at + 1}@example.com` },
    secretWord: at % 10 === 0 ? `word ${at + 1}` : '',
    createdMs: Date.now() - at * 1000,
    signedMs: null,
  };
}

/** A received request, with `***` instead of credentials and size and SHA-256 instead of a document. */
export interface SeenRequest {
  readonly operation: OperationName;
  readonly soapVersion: '1.1' | '1.2';
  /** By the interface's names, in the order of arrival; a nil or empty child is ''. */
  readonly children: Readonly<Record<string, string | { readonly sizeBytes: number; readonly sha256: string }>>;
}

/** Controls the service from tests and hosts, beyond what a client of the interface can do. */
export type PracticeControl = ReturnType<typeof controlOf>['control'];

export type Keys = ReturnType<typeof makeKeys>;

export function makeKeys(store: Store) {
  const issued = new Map<string, { readonly accountId: string; readonly apiSig: string }>();
  return {
    /** Creates credentials for an account; they are valid while the service runs. */
    issue(accountId: string): { readonly apiKey: string; readonly apiSig: string } {
      const [apiKey, apiSig] = [randomBytes(16).toString('hex'), randomBytes(24).toString('hex')];
      issued.set(apiKey, { accountId, apiSig });
      return { apiKey, apiSig };
    },
    /** Throws -121 for an unknown key, -122 for a wrong signature. */
    accountOf(apiKey: string, apiSig: string): Account {
      const found = issued.get(apiKey);
      const account = found && store.accounts.get(found.accountId);
      if (!account) throw new Refusal(-121);
      if (!timingSafeEqual(digest(apiSig), digest(found.apiSig))) throw new Refusal(-122);
      return account;
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Signs as one of the signers. Rejects with a plain sentence if there is nothing to sign. */
async function signAs(service: Service, documentId: string, email: string): Promise<void> {
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
