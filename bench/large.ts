import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Credentials, DownloadReply, ServiceTarget } from '../electron/soap/service/client.ts';
import { createSoapClient } from '../electron/soap/soap-client.ts';
import { hashOf } from './harness.ts';

/**
 * `npm run test:large [-- MEBIBYTES]`: a document of 2 GiB to the practice service and back. Run by hand only: it needs three
 * times that disk space and a minute or two. The service runs in a separate process; the client's memory is compared with its
 * memory after the same run with 1 MiB.
 */
const mebibytes = Number(process.argv[2] ?? 2048);
const mostMB = 40;

const blockBytes = 1024 * 1024;
const folder = await mkdtemp(join(tmpdir(), 'sealdesk-large-'));

/** A file with a PDF's beginning and end and non-repeating bytes between them. */
async function makeDocument(path: string, count: number): Promise<number> {
  const file = await open(path, 'w');
  const block = Buffer.from(Uint8Array.from({ length: blockBytes }, (_, at) => (at * 7919) >> 5));
  await file.write('%PDF-1.7\n');
  for (let index = 0; index < count; index++) {
    block.writeUInt32LE(index, 512);
    await file.write(block);
  }
  await file.write('\n%%EOF\n');
  await file.close();
  return (await stat(path)).size;
}

function progress(what: string) {
  let last = 0;
  return (bytes: number, total: number | null) => {
    if (total === null || bytes - last < total / 10) return;
    last = bytes;
    console.log(`${what} ${Math.round((bytes / total) * 100)} %, ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
  };
}

interface Practice extends Pick<ServiceTarget, 'baseUrl' | 'mainPath' | 'easySignPath' | 'namespaceUri'>, Credentials {}

const service = spawn(process.execPath, [join(import.meta.dirname, 'practice.ts'), join(folder, 'practice')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const [told] = (await once(service.stdout, 'data')) as [Buffer];
const practice = JSON.parse(told.toString()) as Practice;
const client = createSoapClient(
  {
    ...practice,
    soapVersion: '1.2',
    easySignSoapVersion: 'main',
    soapAction12: false,
    sendFalse: false,
    elementNames: {},
    extraCa: '',
    proxy: 'DIRECT',
    proxyLogin: null,
    identity: null,
    timeouts: { connectMs: 5_000, idleMs: 60_000, answerMs: 300_000 },
  },
  practice,
);

interface Trip {
  readonly sent: string;
  readonly back: string;
  readonly sizeBytes: number;
  readonly reply: DownloadReply;
}

async function roundTrip(count: number): Promise<Trip> {
  const sent = join(folder, `${count}-sent.pdf`);
  const back = join(folder, `${count}-back.pdf`);
  const sizeBytes = await makeDocument(sent, count);
  const Document = { path: sent, sizeBytes, sha256: await hashOf(sent) };
  const onSent = progress('sent');
  const { raw } = await client.invoke('AddNewDocument', { Document, creditType: 1, DocumentName: 'large' }, { onSent });
  assert.match(raw ?? '', /^[0-9a-f-]{36}$/i);
  const reply = await client.download(raw ?? '', { path: back }, { onReceived: progress('received') });
  const ServiceDocument = { path: back, sizeBytes: reply.sizeBytes, sha256: reply.sha256 };
  const verdict = await client.invoke('ValidateDocument', { ServiceDocument });
  assert.equal(verdict.raw, 'Valid');
  return { sent, back, sizeBytes, reply };
}

try {
  await roundTrip(1);
  const idleBytes = process.memoryUsage.rss();
  const { sent, back, sizeBytes, reply } = await roundTrip(mebibytes);
  // Before this program hashes files for itself.
  const aboveMB = (process.resourceUsage().maxRSS * 1024 - idleBytes) / 1e6;
  assert.equal(reply.sha256, await hashOf(back));
  // The service returns the registered bytes followed by its seal.
  assert.ok(reply.sizeBytes >= sizeBytes);
  assert.equal(await hashOf(back, { end: sizeBytes - 1 }), await hashOf(sent));
  assert.equal((await readdir(folder)).length, 5);
  assert.ok(aboveMB <= mostMB, `${Math.round(aboveMB)} MB above idle at the peak`);
  console.log(
    `${mebibytes} MiB there and back: same bytes, confirmed, ${Math.round(aboveMB)} MB above idle at the peak`,
  );
} finally {
  client.close();
  const ended = once(service, 'exit');
  service.stdin.end();
  await ended;
  await rm(folder, { recursive: true, force: true });
}
