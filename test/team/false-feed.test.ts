import { randomUUID } from 'node:crypto';
import { expect, it, type TestContext } from 'vitest';
import { openTeamDatabase } from '../../electron/core/team/database.ts';
import { resumeTeam } from '../../electron/core/team/init-team.ts';
import {
  atEnd,
  connect,
  newCore,
  newFolder,
  newService,
  register,
  until,
  untilEnded,
  writePdfs,
} from '../core/jobs-setup.ts';
import { newTeamRegister } from '../harness/postgres.ts';

/** Ana's program and carla's, who follows her, and bo with SQL: a member's login and nothing else. */
async function team(test: TestContext) {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  atEnd(() => postgres.close());
  const joined = async (user: string, person: string) => {
    const core = await newCore({ pauses: { teamLookMs: 200, teamNoticeMs: 50 } });
    const connectionId = await connect(core, service);
    await core.must('team.join', { connectionId, settings: postgres.settings(user, { person }), password: '' });
    return { core, connectionId };
  };
  const [ana, carla] = [await joined('ana', 'ana'), await joined('ana', 'carla')];
  const bo = await openTeamDatabase(postgres.settings('bo'), '');
  atEnd(() => bo.close());
  const sends = async (name: string) => {
    const batchId = await register(ana.core, ana.connectionId, await writePdfs(await newFolder(), [name]));
    expect((await untilEnded(ana.core, batchId))[0]?.state).toBe('done');
  };
  const sees = (name: string) =>
    until(async () => {
      const { rows } = await carla.core.must('documents.list', { connectionId: carla.connectionId });
      return rows.some((row) => row.fileName === name);
    }, 20_000);
  const stateOf = async () => (await carla.core.must('team.state', {})).links[0];
  return { postgres, bo, carla, sends, sees, stateOf };
}

it('shows the login beside a name that a person chose', async (test) => {
  const { bo, carla } = await team(test);
  const program = randomUUID();
  await bo.query(
    `INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version)
     SELECT $1::uuid, team_id, $2, 'X', '1' FROM sealdesk.teams`,
    [program, `ana${' '.repeat(290)}`],
  );
  await bo.query(
    `INSERT INTO sealdesk.events (event_id, team_id, program_id, kind, title)
     SELECT gen_random_uuid()::text, team_id, $1::uuid, 'registered', 'x' FROM sealdesk.teams`,
    [program],
  );
  await bo.query(
    `INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version)
     SELECT gen_random_uuid(), team_id, 'AddNewDocument', 'k', $1::uuid, 'x', 'claimed', 1 FROM sealdesk.teams`,
    [program],
  );
  const { connectionId } = carla;
  const events = await carla.core.must('team.events', { connectionId });
  const claims = await carla.core.must('team.openClaims', { connectionId });
  for (const [{ by } = { by: null }] of [events, claims]) expect(by?.person).toMatch(/^ana +\(bo\)$/);
  expect(
    events
      .slice(1)
      .map(({ by }) => by.person)
      .sort(),
  ).toEqual(['ana', 'carla (ana)']);
});

it('goes on following after positions that a member made up', async (test) => {
  const { bo, sends, sees } = await team(test);
  await sends('before.pdf');
  await sees('before.pdf');
  const add = (first: string, last: string) =>
    bo.query(
      `INSERT INTO sealdesk.changes (team_id, position, kind, item)
       SELECT team_id, p, 'document', 'x' FROM sealdesk.feeds, generate_series(${first}, ${last}) AS p`,
    );
  // Where the next changes are to be, and more of them than a program reads at once.
  await add('next_position', 'next_position + 700');
  await sends('after.pdf');
  await sees('after.pdf');
  for (const far of ['9000000000000000', 'next_position + 2000000', '0', '-1'])
    await expect(add(far, far), far).rejects.toThrow('42501');
  for (const far of ['9000000000000000', 'next_position + 5000000', '0'])
    await expect(bo.query(`UPDATE sealdesk.feeds SET next_position = ${far}`), far).rejects.toThrow('42501');
  await sends('last.pdf');
  await sees('last.pdf');
});

it('closes a register whose next position is behind what a program knows, and misses nothing after a lead lets the team go on', async (test) => {
  const { postgres, bo, sends, sees, stateOf } = await team(test);
  await sends('before.pdf');
  await sees('before.pdf');
  await bo.query('UPDATE sealdesk.feeds SET next_position = 1');
  await until(async () => (await stateOf())?.failure?.detail === 'team-restored', 20_000);
  const lead = await openTeamDatabase(postgres.settings('ana'), '');
  atEnd(() => lead.close());
  await resumeTeam(lead, 'team');
  await until(async () => (await stateOf())?.state === 'connected', 20_000);
  await sends('after.pdf');
  await sees('after.pdf');
});
