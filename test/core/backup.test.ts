import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import { connect, jobsOf, newCore, newFolder, newService, register, untilEnded, writePdfs } from './jobs-setup.ts';

/** The order in which an administrator does it: close the program, copy the folder, and later put the copy in its place. */
async function folderWithEverything() {
  const [service, files, parent] = [await newService(), await newFolder(), await newFolder()];
  const folder = join(parent, 'Sealdesk');
  const keychain = memoryKeychain(new Map());
  const open = () => newCore({ dataDir: join(folder, 'data'), keychain, host: 'desktop' });
  const core = await open();
  const connectionId = await connect(core, service);
  await untilEnded(core, await register(core, connectionId, await writePdfs(files, ['registered.pdf'])));
  await core.must('forms.save', { place: 'draft', connectionId, content: { kind: 'plain', documentName: 'Lease' } });
  await core.must('people.save', { email: 'ayla@example.com', name: 'Ayla' });
  await core.must('jobs.pause', { what: 'all' });
  const waiting = await register(core, connectionId, await writePdfs(files, ['waiting.pdf']));
  await expect.poll(async () => (await core.must('jobs.list', {})).counts.waiting).toBe(1);
  const had = await everything(core);
  await core.stop();
  const copy = join(parent, 'copy');
  cpSync(folder, copy, { recursive: true });
  return { folder, copy, open, had, waiting };
}

async function everything({ must }: RunningCore) {
  return {
    connections: (await must('connections.state', {})).connections.map(({ id, name }) => [id, name]),
    documents: await must('documents.list', {}),
    jobs: (await must('jobs.list', {})).jobs.map(({ id, title, state, documentId }) => [id, title, state, documentId]),
    drafts: await must('forms.list', { place: 'draft' }),
    people: await must('people.list', {}),
  };
}

describe('a copy of the data folder that was made while the program was closed', () => {
  it('opens in its place with everything', async () => {
    const { folder, copy, open, had } = await folderWithEverything();
    expect(had).toMatchObject({ documents: { total: 1 }, drafts: [{}], people: { total: 1 } });
    expect(had.jobs.map(([, , state]) => state).sort()).toEqual(['done', 'waiting']);
    renameSync(folder, `${folder}.old`);
    renameSync(copy, folder);
    expect(await everything(await open())).toEqual(had);
  });

  it('holds what was sent after it was made, if it gets the newer departures.count', async () => {
    const { folder, copy, open, waiting } = await folderWithEverything();
    const later = await open();
    await later.must('jobs.resume', { what: 'all' });
    expect(await untilEnded(later, waiting)).toMatchObject([{ state: 'done' }]);
    await later.stop();
    renameSync(folder, `${folder}.old`);
    renameSync(copy, folder);
    cpSync(join(`${folder}.old`, 'data/departures.count'), join(folder, 'data/departures.count'));
    const core = await open();
    await core.must('jobs.resume', { what: 'all' });
    expect(await jobsOf(core, waiting)).toMatchObject([{ state: 'waiting', pausedBy: 'restored' }]);
  });
});
