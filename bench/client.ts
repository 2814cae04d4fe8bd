import { readFile, stat, writeFile } from 'node:fs/promises';
import { createClientAsync } from 'soap';
import { operationNames } from '../contract/operation.ts';
import type { ServiceTarget } from '../electron/soap/client.ts';
import { clientWsdl } from '../electron/soap/client-wsdl.ts';
import { operations } from '../electron/soap/operations.ts';
import { createSoapClient } from '../electron/soap/soap-client.ts';

/** One call in a process of its own; prints what it took as JSON. */
const [, , who, what, url = '', file = ''] = process.argv;
const { origin, pathname } = new URL(url);
const credentials = { apiKey: 'bench-key', apiSig: 'bench-signature' };
const target: ServiceTarget = {
  baseUrl: origin,
  mainPath: pathname,
  easySignPath: pathname,
  namespaceUri: 'https://bench.example/ns/',
  soapVersion: '1.1',
  elementNames: {},
  extraCa: '',
  timeouts: { connectMs: 5_000, idleMs: 60_000, answerMs: 60_000 },
  proxy: 'DIRECT',
};

const ours = async (): Promise<number> => {
  const client = createSoapClient(target, credentials);
  if (what === 'upload') {
    const { size } = await stat(file);
    const Document = { path: file, sizeBytes: size };
    await client.invoke('AddNewDocument', { Document, creditType: 1, DocumentName: 'bench' });
    return 1;
  }
  if (what === 'download') return (await client.download('id', file)).sizeBytes;
  return client.listESign(1, 0, () => undefined);
};

/** node-soap as it comes, fed and read in the way its readme shows. */
const stock = async (): Promise<number> => {
  const client = await createClientAsync(
    clientWsdl(
      target,
      operationNames.filter((name) => operations[name].path === 'main'),
      url,
    ),
    { disableCache: true },
  );
  if (what === 'upload') {
    const Document = (await readFile(file)).toString('base64');
    await client.AddNewDocumentAsync({ ...credentials, Document, creditType: 1, DocumentName: 'bench' });
    return 1;
  }
  if (what === 'download') {
    const [, raw] = await client.GetDocumentAsync({ ...credentials, ServiceDocumentID: 'id' });
    const bytes = Buffer.from(/Result>([^<]*)</.exec(raw)?.[1] ?? '', 'base64');
    await writeFile(file, bytes);
    return bytes.length;
  }
  const [, raw] = await client.GetESignListAsync({ ...credentials, ListType: 1, MaxItems: 0 });
  return raw.length;
};

/** The longest time for which a timer of one millisecond was late. */
function watchLoop(): () => number {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

await new Promise((resolve) => setTimeout(resolve, 50));
const idleBytes = process.memoryUsage.rss();
const stop = watchLoop();
const since = performance.now();
const result = await (who === 'ours' ? ours() : stock());
const tookMs = performance.now() - since;
const longestBlockMs = stop();
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ tookMs, longestBlockMs, idleBytes, peakBytes, result }));
