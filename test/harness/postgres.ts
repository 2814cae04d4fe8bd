import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import type { TeamSettings } from '../../contract/team.ts';
import { openTeamDatabase, type TeamDatabase } from '../../electron/core/team/database.ts';
import { initTeam } from '../../electron/core/team/init-team.ts';
import { missing } from './missing-means.ts';

const run = promisify(execFile);

/** A PostgreSQL server of its own, in a temporary folder. */
export interface Postgres {
  readonly port: number;
  readonly folder: string;
  /** The settings with which `user` joins the team that `newTeam` made. */
  settings(user: string, more?: Partial<TeamSettings>): TeamSettings;
  admin(): Promise<TeamDatabase>;
  start(): Promise<void>;
  stop(how: 'fast' | 'immediate'): Promise<void>;
  close(): Promise<void>;
}

/** Folder of the server's programs; null if PostgreSQL is not installed. */
function programs(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const newest = readdirSync(root).sort((one, other) => Number(other) - Number(one));
  return newest.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb'))) ?? null;
}

/** PostgreSQL refuses to run as root: then its programs run as the account that Debian's package makes for it. */
const account = process.getuid?.() === 0 ? 'postgres' : null;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const teamUsers = ['ana', 'bo', 'reader'] as const;

/** Makes the roles, a team called `team`, and users ana (lead), bo (member) and reader. */
async function fill(admin: TeamDatabase): Promise<void> {
  await initTeam(admin, 'team');
  for (const user of teamUsers) {
    const role = user === 'ana' ? 'sealdesk_lead' : user === 'bo' ? 'sealdesk_member' : 'sealdesk_reader';
    const known = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [user]);
    if (known.length === 0) await admin.query(`CREATE ROLE ${user} LOGIN`);
    await admin.query(`GRANT ${role} TO ${user}`);
  }
}

/**
 * A database of its own on the server that SEALDESK_TEST_POSTGRES names: `postgres://OWNER:PASSWORD@127.0.0.1:5432`. The owner makes databases and roles; the server
 * must trust the users of the team without a password. It is not stopped: tests that need that are skipped.
 */
async function onServer(test: TestContext, address: string): Promise<Postgres> {
  const { hostname: host, port: given, username, password } = new URL(address);
  const port = Number(given || 5432);
  const database = `sealdesk_test_${randomUUID().replaceAll('-', '')}`;
  const settings: Postgres['settings'] = (user, more = {}) => ({
    ...{ host, port, database, user, team: 'team', person: user, ca: '' },
    ...more,
  });
  const owner = (more: Partial<TeamSettings> = {}) => openTeamDatabase(settings(username, more), password);
  const cannot = () => missing(test, 'the server of SEALDESK_TEST_POSTGRES is not stopped or set up by tests');
  /** One test after the other: roles belong to the whole server. */
  const inTurn = async (work: (query: TeamDatabase['query']) => Promise<unknown>) => {
    const all = await owner({ database: 'postgres' });
    const turn = all.transaction(async (query) => {
      await query("SET LOCAL lock_timeout = '60s'");
      await query("SET LOCAL statement_timeout = '60s'");
      await query('SELECT pg_advisory_xact_lock(5347202)');
      await work(all.query);
    });
    await turn.finally(() => all.close());
  };
  const server: Postgres = {
    port,
    get folder() {
      return cannot();
    },
    settings,
    admin: () => owner(),
    start: async () => cannot(),
    stop: async () => cannot(),
    close: () => inTurn((query) => query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)),
  };
  await inTurn(async (query) => {
    await query(`CREATE DATABASE ${database}`);
    const admin = await server.admin();
    await fill(admin).finally(() => admin.close());
  });
  return server;
}

/** Starts a server with a team (`fill`), or uses the one that SEALDESK_TEST_POSTGRES names. The test is skipped where there is no PostgreSQL; in CI it fails. */
export async function startPostgres(test: TestContext, options: readonly string[] = []): Promise<Postgres> {
  const elsewhere = process.env.SEALDESK_TEST_POSTGRES;
  if (elsewhere) {
    if (options.length > 0) missing(test, 'the server of SEALDESK_TEST_POSTGRES has its own settings');
    return await onServer(test, elsewhere);
  }
  const bin = programs();
  if (!bin) missing(test, 'PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'sealdesk-postgres-'));
  if (account)
    chownSync(folder, Number(execFileSync('id', ['-u', account])), Number(execFileSync('id', ['-g', account])));
  const data = join(folder, 'data');
  const port = await freePort();
  const call = (program: string, ...args: string[]) => {
    const [file, words] = account
      ? ['setpriv', [`--reuid=${account}`, `--regid=${account}`, '--clear-groups', join(bin, program), ...args]]
      : [join(bin, program), args];
    return run(file, words as string[], { cwd: folder });
  };
  await call('initdb', '-D', data, '-U', 'admin', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  const settings: Postgres['settings'] = (user, more = {}) => ({
    host: '127.0.0.1',
    port,
    database: 'postgres',
    user,
    team: 'team',
    person: user,
    ca: '',
    ...more,
  });
  const words = ['-p', String(port), '-h', '127.0.0.1', '-k', folder, ...options].join(' ');
  const server: Postgres = {
    port,
    folder,
    settings,
    admin: () => openTeamDatabase(settings('admin'), ''),
    // Without a pipe to the server, which outlives pg_ctl and would keep it open.
    start: async () =>
      void (await call('pg_ctl', '-D', data, '-w', '-s', '-l', join(folder, 'log'), '-o', words, 'start')),
    stop: async (how) => void (await call('pg_ctl', '-D', data, '-w', '-s', '-m', how, 'stop')),
    close: async () => {
      await server.stop('immediate').catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await server.start();
    const admin = await server.admin();
    await fill(admin);
    await admin.close();
  } catch (error) {
    await server.close();
    throw error;
  }
  return server;
}
