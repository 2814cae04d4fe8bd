import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { openStore } from '../electron/store/store.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { measureAdds, measureClaims } from './team-adds.ts';
import { measureDocuments, measureTwoPrograms } from './team-documents.ts';
import { resultRows } from './team-report.ts';

/**
 * `npm run bench:team [-- --documents 1000000 --files 100]`: adds with and without a team register, and a register of many documents, on a PostgreSQL of its own on
 * this computer, with its extension pg_stat_statements. Every figure stands beside the local one of the same run. Prints figures and writes them to bench/results/. No documents or files: that part is left out.
 */
function option(name: string, usual: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : Number(process.argv[at + 1]);
}
const documents = option('documents', 1_000_000);
const filesEach = option('files', 100);

const log = { info: () => undefined, error: () => undefined };
const loadBefore = loadavg();
const context = {
  skip: (reason: string) => {
    throw new Error(reason);
  },
} as unknown as TestContext;
const postgres = await startPostgres(context, ['-c', 'shared_preload_libraries=pg_stat_statements']);
const folder = await mkdtemp(join(tmpdir(), 'sealdesk-bench-'));
try {
  const admin = await postgres.admin();
  const [{ team_id: teamId = '' } = {}] = await admin.query<{ team_id: string }>('SELECT team_id FROM sealdesk.teams');
  if (filesEach > 0) {
    await measureAdds(postgres, admin, filesEach);
    await measureTwoPrograms(postgres);
    const { store } = await openStore({ dataDir: folder, log });
    await measureClaims(admin, teamId, store);
    store.close();
  }
  if (documents > 0) await measureDocuments({ postgres, admin, teamId }, documents);
  await admin.close();
} finally {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}
const load = `load ${loadBefore[0]?.toFixed(1)} before, ${loadavg()[0]?.toFixed(1)} after`;
const memory = `most memory of this process ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`;
const text = [
  `# Team register, ${new Date().toISOString()}`,
  '',
  `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? ''}; Node ${process.version}; ${filesEach} files for each program; ${load}; ${memory}.`,
  '',
  '| what | with the register | local | ratio | aim |',
  '| --- | --- | --- | --- | --- |',
  ...resultRows(),
  '',
].join('\n');
const results = join(import.meta.dirname, 'results');
await mkdir(results, { recursive: true });
await writeFile(join(results, `${new Date().toISOString().slice(0, 16).replace(':', '')}-team.md`), text);
console.log(memory);
// Links to the database may still be ending.
process.exit(0);
