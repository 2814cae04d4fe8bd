import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PdfSignatures } from '../../contract/pdf-signatures.ts';
import { newCore, scan } from '../core/jobs-setup.ts';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { electronBinary } from '../harness/electron.ts';
import { certified, forgeries, plain, signer } from '../harness/forged-pdfs.ts';
import { keyKinds, makeSigner } from '../harness/signers.ts';
import { hasCorpus, pathOf, readExpected } from './corpus.ts';

type Said = Pick<PdfSignatures, 'verdict' | 'reason' | 'revisions' | 'signatures' | 'changedPages' | 'needsPassword'>;

/** Signed with each kind of key and digest: the runtimes have other libraries for them. Forgeries, which are about structure, only where those of others are not there. */
function* ownFiles(): Generator<readonly [name: string, bytes: Buffer]> {
  for (const [name, make] of hasCorpus ? [] : Object.entries(forgeries)) yield [name, make()];
  for (const key of keyKinds) yield [key, plain.sign({ signer: makeSigner({ key }) }).bytes];
  for (const digest of ['sha1', 'sha512', 'sha3-256']) yield [digest, plain.sign({ signer, digest }).bytes];
  for (const use of ['pss', 'plain'] as const)
    yield [use, plain.sign({ signer: makeSigner({ key: use === 'pss' ? 'rsa' : 'p256', use }) }).bytes];
  yield ['filled', certified(2).fill('name', 'Ana').bytes];
  yield ['unsigned', plain.bytes];
}

/* One file, one verdict: whichever program asks, and whichever library for cryptography its runtime has. Those of others only where they lie beside the repository. */
describe('signed PDFs', () => {
  const paths = hasCorpus ? [...readExpected().keys()].map(pathOf) : [];
  let cli: CommandLine;
  let folder: string;
  let said: ReadonlyMap<string, Said>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealdesk-runtimes-'));
    for (const [name, bytes] of ownFiles()) {
      paths.push(join(folder, `${paths.length} ${name.replaceAll(/[^a-z0-9]+/gi, ' ')}.pdf`));
      await writeFile(paths.at(-1) ?? '', bytes);
    }
    cli = await buildCommandLine();
    const { code, lines } = await cli.run(['pdf-signatures', ...paths, '--json']);
    expect(code).toBe(0);
    said = byFile(lines);
    expect(said.size).toBe(paths.length);
  }, 300_000);
  afterAll(async () => {
    cli?.remove();
    await rm(folder, { recursive: true });
  });

  it('are judged in a window as in the command line', async () => {
    const core = await newCore();
    const intake = await scan(core, paths, 'verify');
    const { runId } = await core.must('verify.start', { connectionId: null, intakeId: intake.id });
    await core.untilTask('verification', ({ taskId, state }) => taskId === runId && state !== 'running', 240_000);
    const { results } = await core.must('verify.results', { runId, limit: 500 });
    expect(results).toHaveLength(paths.length);
    // Whether nothing in a damaged file looks like a signature is told in the window only.
    const shown = new Map(
      results.map(({ index, signatures }) => {
        const { isUnmarked: _, ...judged } = signatures ?? {};
        return [paths[index] ?? '', judged];
      }),
    );
    for (const path of paths) expect(shown.get(path), path).toEqual(said.get(path));
    expect(paths.filter((path) => said.get(path)?.verdict === 'unchanged').length).toBeGreaterThan(10);
  }, 300_000);

  it('are judged by Electron as by Node', ({ skip }) => {
    const electron = electronBinary();
    if (electron === null) return skip('no Electron');
    const [, program = ''] = cli.words([]);
    // As a plain Node, which Electron's own library for cryptography serves.
    const env = { ...process.env, ...cli.env, ELECTRON_RUN_AS_NODE: '1' };
    const ran = spawnSync(electron, [program, '--', 'pdf-signatures', ...paths, '--json'], {
      env,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      cwd: cli.home,
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
