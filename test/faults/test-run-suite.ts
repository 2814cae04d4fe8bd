import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { hasPostgres, startPostgres } from '../harness/postgres.ts';

/* Stands for the suites of a run: starts a program in a session of its own, one that knows its folder by its words alone, and PostgreSQL where it is installed. */

const folder = mkdtempSync(join(tmpdir(), 'suite-'));
mkdirSync(join(folder, 'full'));
writeFileSync(join(folder, 'full/file'), 'something');
const sleep = (words: readonly string[], env: NodeJS.ProcessEnv) => {
  const program = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 600_000)', ...words], {
    env,
    detached: true,
    stdio: 'ignore',
  });
  program.unref();
  return program.pid;
};
const pids = [process.pid, sleep([], process.env), sleep([folder], {})];
if (hasPostgres()) {
  delete process.env.SEALDESK_TEST_POSTGRES;
  delete process.env.SEALDESK_TEST_RUN;
  const server = await startPostgres({} as TestContext);
  pids.push(Number.parseInt(readFileSync(join(server.folder, 'data/postmaster.pid'), 'utf8'), 10));
}
const { TOLD: told = '', ENDING: ending } = process.env;
writeFileSync(`${told}.part`, pids.join(' '));
renameSync(`${told}.part`, told);
if (ending === 'waits') setTimeout(() => undefined, 600_000);
else process.exit(7);
