import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
import { connect, newCore, newFolder, newService, register, scan, untilEnded, writePdfs } from '../core/jobs-setup.ts';
import { fillDisk, namesOf, smallDisk } from './fault-runs.ts';
import { waitMs } from './fault-table.ts';

describe('the data folder on a full disk', () => {
  it('ends what only reads with its items open, and all of it is resumed once there is space', async (test) => {
    const dataDir = await smallDisk(test, 6);
    const [core, service, folder, target] = [
      await newCore({ dataDir }),
      await newService({ processingMs: 0 }),
      await newFolder(),
      await newFolder(),
    ];
    const connectionId = await connect(core, service, { parallel: 2 });
    const paths = await writePdfs(folder, namesOf(12));
    const jobs = await untilEnded(core, await register(core, connectionId, paths));
    const documents = jobs.map(({ documentId }) => ({ connectionId, documentId: documentId ?? '' }));
    const intake = await scan(core, paths, 'verify');
    service.control.misbehave({ mischief: { kind: 'delay', ms: 300 } });
    core.dialogs.files.push([target]);
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    const download = await core.must('documents.downloadAll', { documents });
    const refresh = await core.must('documents.refreshStatuses', { connectionId });
    // Otherwise the log has its own space to overwrite.
    const sql = openSql(join(dataDir, 'sealdesk.db'));
    sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
    sql.close();
    const free = await fillDisk(dataDir);
    const failed = { state: 'failed', failure: { code: 'storage-full' } };
    for (const kind of ['verification', 'bulk-download', 'status-refresh'] as const)
      expect(await core.untilTask(kind, ({ state }) => state !== 'running', waitMs)).toMatchObject(failed);
    service.control.misbehave(null);
    await free();
    await expect
      .poll(async () => (await core.must('verify.runs', {})).runs, { timeout: waitMs })
      .toMatchObject([{ runId, state: 'stopped' }]);
    await core.must('verify.resume', { runId });
    for (const task of [download, refresh]) await core.must('tasks.resume', { taskId: task?.taskId ?? '' });
    for (const kind of ['verification', 'bulk-download', 'status-refresh'] as const)
      await core.untilTask(kind, ({ state }) => state === 'done', waitMs);
    const { run, results } = await core.must('verify.results', { runId });
    expect([run.state, results.filter(({ answer }) => answer).length]).toEqual(['finished', 12]);
  });
});
