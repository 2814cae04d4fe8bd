import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { openTeamDatabase, type TeamDatabase } from '../../electron/core/team/database.ts';
import { initTeam, letIn, planTeam } from '../../electron/core/team/init-team.ts';
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
import { buildCommandLine } from '../harness/command-line.ts';
import { newTeamRegister } from '../harness/postgres.ts';

/** A register with a member whose login was let in as the program does it. */
async function withMallory(test: TestContext) {
  const postgres = await newTeamRegister(test);
  const mallory = `mallory_${randomUUID().slice(0, 8)}`;
  const admin = await postgres.admin();
  atEnd(async () => {
    await admin.query(`DROP OWNED BY ${mallory}`);
    await admin.query(`DROP ROLE ${mallory}`);
    await admin.close();
    await postgres.close();
  });
  await letIn(admin, { ...postgres.settings(mallory), login: mallory, role: 'member' }, true);
  return { postgres, admin, mallory };
}

/** Locks rows in a session of their own, whatever the bounds of its login are, until it is let go. */
async function hold(database: TeamDatabase, rows: string): Promise<() => Promise<void>> {
  let letGo = () => {};
  const isWanted = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let ended: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    ended = database.transaction(async (query) => {
      await query('SET idle_in_transaction_session_timeout = 0');
      await query(rows);
      resolve();
      await isWanted;
    });
    ended.catch(reject);
  });
  return async () => {
    letGo();
    await ended;
  };
}

it.for([
  ['the position of the team', 'SELECT 1 FROM sealdesk.feeds FOR UPDATE'],
  ['the row of the team', 'SELECT 1 FROM sealdesk.teams FOR UPDATE'],
])(
  'says who holds the register while a member keeps %s locked, and sends nothing meanwhile',
  async ([_what, rows = ''], test) => {
    const { postgres, mallory } = await withMallory(test);
    const service = await newService();
    const core = await newCore({ pauses: { teamLookMs: 200, teamLockMs: 300 } });
    const connectionId = await connect(core, service);
    await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
    const linkNow = async () => (await core.must('team.state', {})).links[0];
    const database = await openTeamDatabase(postgres.settings(mallory), '');
    atEnd(() => database.close());
    const letGo = await hold(database, rows);
    const batchId = await register(core, connectionId, await writePdfs(await newFolder(), ['a.pdf']));
    await untilJobs(core, batchId, ([job]) => job?.failure?.detail === 'team-busy');
    await until(async () => (await linkNow())?.failure?.heldBy === mallory);
    const seen = new Set<string | undefined>();
    for (let n = 0; n < 5; n += 1) {
      await core.must('team.tryNow', { connectionId });
      seen.add((await linkNow())?.state);
    }
    expect([...seen]).toEqual(['busy']);
    // It is there: nobody may send beside it.
    expect(await core.must('team.sendWithout', { batchId })).toEqual({ count: 0 });
    await core.must('jobs.tryNow', { connectionId });
    expect(service.control.requests().AddNewDocument).toBeUndefined();
    await letGo();
    await untilEnded(core, batchId);
    expect([...service.control.addsByHash().values()]).toEqual([1]);
    await until(async () => (await linkNow())?.state === 'connected');
    expect((await linkNow())?.failure).toBeNull();
  },
);

it('says on the command line, too, who holds it', async (test) => {
  const { postgres, admin, mallory } = await withMallory(test);
  const cli = (await buildCommandLine()).inAnotherHome();
  atEnd(async () => cli.remove());
  const service = await newService();
  const window = await newCore({ dataDir: join(cli.home, '.config/Sealdesk/data') });
  await connect(window, service);
  await window.stop();
  const env = { SEALDESK_TEAM_PASSWORD: '', SEALDESK_API_KEY: service.apiKey, SEALDESK_API_SIG: service.apiSig };
  const by = (user: string) => {
    const { host, port, database } = postgres.settings(user);
    return ['--host', host, '--port', String(port), '--database', database, '--user', user];
  };
  const team = (action: string, user: string, ...more: string[]) =>
    cli.run(['team', action, ...by(user), ...more], { env });
  const joined = await cli.run(['team', 'join', '--connection', 'Service', ...by('bo')], { env });
  expect(joined.code, joined.err).toBe(0);
  const paths = await writePdfs(await newFolder(), ['a.pdf']);
  const send = (...more: string[]) => cli.run(['register', ...paths, '--connection', 'Service', ...more], { env });
  const database = await openTeamDatabase(postgres.settings(mallory), '');
  atEnd(() => database.close());
  for (const [on, what, commands, holder] of [
    [
      database,
      'SELECT 1 FROM sealdesk.feeds FOR UPDATE',
      [() => team('doctor', 'bo'), send, () => send('--json')],
      mallory,
    ],
    [
      admin,
      'LOCK TABLE sealdesk.schema_versions IN SHARE ROW EXCLUSIVE MODE',
      [() => team('init', postgres.owner, '--team', 'second', '--yes')],
      postgres.owner,
    ],
    [admin, 'LOCK TABLE sealdesk.claims IN ACCESS EXCLUSIVE MODE', [() => team('doctor', 'bo')], postgres.owner],
  ] as const) {
    const letGo = await hold(on, what);
    for (const command of commands) {
      const { code, out, err } = await command();
      expect([code, out + err], what).toEqual([4, expect.stringMatching(`(held by |"heldBy":")${holder}`)]);
    }
    await letGo();
  }
  expect(service.control.addsByHash().size).toBe(0);
  expect((await send()).code).toBe(0);
}, 100_000);

it('leaves colleagues connections however many a member opens, and lets nobody take the limit away', async (test) => {
  const { postgres, admin, mallory } = await withMallory(test);
  const opened: TeamDatabase[] = [];
  const open = async (user: string) => {
    const database = await openTeamDatabase(postgres.settings(user), '');
    atEnd(() => database.close());
    await database.query('SELECT 1');
    opened.push(database);
  };
  const openAll = async () => {
    for (let n = 0; n < 40; n += 1) await open(mallory);
  };
  await expect(openAll()).rejects.toMatchObject({ failure: { detail: 'team-busy' } });
  expect(opened).toHaveLength(20);
  await open('bo');
  // Each over a connection of its own: after a statement that is refused the program opens another, for which there is room only once the server has ended the first.
  for (const [n, statement] of [
    `ALTER ROLE ${mallory} CONNECTION LIMIT -1`,
    'ALTER ROLE bo CONNECTION LIMIT 0',
  ].entries())
    await expect(opened[n]?.query(statement)).rejects.toMatchObject({ failure: { detail: 'team-rights' } });
  // Who was let in without one, by hand or by an earlier version, gets one.
  await admin.query(`ALTER ROLE ${mallory} CONNECTION LIMIT -1`);
  const limit = `ALTER ROLE "${mallory}" CONNECTION LIMIT 20`;
  expect((await planTeam(admin, 'team')).statements).toContain(limit);
  await initTeam(admin, 'team');
  expect((await planTeam(admin, 'team')).statements).toEqual([]);
});

it('ends what a session of a member leaves unfinished', async (test) => {
  const { postgres, admin, mallory } = await withMallory(test);
  const { database } = postgres.settings(mallory);
  const rows = await admin.query<{ set: string[] }>(
    `SELECT setconfig AS set FROM pg_db_role_setting AS s JOIN pg_roles AS r ON r.oid = s.setrole JOIN pg_database AS d ON d.oid = s.setdatabase
     WHERE rolname = $1 AND datname = $2`,
    [mallory, database],
  );
  expect(rows.flatMap(({ set }) => set).sort()).toEqual([
    'idle_in_transaction_session_timeout=60s',
    'statement_timeout=60s',
  ]);
});
