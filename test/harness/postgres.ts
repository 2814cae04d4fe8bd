import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import type { TeamSettings } from '../../contract/team.ts';
import { openTeamDatabase, type TeamDatabase } from '../../electron/core/team/database.ts';
import { initTeam } from '../../electron/core/team/init-team.ts';
import { databaseIdentity } from '../../electron/core/team/schema.ts';
import { postgresPrograms } from '../../scripts/absent-programs.mjs';
import { freePort } from './free-port.ts';
import { missing } from './missing-means.ts';
import { onceInRun, runFolder } from './run-folder.ts';

const run = promisify(execFile);

/** A database with a team. */
export interface TeamRegister {
  readonly port: number;
  /** The login that owns the database. */
  readonly owner: string;
  /** The settings with which `user` joins the team. */
  settings(user: string, more?: Partial<TeamSettings>): TeamSettings;
  admin(): Promise<TeamDatabase>;
  close(): Promise<void>;
}

/** A PostgreSQL server of its own, with a team. */
export interface Postgres extends TeamRegister {
  readonly folder: string;
  start(): Promise<void>;
  stop(how: 'fast' | 'immediate'): Promise<void>;
  /** Runs a program of PostgreSQL as the account that the server runs as. */
  run(program: string, ...words: string[]): Promise<unknown>;
  /** A standby of it that has all that was committed so far, started; it does not follow. `promote` makes it a server like any other. */
  standby(): Promise<Postgres & { promote(): Promise<unknown> }>;
}

export const hasPostgres = (): boolean => postgresPrograms() !== null;

/** PostgreSQL refuses to run as root: then its programs run as the account that Debian's package makes for it. */
const account = process.getuid?.() === 0 ? 'postgres' : null;

export const teamUsers = ['ana', 'bo', 'reader'] as const;

/** Makes the roles, a team called `team`, and users ana (lead), bo (member) and reader. */
async function fill(admin: TeamDatabase): Promise<void> {
  await initTeam(admin, 'team');
  const [team] = await admin.query<{ prefix: string }>(
    "SELECT role_prefix AS prefix FROM sealdesk.teams WHERE name = 'team'",
  );
  for (const user of teamUsers) {
    const level = user === 'ana' ? 'lead' : user === 'bo' ? 'member' : 'reader';
    const known = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [user]);
    // They have more programs at a time than anybody.
    if (known.length === 0) await admin.query(`CREATE ROLE ${user} LOGIN CONNECTION LIMIT 1000`);
    await admin.query(`GRANT ${team?.prefix}_${level} TO ${user}`);
  }
}

const settingsAt =
  (host: string, port: number, database: string): TeamRegister['settings'] =>
  (user, more = {}) => ({ host, port, database, user, team: 'team', person: user, ca: '', ...more });

/** Of the run's server, with a team. */
const template = 'sealdesk_template';

/**
 * A database of its own with a team, on the run's one server or on the one that SEALDESK_TEST_POSTGRES names: `postgres://OWNER:PASSWORD@127.0.0.1:5432`. That owner
 * makes databases and roles; the server must trust the users of the team without a password. Skipped where there is no PostgreSQL; in CI it fails. It goes after the test and its clean-up.
 */
export async function newTeamRegister(test: TestContext): Promise<TeamRegister> {
  const given = process.env.SEALDESK_TEST_POSTGRES || null;
  const address = new URL(given ?? (await serverOfRun(test)));
  const { hostname: host, username, password } = address;
  const port = Number(address.port || 5432);
  const database = `sealdesk_test_${randomUUID().replaceAll('-', '')}`;
  const settings = settingsAt(host, port, database);
  const admins: TeamDatabase[] = [];
  const admin = async () => {
    const opened = await openTeamDatabase(settings(username), password);
    admins.push(opened);
    return opened;
  };
  const onServer = async (statement: string) => {
    // A machine that does much else takes long to remove a database.
    const all = await openTeamDatabase(settings(username, { database: 'postgres' }), password, 60_000);
    await all.query(statement).finally(() => all.close());
  };
  await onServer(`CREATE DATABASE ${database}${given ? '' : ` TEMPLATE ${template}`}`);
  if (given) await fillInTurn(await admin());
  else await isThisDatabase(await admin());
  const end = async () => {
    const roles = given ? await rolesOf(await admin()) : [];
    await Promise.all(admins.map((one) => one.close()));
    await onServer(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    for (const role of roles) await onServer(`DROP ROLE IF EXISTS ${role}`);
  };
  let ended: Promise<void> | null = null;
  const close = () => {
    ended ??= end();
    return ended;
  };
  test.onTestFinished(close, 100_000);
  return { port, owner: username, settings, admin, close };
}

/** The roles of the database's teams: they would stay on a server that is given. */
async function rolesOf(admin: TeamDatabase): Promise<string[]> {
  const teams = await admin.query<{ prefix: string }>('SELECT role_prefix AS prefix FROM sealdesk.teams');
  await admin.close();
  return teams.flatMap(({ prefix }) => ['lead', 'member', 'reader'].map((level) => `${prefix}_${level}`));
}

/** A copy of the template is another database than its team was set up in. */
async function isThisDatabase(admin: TeamDatabase): Promise<void> {
  await admin.query(`UPDATE sealdesk.teams SET database_identity = ${databaseIdentity}`).finally(() => admin.close());
}

/** One test after the other: roles belong to the whole server. */
async function fillInTurn(admin: TeamDatabase): Promise<void> {
  const turn = admin.transaction(async (query) => {
    await query("SET LOCAL lock_timeout = '60s'");
    await query("SET LOCAL statement_timeout = '60s'");
    await query('SELECT pg_advisory_xact_lock(5347202)');
    await fill(admin);
  });
  await turn.finally(() => admin.close());
}

/** The address of the server that all files of the run share; the first that asks starts it. */
async function serverOfRun(test: TestContext): Promise<string> {
  const bin = postgresPrograms() ?? missing(test, 'PostgreSQL is not installed');
  return await onceInRun('postgres', async (folder) => {
    const server = await startServer(bin, folder, []);
    const maintenance = await openTeamDatabase(server.settings('admin'), '');
    await maintenance.query(`CREATE DATABASE ${template}`).finally(() => maintenance.close());
    const admin = await openTeamDatabase(server.settings('admin', { database: template }), '');
    await fill(admin).finally(() => admin.close());
    return `postgres://admin@127.0.0.1:${server.port}`;
  });
}

/** Starts a server of its own with a team, for a test that stops it, looks into its folder or gives it options. */
export async function startPostgres(test: TestContext, options: readonly string[] = []): Promise<Postgres> {
  if (process.env.SEALDESK_TEST_POSTGRES)
    missing(test, 'the server of SEALDESK_TEST_POSTGRES is not stopped or set up by tests');
  const bin = postgresPrograms() ?? missing(test, 'PostgreSQL is not installed');
  const server = await startServer(bin, mkdtempSync(join(runFolder() ?? tmpdir(), 'postgres-')), options);
  try {
    const admin = await server.admin();
    await fill(admin).finally(() => admin.close());
  } catch (error) {
    await server.close();
    throw error;
  }
  return server;
}

async function startServer(
  bin: string,
  folder: string,
  options: readonly string[],
  of?: Postgres,
  isAgain = false,
): Promise<Postgres> {
  if (account)
    chownSync(folder, Number(execFileSync('id', ['-u', account])), Number(execFileSync('id', ['-g', account])));
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  const port = await freePort();
  const call = (program: string, ...args: string[]) => {
    const [file, words] = account
      ? ['setpriv', [`--reuid=${account}`, `--regid=${account}`, '--clear-groups', join(bin, program), ...args]]
      : [join(bin, program), args];
    return run(file, words as string[], { cwd: folder });
  };
  if (of) {
    await call(
      'pg_basebackup',
      '-D',
      data,
      '-h',
      '127.0.0.1',
      '-p',
      String(of.port),
      '-U',
      'admin',
      '-c',
      'fast',
      '-N',
    );
    writeFileSync(join(data, 'standby.signal'), '');
  } else await call('initdb', '-D', data, '-U', 'admin', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  const settings = settingsAt('127.0.0.1', port, 'postgres');
  // No socket in the file system: its path may have 107 bytes, and folders of tests lie deep.
  // Nor memory outside of its folder, which one that is killed would leave.
  const own = ['-c', 'unix_socket_directories=', '-c', 'dynamic_shared_memory_type=mmap'];
  const words = ['-p', String(port), '-h', '127.0.0.1', ...own, ...options].join(' ');
  const server: Postgres = {
    port,
    owner: 'admin',
    folder,
    settings,
    admin: () => openTeamDatabase(settings('admin'), ''),
    // Without a pipe to the server, which outlives pg_ctl and would keep it open.
    start: async () =>
      void (await call('pg_ctl', '-D', data, '-w', '-s', '-l', log, '-o', words, 'start').catch((cause: unknown) => {
        throw new Error(`PostgreSQL did not start: ${readFileSync(log, 'utf8').slice(-2_000)}`, { cause });
      })),
    run: call,
    standby: async () => {
      const own = mkdtempSync(join(runFolder() ?? tmpdir(), 'postgres-'));
      const standby = await startServer(bin, own, options, server);
      return { ...standby, promote: () => standby.run('pg_ctl', '-D', join(own, 'data'), '-w', '-s', 'promote') };
    },
    stop: async (how) => void (await call('pg_ctl', '-D', data, '-w', '-s', '-m', how, 'stop')),
    close: async () => {
      await server.stop('immediate').catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await server.start();
  } catch (error) {
    await server.close();
    if (isAgain) throw error;
    // Since the look at the port, before the folder was set up, another test may have taken it, for example.
    process.stderr.write(`${String(error)}\n`);
    mkdirSync(folder);
    return await startServer(bin, folder, options, of, true);
  }
  return server;
}
