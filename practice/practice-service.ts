import { makeKeys } from './account-keys.ts';
import type { PracticeControl } from './control.ts';
import { controlOf } from './control.ts';
import { answerPost, type ExchangeContext } from './exchange.ts';
import { type Endpoint, listen } from './http-server.ts';
import type { Operation } from './interface.ts';
import type { Misbehave } from './misbehave.ts';
import type { Limits, Service } from './operation-call.ts';
import type { Credits } from './records.ts';
import { openSeals } from './seal.ts';
import { Store } from './store.ts';
import { wsdlFor } from './wsdl.ts';

export interface PracticeOptions {
  /** Made if missing. Holds `journal.jsonl` and `documents/`; what is in it outlives the service. */
  readonly dataDir: string;
  /** Folder with `wsdl/`. */
  readonly assetsDir: string;
  /** 0, the default, takes any free one. One in use rejects with code EADDRINUSE. */
  readonly port?: number;
  readonly misbehave?: Misbehave | readonly Misbehave[];
  /** Gets one line a request, without credentials or content. */
  readonly log?: (line: string) => void;
  /** How long a document stays in Processing, default 1500. */
  readonly processingMs?: number;
  /** Sets the owner's credits at the start; without it what the last run left. */
  readonly credits?: Partial<Credits>;
  readonly limits?: Partial<Limits>;
  /** After every so many entries of GetESignList a nil one, as the interface allows; 0, the default, for none. */
  readonly nilEntryEvery?: number;
  /** Other names for the interface's elements, as real services have them: `{ ServiceDocumentID: 'AcmeID' }`. */
  readonly elementNames?: Readonly<Record<string, string>>;
  /** Passes over children of a request that it does not know, as .asmx services do; refuses them unless set. */
  readonly ignoresUnknown?: boolean;
  /** Answers 404 instead of a description, as services do that hide it. */
  readonly hidesWsdl?: boolean;
}

/** The same shape as the port in the core. The credentials are new at every start, the account is the same. */
export interface RunningPractice {
  readonly baseUrl: string;
  readonly mainPath: string;
  readonly easySignPath: string;
  readonly namespaceUri: string;
  readonly apiKey: string;
  readonly apiSig: string;
  /** As in PracticeControl. */
  sign(documentId: string, email: string): Promise<void>;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

export const mainPath = '/V2/practice.asmx';
export const easySignPath = '/easysign/v2/easysign.asmx';
export const practiceNamespace = 'http://practice.sealdesk.example/';

const generousLimits: Limits = { documentBytes: 4 * 1024 ** 3, accountBytes: 1024 ** 4 };

/** Starts the practice service on 127.0.0.1 and listens until `close`. Rejects with code EADDRINUSE where the port is taken. */
export async function startPractice(
  options: PracticeOptions,
): Promise<RunningPractice & { readonly control: PracticeControl }> {
  const store = new Store(options.dataDir);
  await store.open();
  try {
    const started = await startOn(store, options);
    if (options.credits) await started.control.setCredits(options.credits);
    return started;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function startOn(store: Store, options: PracticeOptions) {
  const { elementNames = {}, assetsDir } = options;
  const keys = makeKeys(store);
  const { apiKey, apiSig } = keys.issue(store.owner.id);
  const closing = new AbortController();
  const address = { baseUrl: '' };
  const service: Service = {
    store,
    seals: await openSeals(options.dataDir),
    processingMs: options.processingMs ?? 1500,
    settings: {
      limits: { ...generousLimits, ...options.limits },
      nilEntryEvery: options.nilEntryEvery ?? 0,
      easySignAnswers: { AddNewEasySignDocument: 'id', AddNewEasySignTemplate: 'url' },
    },
    accountOf: keys.accountOf,
    get baseUrl() {
      return address.baseUrl;
    },
  };
  const { control, watch } = controlOf(service, keys, options.misbehave);
  const context: ExchangeContext = {
    service,
    namespaceUri: practiceNamespace,
    wireName: (name) => (Object.hasOwn(elementNames, name) ? (elementNames[name] ?? name) : name),
    ignoresUnknown: options.ignoresUnknown ?? false,
    mischiefs: watch.mischiefs,
    onRequest: watch.onRequest,
    closing: closing.signal,
  };
  const endpoint = (path: string, kind: Operation['path']): Endpoint => ({
    post: (request, response, awaitsContinue) => answerPost(context, request, response, kind, awaitsContinue),
    wsdl: async () =>
      options.hidesWsdl ? null : wsdlFor(kind, assetsDir, { ...context, address: address.baseUrl + path }),
  });
  const endpoints = new Map([
    [mainPath.toLowerCase(), endpoint(mainPath, 'main')],
    [easySignPath.toLowerCase(), endpoint(easySignPath, 'easy-sign')],
  ]);
  const listening = await listen(options.port ?? 0, {
    at: (path) => endpoints.get(path) ?? null,
    log: options.log ?? (() => undefined),
  });
  address.baseUrl = `http://127.0.0.1:${listening.port}`;
  let closed: Promise<void> | null = null;
  const close = async () => {
    closing.abort();
    await listening.close();
    await store.close();
  };
  return {
    baseUrl: address.baseUrl,
    mainPath,
    easySignPath,
    namespaceUri: practiceNamespace,
    apiKey,
    apiSig,
    control,
    sign: control.sign,
    close() {
      closed ??= close();
      return closed;
    },
  };
}
