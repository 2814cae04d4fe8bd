import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { VerifyRun } from '../contract/verify.ts';
import { option, runForResult, sizeOption, smallPdf, startPeer, startReport, timed, withFolder } from './harness.ts';

/**
 * `npm run bench:verify [-- --files 10000 --parallel 4]`: many small files against the practice service in a process of its own: by our core, by
 * a loop that starts curl for each ready envelope, and by one curl that keeps its connections. Then the three reports of the run.
 */
const run = promisify(execFile);
const files = sizeOption('files', 10_000, 100);
const parallel = option('parallel', '4');
/** One process per file is slow: a part of the files shows the time of one. */
const looped = Math.min(files, 2_000);

interface Service {
  readonly baseUrl: string;
  readonly mainPath: string;
  readonly namespaceUri: string;
  readonly apiKey: string;
  readonly apiSig: string;
}

interface Ours {
  readonly run: VerifyRun;
  readonly verifyMs: number;
  readonly verifyBlockMs: number;
  readonly memory: readonly number[];
  readonly peakBytes: number;
  readonly reports: Readonly<Record<string, { readonly tookMs: number; readonly longestBlockMs: number }>>;
}

const pdf = (n: number) => smallPdf(`number ${n} ${'x'.repeat(2_000 + (n % 1_000))}`);

function envelope({ namespaceUri, apiKey, apiSig }: Service, document: string): string {
  return `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><ValidateDocument xmlns="${namespaceUri}"><apiKey>${apiKey}</apiKey><apiSig>${apiSig}</apiSig><ServiceDocument>${Buffer.from(document).toString('base64')}</ServiceDocument></ValidateDocument></soap:Body></soap:Envelope>`;
}

async function makeFiles(folder: string, service: Service): Promise<void> {
  const requests: string[] = [];
  for (let n = 0; n < files; n++) {
    const place = join(folder, 'in', String(n % 100));
    if (n < 100) await mkdir(place, { recursive: true });
    await writeFile(join(place, `${n}.pdf`), pdf(n));
    await writeFile(join(folder, 'xml', `${n}.xml`), envelope(service, pdf(n)));
    requests.push(
      `url = "${service.baseUrl}${service.mainPath}"\ndata-binary = "@${join(folder, 'xml', `${n}.xml`)}"\noutput = "/dev/null"\nheader = "Content-Type: text/xml; charset=utf-8"\nheader = "SOAPAction: \\"${service.namespaceUri}ValidateDocument\\""`,
    );
  }
  await writeFile(join(folder, 'curl.txt'), requests.join('\nnext\n'));
}

function curlLoop(folder: string, { baseUrl, mainPath, namespaceUri }: Service): Promise<unknown> {
  const action = `SOAPAction: "${namespaceUri}ValidateDocument"`;
  const script = `find "${join(folder, 'xml')}" -name '*.xml' -print0 | head -z -n ${looped} | xargs -0 -n 1 -P ${parallel} -I{} curl -s -o /dev/null -H 'Content-Type: text/xml; charset=utf-8' -H '${action}' --data-binary @{} ${baseUrl}${mainPath}`;
  return run('sh', ['-c', script], { maxBuffer: 2 ** 26 });
}

function curlKept(folder: string): Promise<unknown> {
  const args = ['-s', '--parallel', '--parallel-max', parallel, '-K', join(folder, 'curl.txt')];
  return run('curl', args, { maxBuffer: 2 ** 26 });
}

function ours(folder: string, service: Service): Promise<Ours> {
  const args = [join(folder, 'in'), join(folder, 'data'), parallel, JSON.stringify(service)];
  return runForResult<Ours>('verify-client.ts', args);
}

async function tell(mine: Ours, loopMs: number, keptMs: number): Promise<void> {
  const report = startReport(`Verifying ${files} small files`, ['what', 'figure', 'ours to it']);
  const perSecond = (time: number) => `${(files / (time / 1000)).toFixed(0)} files/s`;
  const [first = 0] = mine.memory;
  const mb = (bytes: number) => (bytes / 1e6).toFixed(0);
  report.row('ours: hashed, asked, written to the store', perSecond(mine.verifyMs));
  report.row('a curl for each ready envelope', perSecond(loopMs), (loopMs / mine.verifyMs).toFixed(2));
  const kept = (keptMs / mine.verifyMs).toFixed(2);
  report.row('one curl, connections kept, ready envelopes', perSecond(keptMs), kept);
  for (const [format, { tookMs, longestBlockMs }] of Object.entries(mine.reports))
    report.row(`report, ${format}`, `${tookMs.toFixed(0)} ms, longest block ${longestBlockMs.toFixed(1)} ms`);
  await report.end(
    'verify',
    `${parallel} at the same time. The practice service has a process of its own.`,
    '',
    `Longest block of the event loop while verifying: ${mine.verifyBlockMs.toFixed(1)} ms. Memory (MB, each tenth of the run): ${mine.memory.map(mb).join(' ')}; above its beginning at most ${mb(Math.max(...mine.memory) - first)}; peak with all reports ${mb(mine.peakBytes)}.`,
  );
}

await withFolder(async (folder) => {
  const practice = await startPeer('practice.ts', join(folder, 'practice'));
  try {
    const service = JSON.parse(practice.told) as Service;
    await mkdir(join(folder, 'xml'), { recursive: true });
    await makeFiles(folder, service);
    const keptMs = await timed(() => curlKept(folder));
    const loopMs = ((await timed(() => curlLoop(folder, service))) / looped) * files;
    const mine = await ours(folder, service);
    if (mine.run.answered !== files || mine.run.counts['not-confirmed'] !== files)
      throw new Error(`not all were answered: ${JSON.stringify(mine.run)}`);
    await tell(mine, loopMs, keptMs);
  } finally {
    await practice.stop();
  }
});
