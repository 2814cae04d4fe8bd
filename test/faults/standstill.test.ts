import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { atEnd, newFolder } from '../core/jobs-setup.ts';
import { httpAnswer, type RawPeer, startRawServer } from '../harness/raw-server.ts';
import { replyOf } from '../harness/soap-texts.ts';
import { programOf } from './fault-runs.ts';
import { isFull, recordFault } from './fault-table.ts';

const program = programOf('standstill-program.ts');
const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const added = httpAnswer(200, 'text/xml; charset=utf-8', replyOf('AddNewDocument', guid));
const half = Math.floor(added.length / 2);

const limitMs = 400;
const adds = 4;
const rounds = isFull ? 30 : 1;
/** Time for which the client waits for an answer to Expect, in milliseconds. */
const expectMs = 1_000;
/** Of a scene that goes on after the standstill: what is answered then takes its time on a busy machine. Shorter than the longer standstill. */
const goesOnMs = 1_800;

interface Scene {
  /** Runs until the process is suspended. */
  readonly before: (peer: RawPeer) => Promise<void>;
  /** Sends data while the process is suspended. */
  readonly meanwhile: (peer: RawPeer) => void;
  /** Runs after the process continues. */
  readonly after?: (peer: RawPeer) => Promise<void>;
  readonly documentBytes?: number;
  readonly through?: 'proxy';
}

/** Returns the result that the program prints for each request, and the number of requests that arrived: each has its own connection. */
async function standStill(scene: Scene, stopMs: number): Promise<{ ends: readonly string[]; requests: number }> {
  let arrived = 0;
  let allArrived: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    allArrived = resolve;
  });
  const first: RawPeer[] = [];
  let firstAt = 0;
  const server = await startRawServer(async (peer) => {
    if (first.length === adds) return scene.after?.(peer);
    firstAt ||= performance.now();
    first.push(peer);
    await scene.before(peer);
    arrived += 1;
    if (arrived === adds) allArrived();
  });
  atEnd(server.close);
  const address =
    scene.through === 'proxy'
      ? { URL: 'https://service.example', PROXY: `PROXY 127.0.0.1:${server.port}` }
      : { URL: server.url };
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      ...address,
      FOLDER: await newFolder(),
      ADDS: String(adds),
      LIMIT_MS: String(scene.after ? goesOnMs : limitMs),
      DOCUMENT_BYTES: String(scene.documentBytes ?? 1_000),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(async () => void child.kill('SIGKILL'));
  const said = text(child.stdout);
  await all;
  child.kill('SIGSTOP');
  // On a busy machine the last request may leave when the first has waited for its limit already: that one was rightly timed out, and nothing arrived while it stood still.
  if (performance.now() - firstAt > limitMs / 2) {
    child.kill('SIGKILL');
    return standStill(scene, stopMs);
  }
  for (const peer of first) scene.meanwhile(peer);
  await wait(stopMs);
  child.kill('SIGCONT');
  return { ends: JSON.parse(await said) as string[], requests: server.connections() };
}

const scenes: readonly [string, Scene, string][] = [
  [
    'the answer',
    {
      before: async (peer) => void (await peer.nextRequest()),
      meanwhile: (peer) => void peer.socket.end(added),
    },
    guid,
  ],
  [
    'the rest of the answer',
    {
      before: async (peer) => {
        await peer.nextRequest();
        await new Promise<void>((resolve) => void peer.socket.write(added.subarray(0, half), () => resolve()));
      },
      meanwhile: (peer) => void peer.socket.end(added.subarray(half)),
    },
    guid,
  ],
  [
    'a 417 to Expect, before a byte of the body',
    {
      documentBytes: 1_500_000,
      before: (peer) => peer.arrived(1),
      meanwhile: (peer) => void peer.socket.end(httpAnswer(417, 'text/html', '<p>no</p>')),
      after: async (peer) => {
        await peer.nextRequest({ discardBody: true });
        peer.socket.end(added);
      },
    },
    guid,
  ],
  [
    "the proxy's refusal",
    {
      through: 'proxy',
      before: (peer) => peer.arrived(1),
      meanwhile: (peer) => void peer.socket.end('HTTP/1.1 502 no\r\nContent-Length: 0\r\n\r\n'),
    },
    'service-unreachable proxy-refused',
  ],
];

describe.skipIf(process.platform === 'win32')(
  'what arrived while the process stood still is read, not timed out',
  () => {
    // One suspension ends shortly after the limit, the other one long after it.
    it.each(scenes)('%s', async (name, scene, expected) => {
      for (let round = 0; round < rounds; round++) {
        const limit = scene.after ? expectMs : limitMs;
        const both = await Promise.all([250, 1_000].map((beyondMs) => standStill(scene, limit + beyondMs)));
        const ends = both.flatMap((one) => one.ends);
        const requests = both.reduce((sum, one) => sum + one.requests, 0);
        const done = ends.filter((end) => end === expected).length;
        const inDoubt = ends.filter((end) => end.startsWith('outcome-unknown')).length;
        const [injected, lost] = [ends.length, ends.length - done - inDoubt];
        // A 417 to Expect took nothing: that request is sent again.
        const doubled = requests - injected * (scene.after ? 2 : 1);
        recordFault({ fault: `standstill: ${name}`, injected, jobs: injected, done, inDoubt, lost, doubled });
        expect(doubled).toBe(0);
        expect(ends).toEqual(Array.from({ length: 2 * adds }, () => expected));
      }
    });
  },
);
