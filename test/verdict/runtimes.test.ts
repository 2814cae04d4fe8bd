import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PdfSignatures } from '../../contract/pdf-signatures.ts';
import { newCore, scan } from '../core/jobs-setup.ts';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { electronBinary } from '../harness/electron.ts';
import { hasCorpus, pathOf, readExpected } from './corpus.ts';

type Said = Pick<PdfSignatures, 'verdict' | 'reason' | 'revisions' | 'signatures' | 'changedPages' | 'needsPassword'>;

/* One file, one verdict: whichever program asks, and whichever library for cryptography its runtime has. */
describe.skipIf(!hasCorpus)('signed PDFs of others', () => {
  const paths = hasCorpus ? [...readExpected().keys()].map(pathOf) : [];
  let cli: CommandLine;
  let said: ReadonlyMap<string, Said>;
  beforeAll(async () => {
    cli = await buildCommandLine();
    const { code, lines } = await cli.run(['pdf-signatures', ...paths, '--json']);
    expect(code).toBe(0);
    said = byFile(lines);
    expect(said.size).toBe(paths.length);
  }, 300_000);
  afterAll(() => cli?.remove());

  it('are judged in a window as in the command line', async () => {
    const core = await newCore();
    const intake = await scan(core, paths, 'verify');
    const { runId } = await core.must('verify.start', { connectionId: null, intakeId: intake.id });
    await core.untilTask('verification', ({ taskId, state }) => taskId === runId && state !== 'running', 240_000);
    const { results } = await core.must('verify.results', { runId, limit: 500 });
    expect(results).toHaveLength(paths.length);
    const shown = new Map(results.map(({ index, signatures }) => [paths[index] ?? '', signatures]));
    for (const path of paths) expect(shown.get(path), path).toEqual(said.get(path));
  }, 300_000);

  it('are judged by Electron as by Node', ({ skip }) => {
    const electron = electronBinary();
    if (electron === null) return skip('no Electron');
    const [, program = ''] = cli.words([]);
    // As a plain Node, which Electron's own library for cryptography serves.
    const env = { ...process.env, ...cli.env, ELECTRON_RUN_AS_NODE: '1' };
    const ran = spawnSync(electron, [program, '--', 'pdf-signatures', ...paths, '--json'], {
      ...{ env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, cwd: cli.home },
    });
    expect(ran.status, ran.stderr).toBe(0);
    const lines = ran.stdout.trim().split('\n');
    const inElectron = byFile(lines.map((line) => JSON.parse(line) as Record<string, unknown>));
    for (const path of paths) expect(inElectron.get(path), path).toEqual(said.get(path));
  }, 300_000);
});

function byFile(lines: readonly Record<string, unknown>[]): ReadonlyMap<string, Said> {
  return new Map(lines.map(({ file, ...answer }) => [String(file), answer as unknown as Said]));
}
