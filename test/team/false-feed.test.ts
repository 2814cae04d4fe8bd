import { randomUUID } from 'node:crypto';
import { expect, it, type TestContext } from 'vitest';
import { openTeamDatabase, type Query, type SqlParameter } from '../../electron/core/team/database.ts';
import { feedPlace } from '../../electron/core/team/feed.ts';
import { createFollower } from '../../electron/core/team/follow-feed.ts';
import { resumeTeam } from '../../electron/core/team/init-team.ts';
import { openStore } from '../../electron/store/store.ts';
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
import { teamId } from './tell.ts';

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
    [program, `ana \u202e${'\u00a0'.repeat(280)}`],
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
  for (const [{ by } = { by: null }] of [events, claims]) expect(by?.person).toBe('ana (bo)');
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

it('reads no more at once than a page, and no page of nothing, however many changes a member puts at one position, or positions without any', async (test) => {
  const { postgres, bo, sends } = await team(test);
  await sends('before.pdf');
  await bo.query(
    `INSERT INTO sealdesk.changes (team_id, position, kind, item) SELECT team_id, 1, 'document', 'x' FROM sealdesk.feeds, generate_series(1, 3000)`,
  );
  const { store } = await openStore({
    dataDir: await newFolder(),
    log: { info: () => undefined, error: () => undefined },
  });
  atEnd(async () => store.close());
  const id = await teamId(bo);
  const place = feedPlace(store.settings, 'new', id);
  const nothing = () => undefined;
  const follower = createFollower({
    connectionId: 'new',
    member: { teamId: id, programId: randomUUID(), person: 'new' },
    place,
    store,
    onDocuments: nothing,
    onClaims: nothing,
    onShared: nothing,
    onCopies: nothing,
    onRequests: nothing,
    onCalls: nothing,
    isCurrent: () => true,
    answerMs: 10_000,
  });
  const database = await openTeamDatabase(postgres.settings('reader'), '');
  atEnd(() => database.close());
  let [most, answers] = [0, 0];
  const query: Query = async <Row>(text: string, values?: readonly SqlParameter[]) => {
    const rows = await database.query<Row>(text, values);
    most = Math.max(most, rows.length);
    answers += 1;
    return rows;
  };
  await follower.follow({ ...database, query }, () => true);
  expect(most).toBeLessThanOrEqual(500);
  const all = { search: '', sort: 'name', descending: false, offset: 0, limit: 9 } as const;
  expect(store.documents.list(all).rows.map(({ fileName }) => fileName)).toEqual(['before.pdf']);

  await bo.query('UPDATE sealdesk.feeds SET next_position = next_position + 1500');
  answers = 0;
  await follower.follow({ ...database, query }, () => true);
  expect(answers).toBeLessThan(3);
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
