import { join } from 'node:path';
import { askWith, listenWith } from '../contract/client.ts';
import type { Envelope } from '../contract/failure.ts';
import type { Task } from '../contract/tasks.ts';
import type { ReportFormat, VerifyRun } from '../contract/verify.ts';
import { createCore } from '../electron/core/create-core.ts';
import type { Ports } from '../electron/core/foundation/ports.ts';
import { watchLoop } from './loop-watch.ts';

/** The core in a separate process: verifies a folder, writes the three reports, prints the measurements as JSON. */
const [, , folder = '', dataDir = '', parallel = '4', service = '{}'] = process.argv;
const { apiKey, apiSig, ...address } = JSON.parse(service) as Record<'apiKey' | 'apiSig' | 'baseUrl', string>;

const nobody = async () => null;
const nowhere = async () => undefined;
const secrets = new Map<string, string>();
const ports: Ports = {
  host: 'command-line',
  version: 'bench',
  installation: 'source',
  isSandboxed: true,
  hasTray: Promise.resolve(false),
  logFile: null,
  dataDir,
  assetsDir: join(import.meta.dirname, '../assets'),
  licencesFile: '',
  keychain: {
    get: async (account) => secrets.get(account) ?? null,
    set: async (account, secret) => void secrets.set(account, secret),
    remove: async (account) => void secrets.delete(account),
  },
  dialogs: { chooseFiles: nobody, chooseTarget: nobody, confirmInClear: async () => false },
  desktop: { showInFolder: nowhere, openInBrowser: nowhere, openFile: nowhere },
  network: { resolveProxy: async () => 'DIRECT' },
  systemLanguages: () => ['en'],
  notifications: { show: () => undefined },
  practice: { start: () => Promise.reject(new Error('not in here')) },
  policy: { name: 'none', read: async () => null, watch: () => () => undefined },
  log: {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (message, fields) => console.error(message, fields),
  },
};

function value<T>(envelope: Envelope<T>): T {
  if (envelope.ok) return envelope.value;
  throw new Error(JSON.stringify(envelope.failure));
}

const core = await createCore(ports);
const [ask, listen] = [askWith(core), listenWith(core)];
const { id } = value(
  await ask('connections.save', {
    settings: {
      name: 'Bench',
      ...(address as never as object),
      proxy: { mode: 'none' },
      parallel: Number(parallel),
    } as never,
  }),
);
value(await ask('connections.setCredentials', { id, apiKey, apiSig }));
const { token } = await core.acceptPath(folder);
const intake = value(await ask('files.scan', { tokens: [token], purpose: 'verify' }));

const memory: number[] = [];
let ended: (run: VerifyRun) => void = () => undefined;
const end = new Promise<VerifyRun>((resolve) => {
  ended = resolve;
});
let nextAt = 0;
const follow = (task: Task) => {
  if (task.kind !== 'verification') return;
  const { run } = task.progress;
  if (run.answered >= nextAt) {
    memory.push(process.memoryUsage.rss());
    nextAt = run.answered + run.total / 10;
  }
  if (run.state !== 'running') ended(run);
};
listen('tasks.progressed', follow);
listen('tasks.ended', follow);
const stopVerifying = watchLoop();
const since = performance.now();
const { runId } = value(await ask('verify.start', { connectionId: id, intakeId: intake.id }));
const run = await end;
const verifyMs = performance.now() - since;
const verifyBlockMs = stopVerifying().longest;

const reports: Record<string, { readonly tookMs: number; readonly longestBlockMs: number }> = {};
for (const format of ['json', 'csv', 'pdf'] satisfies ReportFormat[]) {
  const stop = watchLoop();
  const from = performance.now();
  const { taskId } = await core.reportTo(runId, format, join(dataDir, `report.${format}`), 'en');
  await new Promise<void>((resolve, reject) =>
    listen('tasks.ended', (task) => {
      if (task.taskId !== taskId) return;
      if (task.state === 'done') resolve();
      else reject(new Error(JSON.stringify(task)));
    }),
  );
  reports[format] = { tookMs: performance.now() - from, longestBlockMs: stop().longest };
}
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ run, verifyMs, verifyBlockMs, memory, peakBytes, reports }));
await core.close();
