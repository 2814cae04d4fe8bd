import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { settingsOfConnection } from '../../contract/connections.ts';
import { memoryKeychain } from '../harness/core.ts';
import { bulkOf } from '../harness/find-bulk.ts';
import { newCore, newFolder, newService, until } from './jobs-setup.ts';

/**
 * Written by this program as it was when libsql kept its register, and killed in the midst: three documents and a request registered, an add on its way, a bulk with 2
 * of 12 rows sent, an audit with 1 of 12 files answered, a draft, a sealed secret word; most of it in the write-ahead log.
 */
const fixture = new URL('./fixtures/register-of-libsql.tar.gz', import.meta.url);

it('a register with a write-ahead log that libsql left is opened with all that it had, and its work goes on', async () => {
  const dataDir = await newFolder();
  execFileSync('tar', ['xzf', fixture.pathname, '-C', dataDir]);
  nameBulkFile(dataDir);
  const secrets = new Map<string, string>(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')));
  const core = await newCore({ dataDir, keychain: memoryKeychain(secrets) });
  const counts = async () => (await core.must('jobs.list', { limit: 1 })).counts;
  await until(async () => (await counts())['in-doubt'] === 1);
  expect(await counts()).toMatchObject({ done: 6, refused: 0, failed: 0 });
  expect((await core.must('forms.list', { place: 'draft' })).map(({ name }) => name)).toEqual(['Draft of a lease']);
  const [bulk] = await core.must('bulk.list', {});
  expect(bulk).toMatchObject({ counts: { done: 2 } });
  const connectionId = bulk?.connectionId ?? '';
  const found = await core.must('documents.list', { connectionId, search: 'ozturk', offset: 0, limit: 10 });
  expect(found.total).toBe(1);

  // The service of then is gone; what is left goes to another one.
  const service = await newService();
  const connection = (await core.must('connections.state', {})).connections.find(({ id }) => id === connectionId);
  if (!connection) throw new Error('no connection');
  const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig } = service;
  await core.must('connections.save', {
    id: connectionId,
    settings: { ...settingsOfConnection(connection), baseUrl, mainPath, easySignPath, namespaceUri },
  });
  await core.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
  const { id } = await core.must('bulk.pause', { id: bulk?.id ?? '' });
  await core.must('bulk.send', { id, rows: 'all', perMinute: 6_000 });
  await until(async () => (await bulkOf(core, id)).counts.done === 12, 60_000);
  expect(await counts()).toMatchObject({ done: 16, 'in-doubt': 1 });
  expect([...service.control.addsByHash().values()].reduce((sum, adds) => sum + adds, 0)).toBe(10);
});

/** The bulk's file lay on the machine of then: it gets its place here, by one more change in the log, which stays as long as this connection is open. */
function nameBulkFile(dataDir: string): void {
  const lost = readFileSync(join(dataDir, 'spool/7e72c7df-846e-4d7b-a1aa-e155c11ed80b.document'), 'latin1');
  const path = join(dataDir, 'bulk.pdf');
  writeFileSync(path, lost.replace('lost.pdf', 'bulk.pdf'));
  const database = new DatabaseSync(join(dataDir, 'sealdesk.db'));
  onTestFinished(() => void database.close());
  database.prepare("UPDATE bulks SET plan = json_set(plan, '$.file.path', ?)").run(path);
}
