import { randomUUID } from 'node:crypto';
import { expect, it, type TestContext } from 'vitest';
import type { TeamSettings } from '../../contract/team.ts';
import { atEnd, connect, newCore, newService } from '../core/jobs-setup.ts';
import { newTeamRegister } from '../harness/postgres.ts';

/** A database of the run's server without a register, of an account that may make roles and no more. */
async function emptyDatabase(test: TestContext) {
  const postgres = await newTeamRegister(test);
  const name = `empty_${randomUUID().slice(0, 8)}`;
  const [owner, guest] = [`${name}_owner`, `${name}_guest`];
  const admin = await postgres.admin();
  await admin.query(`CREATE ROLE ${owner} LOGIN CREATEROLE`);
  await admin.query(`CREATE DATABASE ${name} OWNER ${owner}`);
  atEnd(async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    const left = await admin.query<{ role: string }>(
      'SELECT rolname AS role FROM pg_roles WHERE rolname LIKE $1 OR rolname LIKE $2 ORDER BY rolname DESC',
      [`${name}%`, `sealdesk_${name}%`],
    );
    for (const { role } of left) await admin.query(`DROP ROLE ${role}`);
    await admin.close();
    await postgres.close();
  });
  const settings = (user: string, more: Partial<TeamSettings> = {}) =>
    postgres.settings(user, { database: name, team: 'office', ...more });
  return { admin, settings, owner, guest };
}

it('is done from the window in an empty database only, and makes its user the lead', async (test) => {
  const { settings, owner } = await emptyDatabase(test);
  const ana = await newCore();
  const connectionId = await connect(ana, await newService());
  const input = { connectionId, settings: settings(owner, { person: 'Ana Petrov' }), password: '' };
  const plan = await ana.must('team.plan', input);
  expect(plan.isEmpty).toBe(true);
  expect(plan.statements.join('\n')).toMatch(/CREATE SCHEMA/);
  expect(plan.statements.at(-1)).toMatch(/^GRANT sealdesk_\w+_lead TO "\w+_owner"$/);
  expect(await ana.must('team.plan', input), 'nothing was changed').toEqual(plan);

  await ana.must('team.setUp', input);
  expect(await ana.must('team.join', { ...input, isSameService: false })).toMatchObject({ role: 'lead' });
  expect(await ana.must('team.plan', input)).toMatchObject({ isEmpty: false });
  const again = { ...input, settings: settings(owner, { team: 'other' }) };
  expect(await ana.ask('team.setUp', again)).toMatchObject({ ok: false, failure: { code: 'bad-input' } });
  expect((await ana.must('team.check', input)).role, 'the register is as it was').toBe('lead');
});

it('brings a colleague in by an invitation that has no secret, and shows when they were last seen', async (test) => {
  const { admin, settings, owner, guest } = await emptyDatabase(test);
  const service = await newService();
  const [ana, bo] = [await newCore(), await newCore()];
  const anas = await connect(ana, service);
  const input = { connectionId: anas, settings: settings(owner, { person: 'Ana' }), password: '' };
  await ana.must('team.setUp', input);
  await ana.must('team.join', { ...input, isSameService: false });

  const invited = await ana.must('team.invite', { connectionId: anas, login: guest, role: 'member' });
  expect(invited.statements).toHaveLength(5);
  expect(invited.statements).toContain(`ALTER ROLE "${guest}" CONNECTION LIMIT 20`);
  for (const statement of invited.statements) await admin.query(statement);
  expect(invited.line).not.toMatch(/\n|password|apiKey|apiSig/);
  const { sealdeskTeam, user, connection, ...place } = await bo.must('team.readInvitation', { line: invited.line });
  expect([sealdeskTeam, user, place.team]).toEqual([1, guest, 'office']);
  if (!connection) throw new Error('the invitation names no service');
  const known = (await ana.must('connections.state', {})).connections.find(({ id }) => id === anas);
  expect(connection.baseUrl).toBe(known?.baseUrl);
  const bos = (await bo.must('connections.save', { settings: connection })).id;
  const joining = { connectionId: bos, settings: { ...place, user: guest, person: 'Bo' }, password: '' };
  expect(await bo.must('team.join', { ...joining, isSameService: false })).toMatchObject({ role: 'member' });

  const people = await ana.must('team.people', { connectionId: anas });
  expect(people.map(({ person }) => person)).toEqual(['Ana', 'Bo'].map((name) => expect.stringContaining(name)));
  for (const { seenAt } of people) expect(Date.now() - Date.parse(seenAt)).toBeLessThan(120_000);
});

it('reads nothing else as an invitation', async () => {
  const core = await newCore();
  const place = { sealdeskTeam: 1, host: 'db.example', port: 5432, database: 'd', team: 't', ca: '' };
  const key = '-----BEGIN PRIVATE KEY-----\nMII=\n-----END PRIVATE KEY-----';
  const connection = { name: 'x', baseUrl: 'https://user:pass@x.example', mainPath: '/a', namespaceUri: 'n' };
  const wrong = [
    '',
    'hello',
    '[]',
    '{}',
    JSON.stringify({ ...place, sealdeskTeam: 2 }),
    JSON.stringify({ ...place, host: 'a b' }),
    JSON.stringify({ ...place, ca: key }),
    JSON.stringify({ ...place, connection }),
    JSON.stringify({ ...place, ca: 'x'.repeat(300_000) }),
  ];
  for (const line of wrong)
    expect(await core.ask('team.readInvitation', { line }), line.slice(0, 80)).toMatchObject({
      ok: false,
      failure: { code: 'bad-input' },
    });
  expect(await core.must('team.readInvitation', { line: JSON.stringify(place) })).toEqual(place);
});
