import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connect, newCore, newFolder, newService, until, writePdfs } from '../core/jobs-setup.ts';
import { memoryKeychain } from '../harness/core.ts';
import { kill, runQueue } from './fault-runs.ts';

it('what a program removed that is killed while it could be put back is gone at the next start, with its files and secrets', async () => {
  const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
  const secrets = new Map<string, string>();
  const keychain = memoryKeychain(secrets);
  const setup = await newCore({ dataDir, keychain });
  const connectionId = await connect(setup, service);
  await writeFile(join(folder, 'people.csv'), 'email\nayla@example.com');
  const { token: tableToken } = await setup.core.acceptPath(join(folder, 'people.csv'));
  const content = { kind: 'easy-sign-template', templateId: 'TPL-1001' } as const;
  const { id: bulkId } = await setup.must('bulk.check', { connectionId, tableToken, content });
  const bulkFolder = join(dataDir, 'bulk', bulkId);
  await mkdir(bulkFolder, { recursive: true });
  await mkdir(join(folder, 'archive'));
  await writePdfs(join(folder, 'archive'), ['lease.pdf']);
  const { token } = await setup.core.acceptPath(join(folder, 'archive'));
  const { auditId } = await setup.must('audits.add', { connectionId, token });
  const { runId } = await setup.must('audits.run', { auditId });
  await setup.until('tasks.ended', ({ taskId }) => taskId === runId);
  await setup.stop();

  const child = runQueue(
    { DATA_DIR: dataDir, CONNECTION_ID: connectionId, BULK_ID: bulkId, AUDIT_ID: auditId },
    'removal-program.ts',
  );
  expect(await child.said('there\n')).toBe(true);
  expect(existsSync(bulkFolder)).toBe(true);
  await kill(child);
  expect(secrets.size).toBe(1);

  const next = await newCore({ dataDir, keychain });
  expect((await next.must('connections.state', {})).connections).toHaveLength(1);
  expect(await next.must('bulk.list', {})).toEqual([]);
  expect(await next.must('audits.list', {})).toEqual([]);
  expect((await next.must('verify.runs', {})).total).toBe(0);
  await until(() => secrets.size === 0 && !existsSync(bulkFolder));
  expect(await next.ask('verify.results', { runId })).toMatchObject({ failure: { code: 'not-found' } });
});
