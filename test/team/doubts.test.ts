import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { atEnd, connect, newCore, newFolder, newService, until, writePdfs } from '../core/jobs-setup.ts';
import { finished, kill } from '../faults/fault-runs.ts';
import { newTeamRegister } from '../harness/postgres.ts';
import { cuttingProxy } from './cutting-proxy.ts';
import { newProgram } from './programs.ts';
import { doubtsOf, settleDoubt, untilReported } from './settle-doubts.ts';

it('names what a killed program may have sent to the team, and a person settles both ways: with the ID, or by sending it again', async (test) => {
  const [postgres, service, folder] = [await newTeamRegister(test), await newService(), await newFolder()];
  atEnd(() => postgres.close());
  const proxy = await cuttingProxy(Number(new URL(service.baseUrl).port));
  atEnd(() => proxy.close());
  const released = join(folder, 'released');
  await mkdir(released);
  await writePdfs(folder, ['kept/0/taken.pdf', 'kept/1/left.pdf']);
  const settings = postgres.settings('bo');
  const proxied = { ...service, baseUrl: `http://127.0.0.1:${proxy.port}` };
  const program = await newProgram(proxied, settings, released);
  const release = (n: number) => rename(join(folder, 'kept', String(n)), join(released, String(n)));

  // The service has the first file; the program is killed before the answer.
  service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 60_000 }, times: 1 });
  let running = program.start();
  await release(0);
  await until(() => service.control.documents().length === 1, 30_000);
  expect(await kill(running)).toBe(true);
  // The second one departs, but does not arrive.
  proxy.breaksAt = { at: 'AddNewDocument', when: 'before' };
  running = program.start();
  await release(1);
  await until(() => proxy.isOff, 30_000);
  expect(await kill(running)).toBe(true);
  proxy.isOff = false;
  running = program.start();
  await mkdir(join(released, 'all'));
  expect(await finished(running)).toBe(true);

  const lead = await newCore();
  const connectionId = await connect(lead, proxied);
  await lead.must('team.join', { connectionId, settings: postgres.settings('ana'), password: '' });
  const named = async () =>
    (await lead.must('team.openClaims', { connectionId })).map(({ title, state, by }) => [title, state, by.person]);
  expect(await named()).toEqual([
    ['taken.pdf', 'in-doubt', 'bo'],
    ['left.pdf', 'in-doubt', 'bo'],
  ]);
  expect(service.control.documents().map(({ clientId }) => clientId)).toEqual(['taken.pdf']);

  const core = await program.startHere();
  const ends: Record<string, string> = {};
  for (const doubt of await doubtsOf(core)) {
    const path = join(released, doubt.title === 'taken.pdf' ? '0' : '1', doubt.title);
    ends[doubt.title] = await settleDoubt(core, service, doubt, path);
  }
  expect(ends).toEqual({ 'taken.pdf': 'was sent', 'left.pdf': 'was not sent' });
  await untilReported(core);
  expect([...service.control.addsByHash().values()]).toEqual([1, 1]);
  expect(await named()).toEqual([]);
});
