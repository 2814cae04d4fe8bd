import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { VerifyRun } from '../contract/verify.ts';

/**
 * `npm run bench:verify [-- --files 10000 --parallel 4]`: many small files against the practice service in a process of its own: by our core, by
 * a loop that starts curl for each ready envelope, and by one curl that keeps its connections. Then the three reports of the run.
 */
const run = promisify(execFile);
const here = import.meta.dirname;

function option(name: string, usual: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : (process.argv[at + 1] ?? usual);
}
const files = Number(option('files', '10000'));
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

const pdf = (n: number) =>
  `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\n% number ${n} ${'x'.repeat(2000 + (n % 1000))}\ntrailer<</Root 1 0 R/Size 4>>\n%%EOF\n`;

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

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
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

async function ours(folder: string, service: Service): Promise<Ours> {
  const args = [join(here, 'verify-client.ts'), join(folder, 'in'), join(folder, 'data'), parallel];
  const { stdout } = await run(process.execPath, [...args, JSON.stringify(service)], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as Ours;
}

function text(mine: Ours, loopMs: number, keptMs: number): string {
  const perSecond = (ms: number) => (files / (ms / 1000)).toFixed(0);
  const [first = 0] = mine.memory;
  const mb = (bytes: number) => (bytes / 1e6).toFixed(0);
  const rows = Object.entries(mine.reports).map(
    ([format, { tookMs, longestBlockMs }]) => `| ${format} | ${tookMs.toFixed(0)} | ${longestBlockMs.toFixed(1)} |`,
  );
  return [
    `# Verifying ${files} small files, ${new Date().toISOString()}`,
    '',
    `${cpus().length} × ${cpus()[0]?.model.trim() ?? ''}; Node ${process.version}; ${parallel} at the same time; load after ${loadavg()[0]?.toFixed(1)}. The practice service has a process of its own.`,
    '',
    '| | files a second | ours to it |',
    '| --- | --- | --- |',
    `| ours: hashed, asked, written to the store | ${perSecond(mine.verifyMs)} | |`,
    `| a curl for each ready envelope | ${perSecond(loopMs)} | ${(loopMs / mine.verifyMs).toFixed(2)} |`,
    `| one curl, connections kept, ready envelopes | ${perSecond(keptMs)} | ${(keptMs / mine.verifyMs).toFixed(2)} |`,
    '',
    `Longest block of the event loop while verifying: ${mine.verifyBlockMs.toFixed(1)} ms. Memory (MB, each tenth of the run): ${mine.memory.map(mb).join(' ')}; above its beginning at most ${mb(Math.max(...mine.memory) - first)}; peak with all reports ${mb(mine.peakBytes)}.`,
    '',
    `| report of ${files} files | ms | longest block, ms |`,
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

const folder = await mkdtemp(join(tmpdir(), 'sealdesk-bench-verify-'));
const practice = spawn(process.execPath, [join(here, 'practice.ts'), join(folder, 'practice')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
try {
  const [told] = (await once(practice.stdout, 'data')) as [Buffer];
  const service = JSON.parse(String(told)) as Service;
  await mkdir(join(folder, 'xml'), { recursive: true });
  await makeFiles(folder, service);
  const keptMs = await timed(() => curlKept(folder));
  const loopMs = ((await timed(() => curlLoop(folder, service))) / looped) * files;
  const mine = await ours(folder, service);
  if (mine.run.answered !== files || mine.run.counts['not-confirmed'] !== files)
    throw new Error(`not all were answered: ${JSON.stringify(mine.run)}`);
  const report = text(mine, loopMs, keptMs);
  console.log(report);
  await mkdir(join(here, 'results'), { recursive: true });
  const stamp = new Date().toISOString().slice(0, 16).replace(':', '');
  await writeFile(join(here, 'results', `${stamp}-verify.md`), report);
} finally {
  practice.stdin.end();
  await rm(folder, { recursive: true, force: true });
}
