import type { TestContext } from 'vitest';
import { openStore } from '../electron/store/store.ts';
import { assetsDir } from '../test/harness/core.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { type RunningPractice, startPractice } from '../test/harness/practice.ts';
import { cannotRun, sizeOption, withFolder } from './harness.ts';
import { silentLog } from './invented-documents.ts';
import { measureAdds, measureClaims } from './team-adds.ts';
import { measureDocuments, measureTwoPrograms } from './team-documents.ts';
import { table } from './team-report.ts';

/**
 * `npm run bench:team [-- --documents 1000000 --files 100]`: adds with and without a team register, and a register of many documents, on a PostgreSQL of its own on
 * this computer, with its extension pg_stat_statements. Every figure stands beside the local one of the same run. No documents or files: that part is left out.
 */
const documents = sizeOption('documents', 1_000_000, 2_000);
const filesEach = sizeOption('files', 100, 4);

const context = { skip: cannotRun } as unknown as TestContext;
const postgres = await startPostgres(context, ['-c', 'shared_preload_libraries=pg_stat_statements']);
try {
  await withFolder(async (dataDir) => {
    // One for all parts: a team has one service.
    const service = await startPractice({ dataDir, assetsDir });
    await measureAll(service);
    await service.close();
  });
} finally {
  await postgres.close();
}
const memory = `most memory of this process ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`;
await table.end('team', `${filesEach} files for each program; ${memory}.`);
// Links to the database may still be ending.
process.exit(0);

async function measureAll(service: RunningPractice): Promise<void> {
  const admin = await postgres.admin();
  const [{ team_id: teamId = '' } = {}] = await admin.query<{ team_id: string }>('SELECT team_id FROM sealdesk.teams');
  if (filesEach > 0) {
    await measureAdds({ postgres, admin }, service, filesEach);
    await measureTwoPrograms(postgres, service);
    await withFolder(async (dataDir) => {
      const { store } = await openStore({ dataDir, log: silentLog });
      await measureClaims(admin, teamId, store);
      store.close();
    });
  }
  if (documents > 0) await measureDocuments({ postgres, admin, teamId }, service, documents);
  await admin.close();
}
