import { access, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newCore, newFolder } from './jobs-setup.ts';

async function ready() {
  const home = await newFolder();
  const [dataDir, logFile] = [join(home, 'data'), join(home, 'logs', 'sealdesk.log')];
  await mkdir(join(home, 'logs'));
  return { home, dataDir, logFile, core: await newCore({ dataDir, logFile }) };
}

it('says what uses how much, by kind, without following links out of the folder', async () => {
  const { home, dataDir, logFile, core } = await ready();
  const before = await core.must('storage.usage', {});
  expect(before).toMatchObject({ folder: dataDir, isComplete: true, bytes: { logs: 0, copies: 0 } });
  expect(before.bytes.database).toBeGreaterThan(4096);

  await mkdir(join(dataDir, 'spool', 'deep'), { recursive: true });
  await writeFile(join(dataDir, 'spool', 'deep', 'copy.pdf'), Buffer.alloc(3000));
  await mkdir(join(dataDir, 'set-aside', 'earlier'), { recursive: true });
  await writeFile(join(dataDir, 'set-aside', 'earlier', 'sealdesk.db'), Buffer.alloc(500));
  await writeFile(logFile, Buffer.alloc(70));
  await writeFile(`${logFile}.old`, Buffer.alloc(30));
  await writeFile(join(home, 'huge'), Buffer.alloc(900_000));
  await symlink(join(home, 'huge'), join(dataDir, 'spool', 'link'));
  const { bytes } = await core.must('storage.usage', {});
  expect(bytes.copies).toBeGreaterThanOrEqual(3000);
  expect(bytes.copies).toBeLessThan(10_000);
  expect(bytes).toMatchObject({ setAside: 500, logs: 100 });
});

it('removes the logs and nothing else', async () => {
  const { dataDir, logFile, core } = await ready();
  await writeFile(logFile, Buffer.alloc(70));
  await writeFile(`${logFile}.old`, Buffer.alloc(30));
  await mkdir(join(dataDir, 'spool'), { recursive: true });
  await writeFile(join(dataDir, 'spool', 'copy.pdf'), 'needed');
  const before = await core.must('storage.usage', {});
  const { bytes } = await core.must('storage.clearLogs', {});
  expect(bytes.logs).toBe(0);
  expect(bytes.copies).toBe(before.bytes.copies);
  await expect(access(logFile)).rejects.toThrow();
  await access(join(dataDir, 'spool', 'copy.pdf'));
  // The program goes on with its records.
  expect(await core.must('jobs.list', {})).toMatchObject({ total: 0 });
});

it('shows the folder, with the database selected', async () => {
  const { dataDir, core } = await ready();
  await core.must('storage.showFolder', {});
  expect(core.shown).toEqual([join(dataDir, 'sealdesk.db')]);
});
