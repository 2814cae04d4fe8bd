import { expect, it } from 'vitest';
import { initTeam } from '../../electron/core/team/init-team.ts';
import { atEnd, connect, newCore, newService, until } from '../core/jobs-setup.ts';
import { newTeamRegister } from '../harness/postgres.ts';
import { cuttingProxy } from './cutting-proxy.ts';
import { tell } from './tell.ts';

it('copies all that another team of the same server has, also if the first one was still being read when it was joined', async (test) => {
  const postgres = await newTeamRegister(test);
  atEnd(() => postgres.close());
  const proxy = await cuttingProxy(postgres.port);
  atEnd(() => proxy.close());
  const admin = await postgres.admin();
  atEnd(() => admin.close());
  await initTeam(admin, 'others');
  // What the others have is older than what the first team has, and less.
  for (const [team, count] of [
    ['others', 3],
    ['team', 40],
  ] as const) {
    await admin.query(
      `INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, registered_at)
       SELECT team_id, $1 || n, gen_random_uuid(), $1 || n, '', '', '', now() FROM sealdesk.teams, generate_series(1, $2) AS n WHERE name = $1`,
      [team, count],
    );
    await tell(admin, team);
  }
  const service = await newService();
  for (const delayMs of [0, 40, 100]) {
    proxy.delayMs = delayMs;
    const core = await newCore({ pauses: { teamLookMs: 20, teamNoticeMs: 5 } });
    const connectionId = await connect(core, service);
    const join = (team: string) => {
      const settings = postgres.settings('admin', { team, port: proxy.port });
      return core.must('team.join', { connectionId, settings, password: '' });
    };
    await join('team');
    await join('others');
    const total = async () =>
      (await core.must('documents.list', { connectionId, search: 'others', filters: { by: 'everyone' } })).total;
    await until(async () => (await total()) === 3);
    expect((await core.must('team.state', {})).links[0]).toMatchObject({ settings: { team: 'others' } });
    await core.stop();
  }
});
