import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Store } from './account-store.ts';
import { answerPost, type ExchangeContext } from './answer-post.ts';
import type { Operation } from './interface.ts';
import { type FaultInjector, type Mischiefs, mischiefsOf } from './misbehave.ts';
import { type Keys, type Limits, makeKeys, type Service } from './operation-call.ts';
import { openSeals, type Seals } from './pdf-file.ts';
import { signAs } from './sign-list.ts';
import { templates } from './templates.ts';
import { escapeXml } from './wire/faults.ts';
import { type Endpoint, listen } from './wire/http-server.ts';

export interface PracticeOptions {
  /** Created if missing. Holds `journal.jsonl` and `documents/`, which stay after the service ends. */
  readonly dataDir: string;
  /** Folder with `wsdl/`. */
  readonly assetsDir: string;
  /** 0, the default, takes any free port. A port in use rejects with code EADDRINUSE. */
  readonly port?: number;
  readonly misbehave?: FaultInjector | readonly FaultInjector[];
  /** Called with one line per request, without credentials or content. */
  readonly log?: (line: string) => void;
  /** How long a document stays in Processing, default 1500. */
  readonly processingMs?: number;
  readonly limits?: Partial<Limits>;
  /** Number of entries of GetESignList after which a nil entry follows, as the interface allows; 0, the default, for none. */
  readonly nilEntryEvery?: number;
  /** Other names for the interface's elements, as real services use them: `{ ServiceDocumentID: 'AcmeID' }`. */
  readonly elementNames?: Readonly<Record<string, string>>;
  /** Ignores unknown children of a request, as .asmx services do; default: refuses them. */
  readonly ignoresUnknown?: boolean;
  /** Answers 404 instead of the WSDL, as some services do. */
  readonly hidesWsdl?: boolean;
  /** Instead of `misbehave`, asked at each request. */
  readonly mischiefs?: () => Mischiefs;
  /** Called with each well-formed request. */
  readonly onRequest?: ExchangeContext['onRequest'];
}

/** The same shape as the port in the core. The credentials are new at every start, the account is the same. */
export interface RunningPractice {
  readonly baseUrl: string;
  readonly mainPath: string;
  readonly easySignPath: string;
  readonly namespaceUri: string;
  readonly apiKey: string;
  readonly apiSig: string;
  readonly templates: readonly { readonly id: string; readonly title: string }[];
  /** Signs a request as one of its signers; after the last one a signed copy with its own ID exists and the document is Completed. Rejects if there is nothing to sign. */
  sign(documentId: string, email: string): Promise<void>;
  /** Closes all connections at once. */
  close(): Promise<void>;
}

export const mainPath = '/V2/practice.asmx';
export const easySignPath = '/easysign/v2/easysign.asmx';
export const practiceNamespace = 'http://practice.sealdesk.example/';

const generousLimits: Limits = { documentBytes: 4 * 1024 ** 3, accountBytes: 1024 ** 4 };

/** Starts the practice service on 127.0.0.1 and listens until `close`. Rejects with code EADDRINUSE if the port is in use. `service` and `issue`: its state, and new credentials for an account. */
export async function startPractice(
  options: PracticeOptions,
): Promise<RunningPractice & Pick<Keys, 'issue'> & { readonly service: Service }> {
  const store = new Store(options.dataDir);
  await store.open();
  try {
    return await startOn(store, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

function serviceOf(
  store: Store,
  seals: Seals,
  keys: Keys,
  options: PracticeOptions,
  address: { baseUrl: string },
): Service {
  return {
    store,
    seals,
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
}

/** The endpoints of both paths, by path in lower case. */
function endpointsOf(
  context: ExchangeContext,
  { assetsDir, hidesWsdl }: PracticeOptions,
): ReadonlyMap<string, Endpoint> {
  const endpoint = (path: string, kind: Operation['path']): Endpoint => ({
    post: (request, response, awaitsContinue) => answerPost(context, request, response, kind, awaitsContinue),
    wsdl: async () =>
      hidesWsdl ? null : wsdlFor(kind, assetsDir, { ...context, address: context.service.baseUrl + path }),
  });
  return new Map([
    [mainPath.toLowerCase(), endpoint(mainPath, 'main')],
    [easySignPath.toLowerCase(), endpoint(easySignPath, 'easy-sign')],
  ]);
}

async function startOn(store: Store, options: PracticeOptions) {
  const { elementNames = {} } = options;
  const keys = makeKeys(store);
  const { apiKey, apiSig } = keys.issue(store.owner.id);
  const closing = new AbortController();
  const address = { baseUrl: '' };
  const service = serviceOf(store, await openSeals(options.dataDir), keys, options, address);
  const mischiefs = mischiefsOf(options.misbehave);
  const endpoints = endpointsOf(
    {
      service,
      namespaceUri: practiceNamespace,
      wireName: (name) => (Object.hasOwn(elementNames, name) ? (elementNames[name] ?? name) : name),
      ignoresUnknown: options.ignoresUnknown ?? false,
      mischiefs: options.mischiefs ?? (() => mischiefs),
      onRequest: options.onRequest ?? (() => undefined),
      closing: closing.signal,
    },
    options,
  );
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
    templates,
    service,
    issue: keys.issue,
    sign: (documentId: string, email: string) => signAs(service, documentId, email),
    close() {
      closed ??= close();
      return closed;
    },
  };
}

const files: Readonly<Record<Operation['path'], string>> = {
  main: 'practice-main.wsdl',
  'easy-sign': 'practice-easy-sign.wsdl',
};

/** The WSDL of one path with both SOAP ports, with the service's address and element names. */
async function wsdlFor(
  path: Operation['path'],
  assetsDir: string,
  values: { readonly namespaceUri: string; readonly address: string; readonly wireName: (name: string) => string },
): Promise<string> {
  const template = await readFile(join(assetsDir, 'wsdl', files[path]), 'utf8');
  return template
    .replaceAll('{{namespaceUri}}', escapeXml(values.namespaceUri))
    .replaceAll('{{address}}', escapeXml(values.address))
    .replace(/(<s:element [^>]*name=")(\w+)(")/g, (_all, before: string, name: string, after: string) => {
      return before + values.wireName(name) + after;
    });
}
