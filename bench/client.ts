import { readFile, rm, writeFile } from 'node:fs/promises';
import { createClientAsync } from 'soap';
import { operationNames } from '../contract/operation.ts';
import { hashFile } from '../electron/core/files/hash-file.ts';
import { clientWsdl } from '../electron/soap/request/node-soap.ts';
import type { DocumentSource, ServiceTarget } from '../electron/soap/service/client.ts';
import { operations } from '../electron/soap/service/operations.ts';
import { createSoapClient } from '../electron/soap/soap-client.ts';
import { watchLoop } from './loop-watch.ts';

/** Runs two calls in a separate process, a small one and the measured one; prints the measurements as JSON. */
const [, , who, what, url = '', file = '', smallFile = ''] = process.argv;
const { origin, pathname } = new URL(url);
const credentials = { apiKey: 'bench-key', apiSig: 'bench-signature' };
const target: ServiceTarget = {
  baseUrl: origin,
  mainPath: pathname,
  easySignPath: pathname,
  namespaceUri: 'https://bench.example/ns/',
  soapVersion: '1.1',
  easySignSoapVersion: 'main',
  soapAction12: false,
  sendFalse: false,
  elementNames: {},
  extraCa: '',
  timeouts: { connectMs: 5_000, idleMs: 60_000, answerMs: 60_000 },
  proxy: 'DIRECT',
  proxyLogin: null,
  identity: null,
};

/** The calls: the small one is first, because a running program has its code compiled and its WSDL read. */
interface Errand {
  readonly documentId: string;
  readonly maxItems: number;
  readonly upload: string;
}
type Client = (errand: Errand) => Promise<number>;

const ours = async (): Promise<Client> => {
  const client = createSoapClient(target, credentials);
  const known = new Map<string, DocumentSource>();
  // The program has hashed a file when it copied it.
  if (what === 'upload') for (const path of [file, smallFile]) known.set(path, { path, ...(await hashFile(path)) });
  return async ({ documentId, maxItems, upload }) => {
    if (what === 'upload') {
      const Document = known.get(upload);
      await client.invoke('AddNewDocument', { Document, creditType: 1, DocumentName: 'bench' });
      return Document?.sizeBytes ?? 0;
    }
    if (what === 'download') return (await client.download(documentId, { path: file })).sizeBytes;
    return client.listESign(1, maxItems, () => undefined);
  };
};

/** node-soap without changes, used as its readme shows. */
const stock = async (): Promise<Client> => {
  const main = operationNames.filter((name) => operations[name].path === 'main');
  const client = await createClientAsync(clientWsdl(target, main, url), { disableCache: true });
  return async ({ documentId, maxItems, upload }) => {
    if (what === 'upload') {
      const Document = (await readFile(upload)).toString('base64');
      await client.AddNewDocumentAsync({ ...credentials, Document, creditType: 1, DocumentName: 'bench' });
      return Document.length;
    }
    if (what === 'download') {
      const [, raw] = await client.GetDocumentAsync({ ...credentials, ServiceDocumentID: documentId });
      const bytes = Buffer.from(/Result>([^<]*)</.exec(raw)?.[1] ?? '', 'base64');
      await writeFile(file, bytes);
      return bytes.length;
    }
    const [, raw] = await client.GetESignListAsync({ ...credentials, ListType: 1, MaxItems: maxItems });
    return raw.length;
  };
};

const idleBytes = process.memoryUsage.rss();
const client = await (who === 'ours' ? ours() : stock());
const firstSince = performance.now();
await client({ documentId: 'small', maxItems: 100, upload: smallFile });
const firstMs = performance.now() - firstSince;
// A download never replaces a file.
if (what === 'download') await rm(file, { force: true });
await new Promise((resolve) => setTimeout(resolve, 50));
const stop = watchLoop();
const before = process.cpuUsage();
const since = performance.now();
const result = await client({ documentId: 'large', maxItems: 0, upload: file });
const tookMs = performance.now() - since;
const longestBlockMs = stop().longest;
const { user, system } = process.cpuUsage(before);
const cpuMs = (user + system) / 1000;
const aboveIdleMB = (process.resourceUsage().maxRSS * 1024 - idleBytes) / 1e6;
console.log(JSON.stringify({ tookMs, cpuMs, firstMs, longestBlockMs, aboveIdleMB, result }));
