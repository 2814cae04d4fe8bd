import { randomUUID } from 'node:crypto';
import type { OperationName } from '../../practice/interface.ts';
import { type FaultInjector, mischiefsOf } from '../../practice/misbehave.ts';
import type { EasySignAnswer } from '../../practice/operation-call.ts';
import { type PracticeOptions as Options, startPractice as start } from '../../practice/practice-service.ts';
import type { Account, Credits, Permissions } from '../../practice/records.ts';
import type { SoapVersion } from '../../practice/wire/faults.ts';
import type { ScannedRequest } from '../../practice/wire/request-scanner.ts';

export type { RunningPractice } from '../../practice/practice-service.ts';

const maxSeenRequests = 1000;

/** Controls the service beyond what a client of the interface, or a person, can do. */
export type PracticeControl = Awaited<ReturnType<typeof startPractice>>['control'];

export interface PracticeOptions extends Options {
  /** The owner's credits at the start; default: those of the last run. */
  readonly credits?: Partial<Credits>;
}

/** The practice service with a control. */
export async function startPractice({ credits, ...options }: PracticeOptions) {
  const counts: Partial<Record<OperationName, number>> = {};
  const seen: SeenRequest[] = [];
  let mischiefs = mischiefsOf(options.misbehave);
  const onRequest = (scanned: ScannedRequest, soapVersion: SoapVersion) => {
    counts[scanned.operation.name] = (counts[scanned.operation.name] ?? 0) + 1;
    seen.push(seenRequest(scanned, soapVersion));
    if (seen.length > maxSeenRequests) seen.shift();
  };
  const { service, issue, ...started } = await start({ ...options, mischiefs: () => mischiefs, onRequest });
  const { store, settings } = service;
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
    /** See PracticeOptions. */
    setNilEntryEvery(every: number) {
      settings.nilEntryEvery = every;
    },
    setEasySignAnswer(operation: 'AddNewEasySignDocument' | 'AddNewEasySignTemplate', answer: EasySignAnswer) {
      settings.easySignAnswers = { ...settings.easySignAnswers, [operation]: answer };
    },
    /** Signs a request as one of its signers; after the last one a signed copy with its own ID exists and the document is Completed. Rejects if there is nothing to sign. */
    sign: started.sign,
    /** Adds an account with its own credits. */
    addAccount: async (email: string) => issue((await store.addAccount(email)).id),
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
  if (credits) await control.setCredits(credits);
  return { ...started, control };
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
