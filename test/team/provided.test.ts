import { expect, it } from 'vitest';
import { atEnd, newCore, newService } from '../core/jobs-setup.ts';
import { writtenPolicy } from '../harness/policy.ts';
import { newTeamRegister } from '../harness/postgres.ts';

it('joins the register that a policy sets for a connection, and no other one', async (test) => {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  atEnd(() => postgres.close());
  const { user, person, ...place } = postgres.settings('bo');
  const { host, port, database } = place;
  const { baseUrl, mainPath, namespaceUri } = service;
  const office = { id: 'office', name: 'Office', baseUrl, mainPath, namespaceUri };
  const policy = writtenPolicy({ connections: [{ ...office, team: { host, port, database } }] });
  const core = await newCore({ policy });
  const [connection] = (await core.must('connections.state', {})).connections.filter(({ name }) => name === 'Office');
  const connectionId = connection?.id ?? '';
  expect(connection?.managed?.locked).not.toContain('team');
  expect(await core.must('team.state', {})).toEqual({ links: [], provided: [{ connectionId, place }] });
  for (const call of ['team.join', 'team.check'] as const)
    for (const more of [
      { host: 'elsewhere.example' },
      { port: 1 },
      { database: 'other' },
      { team: 'others' },
      { ca: 'x' },
    ])
      expect(
        await core.ask(call, { connectionId, settings: { ...place, user, person, ...more }, password: 'hidden-word' }),
      ).toMatchObject({
        ok: false,
        failure: { detail: 'managed', fields: { [`settings.${Object.keys(more)[0]}`]: expect.any(String) } },
      });
  const link = await core.must('team.join', { connectionId, settings: { ...place, user, person }, password: '' });
  expect(link).toMatchObject({ state: 'connected', role: 'member' });

  const told = core.events.length;
  policy.set({ connections: [office] });
  await expect.poll(async () => (await core.must('team.state', {})).provided).toBeUndefined();
  expect(core.events.slice(told).map(({ name }) => name)).toContain('team.changed');
});

it('names what of a policy’s register cannot be used, and leaves that connection out', async () => {
  const office = {
    id: 'office',
    name: 'Office',
    baseUrl: 'https://a.example',
    mainPath: '/a.asmx',
    namespaceUri: 'urn:a/',
  };
  const team = { host: 'db.example', database: 'sealdesk' };
  for (const [more, place] of [
    [{ host: 'a b' }, 'connections[0].team.host'],
    [{ ca: 'no certificate' }, 'connections[0].team.ca'],
    [{ database: '' }, 'connections[0].team.database'],
  ] as const) {
    const core = await newCore({ policy: writtenPolicy({ connections: [{ ...office, team: { ...team, ...more } }] }) });
    const { problems } = (await core.must('app.info', {})).policy;
    expect(problems).toMatchObject([{ kind: 'wrong-value', key: place }]);
    expect((await core.must('team.state', {})).provided).toBeUndefined();
  }
});
