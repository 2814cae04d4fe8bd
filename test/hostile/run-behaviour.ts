import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandLine, Ran } from '../harness/command-line.ts';
import { plainPdf } from '../harness/pdf.ts';
import { type RawServer, startRawServer } from '../harness/raw-server.ts';
import { after, answer, documentId } from './answers.ts';
import type { Behaviour } from './behaviour.ts';
import { encodings, secrets } from './behaviours/echoes.ts';
import { authorities } from './behaviours/tls.ts';
import { type CorePeer, type CoreRequest, type CoreResponse, startCorePeer } from './core-peer.ts';
import { type HostileServer, startHostile } from './hostile-server.ts';

/** A line of the table. */
export interface Result {
  readonly behaviour: Behaviour;
  /** What was wrong; empty if it passed. */
  readonly faults: readonly string[];
  readonly outcome: string;
  readonly exit: number | null;
  readonly ms: number;
  readonly memoryMb: number;
  readonly blockMs: number;
  readonly bodies: string;
}

/** Bounds for everything that names none: far above what is needed, far below what a hostile server would like. */
const usualMemoryMb = 160;
const usualSeconds = 60;
/** Longest turn of the event loop. A window stays responsive with 50 ms; the rest is for a busy machine, whose caches others use. */
const longestBlockMs = 150;
/** Without an answer for this time the core or the command line hangs. */
const hangMs = 120_000;

export interface Bench {
  run(behaviour: Behaviour): Promise<Result>;
  close(): Promise<void>;
}

interface Set {
  readonly cli: CommandLine;
  core: CorePeer;
  readonly elsewhere: RawServer;
  readonly folder: string;
  /** Highest memory of a command line that met a good service. */
  idleMb: number;
}

const goodBehaviour = (operation: Behaviour['operation']): Behaviour => ({
  group: 'good',
  name: 'a good service',
  moment: '',
  operation,
  soap: '1.1',
  expected: ['ok'],
  exits: [0],
  serve: after((asked) => answer(asked)),
});
const warmUps: readonly Behaviour['operation'][] = [
  ...(['GetVersion', 'GetESignList', 'GetDocument', 'GetDocumentStatus', 'ValidateDocument'] as const),
  ...(['AddNewDocument', 'AddQuickNote'] as const),
];

/** Starts what the behaviours share: the command line, a core in a process of its own, and a server that nobody may call. */
export async function openBench(cli: CommandLine, behaviours: readonly Behaviour[]): Promise<Bench> {
  const folder = join(cli.home, 'files');
  mkdirSync(folder);
  const core = await startCorePeer(cli.env, hangMs);
  const elsewhere = await startRawServer(({ socket }) => void socket.end());
  const bench: Set = { cli, core, elsewhere, folder, idleMb: 0 };
  // The first use of each part of the program costs time and memory of its own.
  const used = new Set(['GetVersion', ...behaviours.map(({ operation }) => operation)]);
  for (const operation of warmUps.filter((one) => used.has(one))) {
    const { peakMb } = await runOne(bench, goodBehaviour(operation));
    bench.idleMb = Math.max(bench.idleMb, peakMb);
  }
  return {
    run: (behaviour) => runOne(bench, behaviour),
    close: async () => {
      await bench.core.stop();
      await elsewhere.close();
    },
  };
}

let count = 0;

async function runOne(bench: Set, behaviour: Behaviour): Promise<Result & { readonly peakMb: number }> {
  const [inCore, inCli] = [
    await startHostile(behaviour, bench.elsewhere.url),
    await startHostile(behaviour, bench.elsewhere.url),
  ];
  const elsewhereBefore = bench.elsewhere.connections();
  const request = requestOf(bench, behaviour, inCore);
  try {
    const command = await commandRequest(bench, request, behaviour, inCli);
    // Both ways at once: they have servers of their own.
    const [{ met, next, bodies }, ran] = await Promise.all([
      askCore(bench.core, request, inCore),
      runCommand(bench.cli, command),
    ]);
    await bench.core.remove(request, met.connectionId);
    await bench.core.remove(request, command.connectionId);
    const faults = [
      ...faultsOfCore(behaviour, met, bodies),
      ...(next.outcome === 'ok' && next.text.includes('"2.0"')
        ? []
        : [`afterwards: ${next.outcome} ${next.text.slice(0, 80)}`]),
      ...faultsOfCommand(behaviour, ran, inCli.bodies(), ran.peakMb - bench.idleMb),
      ...secretsIn('core', met.text + met.told),
      ...secretsIn('command line', ran.out + ran.err),
      ...leftBehind(bench.folder),
      ...(bench.elsewhere.connections() > elsewhereBefore ? ['another host was called'] : []),
    ];
    const { outcome, ms, memoryMb, blockMs } = met;
    return {
      behaviour,
      faults,
      outcome,
      exit: ran.code,
      ms,
      memoryMb,
      blockMs,
      bodies: `${bodies} ${inCli.bodies()}`,
      peakMb: ran.peakMb,
    };
  } catch (error) {
    // A core that hangs or has ended is replaced, so that the others of the table are still tried.
    bench.core.kill();
    bench.core = await startCorePeer(bench.cli.env, hangMs);
    const figures = { exit: null, ms: hangMs, memoryMb: 0, blockMs: 0, bodies: '', peakMb: 0 };
    return { behaviour, faults: [String(error)], outcome: 'hang', ...figures };
  } finally {
    await inCore.close();
    await inCli.close();
    rmSync(bench.folder, { recursive: true });
    mkdirSync(bench.folder);
  }
}

/** A document of its own for each behaviour and way: the same bytes again would be held as a duplicate. */
function documentOf(folder: string, name: string, large = false): string {
  const path = join(folder, `${name}.pdf`);
  const bytes = plainPdf(name);
  // In front of the end, as a comment.
  const filling = Buffer.alloc(large ? 6_000_000 : 0, 0x20);
  writeFileSync(
    path,
    Buffer.concat([bytes.subarray(0, 9), Buffer.from('%'), filling, Buffer.from('\n'), bytes.subarray(9)]),
  );
  return path;
}

function requestOf(
  { folder }: Set,
  { operation, soap, maxItems = 10, large, tls, plainTls }: Behaviour,
  { url }: HostileServer,
): CoreRequest {
  const name = `hostile ${count++}`;
  return {
    operation,
    name,
    url,
    soap,
    maxItems,
    extraCa: tls || plainTls ? authorities : '',
    file: documentOf(folder, `${name} core`, large),
    target: join(folder, `${name} fetched.pdf`),
  };
}

const argumentsOf: Readonly<Record<Behaviour['operation'], (file: string, target: string) => readonly string[]>> = {
  GetVersion: () => ['version'],
  GetSchedule: () => ['schedule'],
  GetAuthToken: () => ['token'],
  GetDocumentStatus: () => ['status', documentId],
  GetDocumentDetails: () => ['details', documentId],
  GetDocument: (_file, target) => ['download', documentId, '-o', target],
  GetESignList: () => ['requests', '--list', '1'],
  ValidateDocument: (file) => ['verify', file],
  WSDL: () => ['doctor'],
  AddNewDocument: (file) => ['register', file],
  AddQuickNote: () => ['note', 'Call back'],
  AddNewDocumentESign: (file) => ['request-signatures', file, '--email', 'ana@example.com'],
  AddNewEasySignDocument: (file) => ['easy-sign', file, '--email', 'ana@example.com'],
  AddNewEasySignTemplate: () => ['easy-sign-template', 'T-1', '--email', 'ana@example.com'],
};

/** Asks the question while the server misbehaves, and another one when it does not any more. */
async function askCore(core: CorePeer, request: CoreRequest, server: HostileServer) {
  const met = await core.ask(request);
  const bodies = server.bodies();
  await server.behave();
  const { connectionId } = met;
  const next = await core.ask({ ...request, connectionId, operation: 'GetVersion' });
  return { met, next, bodies };
}

/** The same question for a command line, over a connection that the core saves, at a server of its own. */
async function commandRequest(
  { core, folder }: Set,
  request: CoreRequest,
  { operation, large }: Behaviour,
  server: HostileServer,
) {
  const name = `${request.name} command`;
  const connectionId = await core.save({ ...request, name, url: server.url });
  const target = join(folder, `${name} fetched.pdf`);
  const args = [...argumentsOf[operation](documentOf(folder, name, large), target), '--json', '--connection', name];
  return { connectionId, args };
}

async function runCommand(cli: CommandLine, { args }: { readonly args: readonly string[] }) {
  const peakFile = join(cli.home, 'peak');
  const env = {
    SEALDESK_API_KEY: secrets.apiKey,
    SEALDESK_API_SIG: secrets.apiSig,
    NODE_OPTIONS: `--import=${new URL('measure-peak.mjs', import.meta.url).href}`,
    PEAK_FILE: peakFile,
  };
  const since = performance.now();
  const ran = await cli.run(args, { env });
  return { ...ran, peakMb: Number(readFileSync(peakFile, 'utf8')), ms: performance.now() - since };
}

function faultsOfCore(behaviour: Behaviour, met: CoreResponse, bodies: number): string[] {
  const { expected, operation, memoryMb = usualMemoryMb, seconds = usualSeconds, result } = behaviour;
  const faults: string[] = [];
  if (!expected.includes(met.outcome)) faults.push(`core: ${met.outcome}, not ${expected.join(' or ')}`);
  if (isAdd(operation) && bodies > 1) faults.push(`core: an add left ${bodies} times`);
  if (result && met.outcome === 'ok' && !result.test(JSON.parse(met.text).raw))
    faults.push(`core: answered ${met.text.slice(0, 80)}`);
  if (met.memoryMb > memoryMb) faults.push(`core: ${met.memoryMb.toFixed()} MB`);
  if (met.ms > seconds * 1000) faults.push(`core: ${(met.ms / 1000).toFixed()} s`);
  if (met.blockMs > longestBlockMs) faults.push(`core: a turn of ${met.blockMs.toFixed()} ms`);
  return faults;
}

function faultsOfCommand(
  behaviour: Behaviour,
  ran: Ran & { readonly ms: number },
  bodies: number,
  grownMb: number,
): string[] {
  const { exits, operation, memoryMb = usualMemoryMb, seconds = usualSeconds } = behaviour;
  const faults: string[] = [];
  if (ran.code === null || !exits.includes(ran.code))
    faults.push(
      `command line: exit ${ran.code}, not ${exits.join(' or ')} (${ran.out.slice(0, 200)}${ran.err.slice(0, 200)})`,
    );
  if (isAdd(operation) && bodies > 1) faults.push(`command line: an add left ${bodies} times`);
  if (grownMb > memoryMb) faults.push(`command line: ${grownMb.toFixed()} MB more`);
  if (ran.ms > seconds * 1000) faults.push(`command line: ${(ran.ms / 1000).toFixed()} s`);
  // The token is the one secret that the command line shows, on request.
  if (/^\s+at |\bbug\b/m.test(ran.err + ran.out)) faults.push('command line: an unexpected error');
  return faults;
}

const isAdd = (operation: string) => operation.startsWith('Add');

/** Names the encodings in which a secret can be read. */
function secretsIn(where: string, text: string): string[] {
  const plain = text.toLowerCase();
  return Object.entries(encodings).flatMap(([name, write]) =>
    Object.values(secrets).some((secret) =>
      [write(secret), JSON.stringify(write(secret)).slice(1, -1)].some((form) => plain.includes(form.toLowerCase())),
    )
      ? [`${where}: shows a secret ${name}`]
      : [],
  );
}

/** Temporary files of downloads; whole ones have their own name. */
function leftBehind(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.pdf'))
    .map((name) => `left behind: ${name}`);
}
