import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { memoryKeychain } from '../harness/core.ts';
import { atLength } from '../harness/test-length.ts';
import { connect, newCore, newFolder, newService, register, scan, untilEnded, writePdfs } from './jobs-setup.ts';

const count = 8;

/** A program with registered documents that verifies them, downloads them and asks for their statuses, all slowly. */
async function atWork() {
  const setup = { dataDir: await newFolder(), keychain: memoryKeychain(new Map()), host: 'desktop' as const };
  const [core, service, folder, target] = [
    await newCore(setup),
    await newService({ processingMs: 0 }),
    await newFolder(),
    await newFolder(),
  ];
  const connectionId = await connect(core, service, { parallel: 2 });
  const names = Array.from({ length: count }, (_each, n) => `lease ${n}.pdf`);
  const paths = await writePdfs(folder, names);
  const jobs = await untilEnded(core, await register(core, connectionId, paths));
  const documents = jobs.map(({ documentId }) => ({ connectionId, documentId: documentId ?? '' }));
  const intake = await scan(core, paths, 'verify');
  service.control.misbehave({ mischief: { kind: 'delay', ms: 100 } });
  core.dialogs.files.push([target]);
  const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
  const download = await core.must('documents.downloadAll', { documents });
  const refresh = await core.must('documents.refreshStatuses', { connectionId });
  const done = async () => {
    for (const kind of ['verification', 'bulk-download', 'status-refresh'] as const)
      await core.untilTask(kind, ({ state }) => state === 'done', 150_000);
    expect(await readdir(target)).toHaveLength(count);
    const { GetDocument, GetDocumentStatus, ValidateDocument } = service.control.requests();
    expect([GetDocument, GetDocumentStatus, ValidateDocument]).toEqual([count, count, count]);
  };
  return { core, setup, runId, taskIds: [download?.taskId ?? '', refresh.taskId], done };
}

it('what one program verifies, downloads and asks about, another one on its folder leaves alone', async () => {
  const { setup, runId, taskIds, done } = await atWork();
  const other = await newCore(setup);
  expect(await other.must('tasks.list', {})).toEqual([]);
  for (const taskId of taskIds)
    expect(await other.ask('tasks.resume', { taskId })).toMatchObject({ failure: { code: 'not-found' } });
  expect(await other.ask('verify.resume', { runId })).toMatchObject({ failure: { code: 'bad-input' } });
  await done();
});

it('verifications, downloads and status checks wait for a database that is held once for long, and lose nothing', async () => {
  const { setup, done } = await atWork();
  const holder = spawn(process.execPath, [join(import.meta.dirname, '..', 'faults', 'holding-program.ts')], {
    env: {
      ...process.env,
      ...{ DATABASE: join(setup.dataDir, 'sealdesk.db'), FREE_MS: '0', TIMES: '1' },
      MS: String(atLength({ short: 3_000, all: 65_000 })),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await new Promise((resolve) => holder.stdout.once('data', resolve));
  await done();
}, 200_000);
