import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hashOf, runForResult, startPeer, timed } from './harness.ts';

const exec = promisify(execFile);

/** One call, ours or another's. */
export interface Sample {
  readonly tookMs: number;
  readonly firstMs?: number;
  readonly cpuMs?: number;
  readonly longestBlockMs?: number;
  readonly aboveIdleMB?: number;
}

/** A document, and the same in base64 inside of an envelope that is ready to be sent. */
async function makeFiles(folder: string, mebibytes: number): Promise<void> {
  const block = Buffer.from(Uint8Array.from({ length: 768 * 1024 }, (_, at) => (at * 7919) >> 5));
  const [plain, encoded] = [
    await open(join(folder, `${mebibytes}.bin`), 'w'),
    await open(join(folder, `${mebibytes}.xml`), 'w'),
  ];
  await encoded.write('<soap>');
  for (let left = mebibytes * 1024 * 1024; left > 0; left -= block.length) {
    const part = block.subarray(0, Math.min(left, block.length));
    await plain.write(part);
    await encoded.write(part.toString('base64'));
  }
  await encoded.write('</soap>');
  await plain.close();
  await encoded.close();
}

/** curl's own time, which excludes its start. */
async function curl(...args: string[]): Promise<Sample> {
  const { stdout } = await exec('curl', ['-s', '-w', '%{time_total}', ...args]);
  return { tookMs: Number(stdout) * 1000 };
}

async function wholeTime(program: string, args: string[]): Promise<number> {
  const since = performance.now();
  await exec(program, args);
  return performance.now() - since;
}

const post = ['-X', 'POST', '-H', 'Content-Type: text/xml', '-o', '/dev/null'];

/** By itself V8 gives young objects 8 or 16 MiB by the memory of the machine, and the same list took 17 or 35 MB. */
const youngObjects = ['--max-semi-space-size=8'];

/** Our client, curl and node-soap as it comes, on the same server: every call in a process of its own. */
export async function openWire(folder: string, sizes: readonly number[]) {
  for (const size of new Set([1, ...sizes])) await makeFiles(folder, size);
  const server = await startPeer('server.ts');
  const base = server.told;
  const target = join(folder, 'target');
  const client = (who: 'ours' | 'stock', what: string, path: string, ...files: string[]) =>
    runForResult<Sample>('client.ts', [who, what, `${base}${path}`, ...files], youngObjects);
  const file = (name: string) => join(folder, name);
  const withoutTarget = async (call: Promise<Sample>) => {
    const sample = await call;
    await rm(target, { force: true });
    return sample;
  };
  return {
    up: (who: 'ours' | 'stock', size: number) => client(who, 'upload', '/sink', file(`${size}.bin`), file('1.bin')),
    curlUp: (size: number) => curl(...post, '-T', file(`${size}.xml`), `${base}/sink`),
    /** The file, read and hashed: what leaves must be what the ledger knows. */
    hash: (size: number) => timed(() => hashOf(file(`${size}.bin`))),
    /** The whole process: curl reads the file before it starts its clock. */
    curlDataUp: async (size: number): Promise<Sample> => {
      const args = ['-s', ...post, '--data-binary', `@${file(`${size}.xml`)}`, `${base}/sink`];
      return { tookMs: await wholeTime('curl', args) };
    },
    down: (who: 'ours' | 'stock', size: number) => withoutTarget(client(who, 'download', `/document/${size}`, target)),
    /** What it takes besides until the bytes are on the disk is `syncMs`. */
    curlDown: async (size: number): Promise<Sample & { readonly syncMs: number }> => {
      const sample = await curl('-d', 'x', '-o', target, `${base}/document/${size}`);
      const syncMs = await wholeTime('sync', [target]);
      await rm(target, { force: true });
      return { ...sample, syncMs };
    },
    list: (who: 'ours' | 'stock', entries: number) => client(who, 'list', `/list/${entries}`),
    /** The server makes its list, and its code is compiled. */
    warmUp: async (entries: number) => {
      await curl('-d', 'x', '-o', '/dev/null', `${base}/list/${entries}`);
      await curl('-d', 'x', '-o', '/dev/null', `${base}/document/${sizes[0] ?? 1}`);
    },
    close: () => server.stop(),
  };
}

export type Wire = Awaited<ReturnType<typeof openWire>>;
