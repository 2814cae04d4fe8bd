import { connect as connectTo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import {
  atEnd,
  connect,
  newCore,
  newFolder,
  newService,
  register,
  until,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { newTeamRegister } from '../harness/postgres.ts';

it('refuses a connection of another service, unless a person says that it is the same one under another name', async (test) => {
  const [postgres, service, other] = [await newTeamRegister(test), await newService(), await newService()];
  const [ana, bo] = [await newCore(), await newCore()];
  const [anas, bos] = [await connect(ana, service), await connect(bo, other)];
  const settings = (user: 'ana' | 'bo') => ({ settings: postgres.settings(user), password: '' });
  await ana.must('team.join', { connectionId: anas, ...settings('ana') });
  expect(await bo.ask('team.join', { connectionId: bos, ...settings('bo') })).toMatchObject({
    failure: { detail: 'team-other-service' },
  });
  expect(await bo.must('team.state', {})).toMatchObject({ links: [] });

  const joined = await bo.must('team.join', { connectionId: bos, ...settings('bo'), isSameService: true });
  expect(joined.state).toBe('connected');
  const paths = await writePdfs(await newFolder(), ['one.pdf']);
  await untilEnded(ana, await register(ana, anas, paths));
  await until(async () => (await ana.must('team.state', {})).links[0]?.unreportedCount === 0);
  await untilJobs(bo, await register(bo, bos, paths), ([job]) => job?.pausedBy === 'duplicate');
  expect(other.control.requests().AddNewDocument).toBeUndefined();
  // From then on the team's service has both names.
  const chidi = await newCore();
  const chidis = await connect(chidi, other);
  expect((await chidi.must('team.join', { connectionId: chidis, ...settings('bo') })).state).toBe('connected');
});

/** A proxy that says the last answer once more before it passes on a question after the services of a team, as long as `isRepeating`. */
async function repeatingProxy(to: number) {
  const proxy = { port: 0, isRepeating: true };
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connectTo(to, '127.0.0.1');
    let last = Buffer.alloc(0);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.on('data', (bytes) => {
      if (proxy.isRepeating && bytes.includes('sealdesk.services')) near.write(last);
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      last = bytes;
      near.write(bytes);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  proxy.port = (server.address() as { port: number }).port;
  return proxy;
}

it('does not say that the team has another service where only the way there repeats what was said', async (test) => {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  const [ana, bo] = [await newCore(), await newCore({ pauses: { teamLookMs: 200 } })];
  const anas = await connect(ana, service);
  await ana.must('team.join', { connectionId: anas, settings: postgres.settings('ana'), password: '' });
  const proxy = await repeatingProxy(postgres.port);
  const connectionId = await connect(bo, service);
  const settings = postgres.settings('bo', { port: proxy.port });
  const said = new Set<string | undefined>();
  const joined = await bo.must('team.join', { connectionId, settings, password: '' });
  said.add(joined.failure?.detail);
  const link = async () => (await bo.must('team.state', {})).links[0];
  for (let times = 0; times < 5; times += 1) {
    await bo.must('team.tryNow', { connectionId });
    said.add((await link())?.failure?.detail);
  }
  expect([...said]).toEqual(['team-away']);
  proxy.isRepeating = false;
  await until(async () => (await link())?.state === 'connected');
});

it('sends nothing once another service was entered for a connection that has joined', async (test) => {
  const [postgres, service, other] = [await newTeamRegister(test), await newService(), await newService()];
  const core = await newCore({ pauses: { teamLookMs: 200 } });
  const id = await connect(core, service);
  await core.must('team.join', { connectionId: id, settings: postgres.settings('bo'), password: '' });
  const { baseUrl, mainPath, easySignPath, namespaceUri } = other;
  const address = { baseUrl, mainPath, easySignPath, namespaceUri, proxy: { mode: 'none' as const } };
  await core.must('connections.save', { id, settings: { name: 'Moved', ...address } });
  await core.must('connections.setCredentials', { id, apiKey: other.apiKey, apiSig: other.apiSig });
  const batchId = await register(core, id, await writePdfs(await newFolder(), ['one.pdf']));
  await untilJobs(core, batchId, ([job]) => job?.failure?.detail === 'team-other-service');
  expect(other.control.requests().AddNewDocument).toBeUndefined();
  await until(async () => (await core.must('team.state', {})).links[0]?.state === 'refused');
});
