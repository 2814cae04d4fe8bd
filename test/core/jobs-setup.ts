import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import type { FileSelection } from '../../contract/files.ts';
import type { Job, JobState } from '../../contract/jobs.ts';
import { assetsDir, type CoreSetup, type RunningCore, startCore } from '../harness/core.ts';
import {
  type PracticeControl,
  type PracticeOptions,
  type RunningPractice,
  startPractice,
} from '../harness/practice.ts';
import { recordingService } from '../harness/recording-service.ts';
import { isFullLength } from '../harness/test-length.ts';

type Service = RunningPractice & { readonly control: PracticeControl };

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Clean-up functions that run after the test, the last one first. */
export function atEnd(end: () => Promise<unknown>): void {
  endings.push(end);
}

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sealdesk-jobs-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function newCore(setup: CoreSetup = {}): Promise<RunningCore> {
  const running = await startCore(setup);
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= running.stop();
    return stopped;
  };
  atEnd(stop);
  return { ...running, stop };
}

/** The practice service as a separate service that outlives a core and can be stopped. */
export async function newService(options: Partial<PracticeOptions> = {}): Promise<Service> {
  const service = await startPractice({ dataDir: await newFolder(), assetsDir, ...options });
  atEnd(() => service.close());
  return service;
}

type Settings = {
  readonly name?: string;
  readonly parallel?: number;
  readonly doubtLimit?: number;
  readonly maxItems?: number;
  readonly separator?: string;
  readonly soapVersion?: '1.1' | '1.2';
  readonly verifyPerMinute?: number;
  readonly timeouts?: { readonly connectMs: number; readonly idleMs: number; readonly answerMs: number };
};

/** Times of a connection that awaits an answer for longer than a test waits for anything: what ends the wait is what the test does. */
export const patient = { connectMs: 2_000, idleMs: 60_000, answerMs: 60_000 } as const;

/** Adds a connection to the service with its credentials; returns its id. */
export async function connect(
  core: RunningCore,
  service: Omit<RunningPractice, 'sign' | 'templates'>,
  settings: Settings = {},
): Promise<string> {
  const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig } = service;
  const { id } = await core.must('connections.save', {
    settings: {
      name: 'Service',
      baseUrl,
      mainPath,
      easySignPath,
      namespaceUri,
      proxy: { mode: 'none' },
      timeouts: { connectMs: 2_000, idleMs: 2_000, answerMs: 2_000 },
      ...settings,
    },
  });
  await core.must('connections.setCredentials', { id, apiKey, apiSig });
  return id;
}

/** A small PDF with a text and, if wanted, a size. */
export function pdf(text: string, sizeBytes = 0): Buffer {
  const head = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n`;
  const body = `${head}3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\n% ${text}\n`;
  const tail = 'trailer<</Root 1 0 R/Size 4>>\n%%EOF\n';
  return Buffer.from(`${body}%${'x'.repeat(Math.max(0, sizeBytes - body.length - tail.length - 2))}\n${tail}`);
}

export async function writePdfs(folder: string, names: readonly string[], sizeBytes = 0): Promise<string[]> {
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, pdf(path, sizeBytes));
  }
  return paths;
}

export async function scan(
  core: RunningCore,
  paths: readonly string[],
  purpose: 'register' | 'verify' = 'register',
): Promise<FileSelection> {
  const tokens = await Promise.all(paths.map(async (path) => (await core.core.acceptPath(path)).token));
  return core.must('files.scan', { tokens, purpose });
}

/** Registers files; returns the batch id. */
export async function register(
  core: RunningCore,
  connectionId: string,
  paths: readonly string[],
  more: { readonly name?: string; readonly clientId?: string; readonly description?: string } = {},
): Promise<string> {
  const intake = await scan(core, paths);
  const given = { connectionId, intakeId: intake.id, creditType: 1, ...more };
  return (await core.must('documents.register', given)).batchId;
}

export async function jobsOf(core: RunningCore, batchId?: string): Promise<readonly Job[]> {
  return (await core.must('jobs.list', { batchId, limit: 500 })).jobs;
}

const ended: readonly JobState[] = ['done', 'refused', 'failed', 'in-doubt', 'passed-over', 'cancelled'];

/** Resolves when `fits` is true for the batch's jobs; otherwise rejects with the jobs. At full length, where the machine may be busy, it waits five times as long. */
export async function untilJobs(
  core: RunningCore,
  batchId: string,
  fits: (jobs: readonly Job[]) => boolean,
  ms = 20_000,
): Promise<readonly Job[]> {
  const deadline = performance.now() + (isFullLength ? 5 * ms : ms);
  for (;;) {
    const jobs = await jobsOf(core, batchId);
    if (fits(jobs)) return jobs;
    if (performance.now() > deadline)
      throw new Error(
        `jobs are ${JSON.stringify(jobs.map(({ state, failure }) => [state, failure?.code, failure?.note]))}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function untilEnded(core: RunningCore, batchId: string, ms?: number): Promise<readonly Job[]> {
  return untilJobs(core, batchId, (jobs) => jobs.every(({ state }) => ended.includes(state)), ms);
}

/** Resolves when `fits` answers true. */
export async function until(fits: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await fits())) {
    if (performance.now() > deadline) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Connects to a service that answers every question with the same words, by operation; answers the id of the connection. */
export async function saying(core: RunningCore, words: Readonly<Record<string, string>>): Promise<string> {
  const service = await recordingService((operation) => ({ result: words[operation] ?? 'ok' }));
  atEnd(service.close);
  const [, baseUrl = '', , namespaceUri = '', , mainPath = '', , easySignPath = ''] = service.connection;
  const proxy = { mode: 'none' } as const;
  const { id } = await core.must('connections.save', {
    settings: { name: 'Odd service', baseUrl, namespaceUri, mainPath, easySignPath, proxy },
  });
  await core.must('connections.setCredentials', { id, apiKey: 'key-1', apiSig: 'sig-1' });
  return id;
}
