import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { VerifyRun } from '../../contract/verify.ts';
import type { VerifyResult } from '../../contract/verify-result.ts';
import type { RunningCore } from '../harness/core.ts';
import { connect, newCore, newFolder, newService, pdf } from './jobs-setup.ts';

/** Number of different contents that the service knows; files share them, so that a large tree is registered quickly. */
const contents = 10;

export interface Archive {
  readonly core: RunningCore;
  readonly folder: string;
  readonly auditId: string;
  readonly connectionId: string;
  /** Paths below the folder's parent, as results and reports name them. */
  readonly paths: readonly string[];
  /** The absolute path of a relative one. */
  at(path: string): string;
  /** Number of ValidateDocument calls so far. */
  asked(): number;
  /** Content number `n` that the service knows; `unknown`: content that it does not know. */
  known(n: number): Buffer;
  unknown(n: number): Buffer;
  service: Awaited<ReturnType<typeof newService>>;
}

/** A tree of files in nested folders, all registered, and an audit of it. */
export async function archiveOf(count: number, parallel = 4): Promise<Archive> {
  const parent = await newFolder();
  const service = await newService({ processingMs: 0 });
  const core = await newCore();
  const connectionId = await connect(core, service, { parallel });
  const known = (n: number) => pdf(`content ${n % contents}`, 600);
  const unknown = (n: number) => pdf(`nobody knows ${n}`, 500 + n);
  const seeds = Array.from({ length: contents }, (_each, n) => join(parent, 'seeds', `${n}.pdf`));
  const paths = Array.from(
    { length: count },
    (_each, n) => `archive/${n % 7}/${n % 50}/${String(n).padStart(5, '0')} déjà.pdf`,
  );
  await writeAll(seeds.map((path, n) => [path, known(n)]));
  await writeAll(paths.map((path, n) => [join(parent, path), known(n)]));
  await registerAll(core, connectionId, seeds);
  const { token } = await core.core.acceptPath(join(parent, 'archive'));
  const { auditId } = await core.must('audits.add', { connectionId, token });
  return {
    core,
    folder: parent,
    auditId,
    connectionId,
    paths,
    at: (path) => join(parent, path),
    asked: () => service.control.requests().ValidateDocument ?? 0,
    known,
    unknown,
    service,
  };
}

async function writeAll(files: readonly (readonly [path: string, bytes: Buffer])[]): Promise<void> {
  for (const folder of new Set(files.map(([path]) => dirname(path)))) await mkdir(folder, { recursive: true });
  for (const [path, bytes] of files) await writeFile(path, bytes);
}

async function registerAll(core: RunningCore, connectionId: string, seeds: readonly string[]): Promise<void> {
  const tokens = await Promise.all(seeds.map(async (path) => (await core.core.acceptPath(path)).token));
  const intake = await core.must('files.scan', { tokens, purpose: 'register' });
  const { batchId } = await core.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
  for (;;) {
    const { jobs } = await core.must('jobs.list', { batchId, states: ['done'], limit: 500 });
    if (jobs.length === seeds.length) return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

type Ask = 'changes' | 'contents' | 'everything';

/** Runs the audit to its end. */
export async function audited({ core, auditId }: Archive, ask: Ask = 'changes'): Promise<VerifyRun> {
  const { runId } = await core.must('audits.run', { auditId, ask });
  const ended = await core.untilTask(
    'verification',
    (task) => task.taskId === runId && task.state !== 'running',
    300_000,
  );
  return ended.progress.run;
}

/** Paths of all results of a run that fit, sorted. */
export async function pathsOf(
  core: RunningCore,
  runId: string,
  filter: { readonly group?: 'not-confirmed' | 'no-answer'; readonly change?: VerifyResult['change'] & string },
): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const { results } = await core.must('verify.results', { runId, offset: found.length, limit: 500, ...filter });
    found.push(...results.map(({ folder, name }) => `${folder}/${name}`));
    if (results.length < 500) return found.sort();
  }
}

/** Writes a report and returns its bytes. */
export async function reported(
  { core, folder }: Pick<Archive, 'core' | 'folder'>,
  runId: string,
  format: 'pdf' | 'csv' | 'json',
  language: 'en' | 'de' = 'en',
): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  const path = join(folder, `${runId}.${format}`);
  const { taskId } = await core.core.reportTo(runId, format, path, language);
  const { state, failure } = await core.untilTask(
    'report',
    (task) => task.taskId === taskId && task.state !== 'running',
    300_000,
  );
  if (state !== 'done') throw new Error(`the report ended as ${state}: ${JSON.stringify(failure)}`);
  return { path, bytes: await readFile(path) };
}
