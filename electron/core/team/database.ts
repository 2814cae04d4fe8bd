import { EventEmitter } from 'node:events';
import { isIP, type Socket } from 'node:net';
import type { Client, ClientConfig, Pool, PoolClient, PoolConfig, QueryConfig } from 'pg';
import type { FailureDetail } from '../../../contract/failure.ts';
import type { TeamSettings } from '../../../contract/team.ts';
import { AppError, appError, codeOf } from '../foundation/app-error.ts';
import { usualPauses } from '../foundation/pauses.ts';
import { coalesced } from '../foundation/throttled.ts';
import { shownText } from './shown-text.ts';

export type SqlParameter = string | number | boolean | null | readonly string[];

/** Of a statement. */
export interface QueryOptions {
  /** For an answer that must come sooner than others. */
  readonly patienceMs?: number;
  /** Of one that is run often with other values: the server plans it once for each connection, which is half of its work. Of one text only. */
  readonly name?: string;
  /** For claims and reports, which follow each other on a connection of their own: each connection reads the tables and their rules first, and plans anew, which takes as long as some sixty claims. */
  readonly isInTurn?: boolean;
}

/** Runs one statement with its parameters. Moments in its rows are ISO 8601, UTC. */
export type Query = <Row>(text: string, values?: readonly SqlParameter[], options?: QueryOptions) => Promise<Row[]>;

/** The database of a team register. All waiting is bounded. Errors are AppErrors, except of unique keys (`isUniqueViolation`). */
export interface TeamDatabase {
  readonly query: Query;
  /** Commits when `work` resolves, else rolls back. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Calls `onNotice` after each change that a colleague's program announces in a team; resolves with the function that ends it. `onEnd`: the connection broke. */
  listen(teamId: string, onNotice: () => void, onEnd: () => void): Promise<() => void>;
  /**
   * Tells the programs of a team to look: on a channel of its ID, which no other team knows, and so none can listen to. After the commit of what it is about, and not in it: the commit of
   * each notice waits, or fails, while somebody floods or fills the server's queue of them, from any of its databases. One that is late or lost costs little, as all look without one, too.
   */
  tell(teamId: string): void;
  close(): Promise<void>;
}

export const connectMs = 5_000;
export const statementMs = 8_000;
/** So much longer than the server's limit, for a server that does not answer at all. */
export const answerMs = 2_000;
const idleMs = 60_000;
/** PostgreSQL's number of the type timestamptz. */
const timestampOid = 1184;

/** ISO 8601, UTC. `infinity`, and years that JavaScript does not know, become the beginning of 1970: rows of anybody are read. */
function momentOf(text: string): string {
  const date = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}

/** Of one program at the same time, beside the one that listens and the one for what is in turn. */
const maxConnections = 3;

/** True for an address that no other computer can listen to. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** True if nothing is encrypted: the database is on this computer, and no certificate authority was given for it. */
export const isPlain = ({ host, ca }: TeamSettings): boolean => isLoopback(host) && ca === '';

/** Encrypted and verified by name, else nothing is sent. */
function tlsFor({ host, ca }: TeamSettings): PoolConfig['ssl'] {
  // Not with the program: it takes long.
  const { checkServerIdentity, rootCertificates } = process.getBuiltinModule('node:tls');
  return {
    ca: [...rootCertificates, ...(ca === '' ? [] : [ca])],
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    // The driver gives no name for an IP address, for which Node would then check `localhost`.
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
  };
}

/** Gives the password to the database that asks for it; called only then. */
export type GivePassword = () => Promise<string>;

/** Fewer rounds of SCRAM than PostgreSQL's make the answer to them easy to guess from. */
const fewestRounds = 4_096;

/** What we use of the driver's connection, which its types do not name: `attachListeners` gets the stream of messages, behind TLS where there is TLS, and listens to its data. */
interface DriverConnection extends EventEmitter {
  readonly stream: Socket;
  attachListeners(stream: EventEmitter): void;
}

const weakLogin = (note: string) => appError('not-connected', note, { detail: 'team-weak-login' });

type TeamClient = InstanceType<ReturnType<typeof clientClass>>;

/** A client that bounds what it reads, and gives the password, unencrypted, only by SCRAM-SHA-256, which neither shows it nor lets it be used again. */
function clientClass(base: typeof Client, isEncrypted: boolean, givePassword: GivePassword) {
  return class extends base {
    /** Whether its server has shown that it is the one that the password is for: by a verified certificate, or by SCRAM, in which both sides prove it. */
    #isProven = isEncrypted;
    constructor(config: ClientConfig = {}) {
      super({ ...config, password: givePassword });
      const { connection } = this as unknown as { readonly connection: DriverConnection };
      const listenTo = connection.attachListeners.bind(connection);
      connection.attachListeners = (stream) => listenTo(readableAnswers(stream as Socket, isEncrypted));
      // The driver says that a proof is wrong, and goes on with the messages that follow: the server would get the first statement.
      connection.on('error', () => {
        this.#isProven = false;
        connection.stream.destroy();
      });
      if (isEncrypted) return;
      // Before the driver's own listener, which is added when it connects.
      connection.on('authenticationSASLContinue', ({ data }: { readonly data: string }) => {
        const rounds = Number(/(?:^|,)i=(\d+)/.exec(data)?.[1] ?? 0);
        if (rounds < fewestRounds)
          connection.stream.destroy(weakLogin(`the password is asked for with ${rounds} rounds`));
      });
      // The driver compares the server's proof.
      connection.on('authenticationSASLFinal', () => (this.#isProven = true));
    }
    /** Rejects for a server that let the program in without the password, although there is one: whoever took the port of a stopped database could claim anything. */
    async assertProven() {
      if (!this.#isProven && (await givePassword()) !== '') throw weakLogin('the server does not ask for the password');
    }
  };
}

/**
 * Opens the database; nothing is connected yet. A commit that was acknowledged must outlive a crash of the server, so the session insists on
 * `synchronous_commit`, whatever the server's default is. `patienceMs`: the longest that a statement may take; `lockMs`: that it may wait for each lock.
 */
export async function openTeamDatabase(
  settings: TeamSettings,
  password: string | GivePassword,
  patienceMs = statementMs,
  lockMs = usualPauses.teamLockMs,
): Promise<TeamDatabase> {
  // Loaded only here: a program that has joined no team never reads the driver.
  const { default: pg } = await import('pg');
  const ssl = !isPlain(settings) && tlsFor(settings);
  const givePassword = typeof password === 'string' ? async () => password : password;
  const TeamClient = clientClass(pg.Client, ssl !== false, givePassword);
  const config: PoolConfig = {
    host: settings.host,
    port: settings.port,
    database: settings.database,
    user: settings.user,
    ssl,
    application_name: 'sealdesk',
    // Dates in the form that the driver reads, whatever the server's or the role's default is. A statement with a name is planned once on each connection, not for its first five values as well.
    options: `-c synchronous_commit=on -c search_path=sealdesk -c lock_timeout=${lockMs} -c DateStyle=ISO -c plan_cache_mode=force_generic_plan`,
    types: { getTypeParser: (oid, format) => (oid === timestampOid ? momentOf : pg.types.getTypeParser(oid, format)) },
    connectionTimeoutMillis: connectMs,
    statement_timeout: patienceMs,
    query_timeout: patienceMs + answerMs,
    idle_in_transaction_session_timeout: patienceMs + answerMs,
    keepAlive: true,
  };
  const verify = (client: PoolClient, done: (error?: Error) => void) =>
    (client as unknown as TeamClient).assertProven().then(() => done(), done);
  const limits = { idleTimeoutMillis: idleMs, allowExitOnIdle: true, verify, Client: TeamClient };
  const newPool = (max: number) => outliving(new pg.Pool({ ...config, ...limits, max } as PoolConfig));
  const [pool, turn] = [newPool(maxConnections), newPool(1)];
  const sayWho = (error: unknown) => withHolder(pool, error);
  /** Of what is in turn. The pool would count the wait for those before as one for a connection. */
  let last: Promise<unknown> = Promise.resolve();
  /** No work waits for this connection. */
  let listening: TeamClient | null = null;
  return {
    query: (text, values, options) => {
      const run = () => queryOn<never>(options?.isInTurn ? turn : pool, text, values, options);
      const done = options?.isInTurn ? last.then(run) : run();
      if (options?.isInTurn) last = done.catch(() => undefined);
      return done.catch(sayWho);
    },
    transaction: (work) => inTransaction(pool, work).catch(sayWho),
    listen: async (...of) => {
      const client = new TeamClient(config);
      const end = await listenOn(client, ...of);
      listening = client.once('end', () => {
        // The next one may listen already.
        if (listening === client) listening = null;
      });
      return end;
    },
    tell: tellOn(() => listening ?? pool),
    close: async () => void (await Promise.allSettled([pool.end(), turn.end()])),
  };
}

async function listenOn(client: TeamClient, teamId: string, onNotice: () => void, onEnd: () => void) {
  client.on('error', onEnd);
  client.on('end', onEnd);
  client.on('notification', onNotice);
  const end = () => {
    client.removeListener('end', onEnd);
    void client.end().catch(() => undefined);
  };
  try {
    await client.connect();
    await client.assertProven();
    await client.query(`LISTEN "sealdesk_${teamId}"`);
  } catch (error) {
    end();
    throw toTeamError(error);
  }
  return end;
}

/** Tells teams by one statement at a time; what is to be told meanwhile comes once more afterwards. */
function tellOn(on: () => Pool | Client): TeamDatabase['tell'] {
  const untold = new Set<string>();
  const telling = coalesced(async () => {
    const ids = [...untold];
    untold.clear();
    await queryOn(on(), "SELECT pg_notify('sealdesk_' || id, '') FROM unnest($1::text[]) AS id", [ids]);
  }, 0);
  return (teamId) => {
    untold.add(teamId);
    telling.soon();
  };
}

/** The login whose unfinished change is the oldest, or which keeps a table locked, and waits for nobody: others wait for it. */
const holders = `SELECT ${shownText('a.usename::text', 63)} AS login FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
  WHERE l.granted AND l.pid <> pg_backend_pid() AND a.datname = current_database() AND (l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock'
    OR l.locktype = 'relation' AND l.mode ~ '^(Share|ShareRowExclusive|Exclusive|AccessExclusive)Lock$')
  AND NOT EXISTS (SELECT 1 FROM pg_locks AS w WHERE w.pid = l.pid AND NOT w.granted) ORDER BY age(l.transactionid) DESC NULLS LAST LIMIT 1`;

/** Without a listener the loss of a connection would end the program: of an idle one, after which the next statement opens another, and of one that a transaction uses, whose statement is rejected. */
function outliving(pool: Pool): Pool {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Rejects with the error, and the login that keeps locked what it waited for. */
async function withHolder(pool: Pool, error: unknown): Promise<never> {
  if (!(error instanceof AppError) || error.failure.detail !== 'team-busy') throw error;
  const [holder] = await queryOn<{ login: string }>(pool, holders).catch(() => []);
  const { failure, cause } = error;
  throw holder ? Object.assign(new AppError({ ...failure, heldBy: holder.login }), { cause }) : error;
}

/** Opens the database for this work alone. Rejects as `openTeamDatabase` and the work do. */
export async function withTeamDatabase<T>(
  work: (database: TeamDatabase) => Promise<T>,
  ...how: Parameters<typeof openTeamDatabase>
): Promise<T> {
  const database = await openTeamDatabase(...how);
  return await work(database).finally(() => database.close());
}

async function queryOn<Row>(
  on: Pool | Client,
  text: string,
  values: readonly SqlParameter[] = [],
  { name, patienceMs }: QueryOptions = {},
): Promise<Row[]> {
  try {
    const config = { name, text, values: [...values], query_timeout: patienceMs };
    const { rows } = await on.query(config as QueryConfig);
    return rows as Row[];
  } catch (error) {
    throw (error as { code?: unknown }).code === '23505' ? error : toTeamError(error);
  }
}

async function inTransaction<T>(pool: Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toTeamError(error);
  });
  try {
    await queryOn(client, 'BEGIN');
    const value = await work((text, values) => queryOn(client, text, values));
    await queryOn(client, 'COMMIT');
    client.release();
    return value;
  } catch (error) {
    // Closing the connection rolls back, also where the server would not answer to a ROLLBACK.
    client.release(true);
    throw error;
  }
}

/** One message of the server, such as a row. The longest of ours are pieces of shared lists, below 1 MiB. */
const maxMessageBytes = 16 * 1024 * 1024;
/** All messages of one answer together, or of those a minute that nobody asked for. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** The same before the server has let the program in: whoever listens at the port may answer. */
const maxGreetingBytes = 64 * 1024;
/** A short message counts as this many bytes: it is read as long as one of them, and there may be very many. */
const leastMessageBytes = 512;
const unaskedMs = 60_000;
/** Kind and length of a message. */
const headBytes = 5;
/** Kinds of messages that answer a sign-in or a statement of ours. Nothing is copied, and no other version of the protocol is asked for. */
const ourKinds = 'RSKZEN123nstTDCIA';

/** Requests for a password, in clear and by MD5, that whoever took the port of a stopped database could read or use, where nothing is encrypted. */
const weakRequests: readonly number[] = [3, 5];

const notOurs = () =>
  appError(
    'not-connected',
    'what answers at the address of the team register is none, or signs in by other means than a password',
    { detail: 'team-not-a-register' },
  );
const tooLarge = () =>
  appError('not-connected', 'an answer of the team register is longer than any of ours', { detail: 'team-too-large' });

/**
 * Gives the driver whole messages that it can read; anything else ends the connection before the driver keeps it. It trusts its server: a field that is missing would end the
 * program, an error whose end is missing keep it busy for ever, one row could fill the memory of every colleague's program, and the password would be given to each request for it, also after another one.
 * PostgreSQL's protocol 3: a byte for the kind, four for the length without the kind, the content.
 */
function readableAnswers(stream: Socket, isEncrypted: boolean): EventEmitter {
  const answers = new EventEmitter();
  let parts: Buffer[] = [];
  let [there, needed, answerBytes, isIn] = [0, headBytes, 0, false];
  let [askedBytes, since] = [0, performance.now()];
  /** The end of an answer that was not asked for ends nothing. */
  const isEnd = (kind: string) =>
    (kind === 'Z' && stream.bytesWritten > askedBytes) || (isIn && performance.now() - since > unaskedMs);
  /** Where the last whole message ends. */
  const endOfWhole = (bytes: Buffer): number => {
    for (let at = 0; ; at += needed) {
      needed = headBytes;
      if (bytes.length - at < headBytes) return at;
      const kind = String.fromCharCode(bytes[at] ?? 0);
      needed = 1 + bytes.readUInt32BE(at + 1);
      const total = answerBytes + Math.max(needed, leastMessageBytes);
      if (!ourKinds.includes(kind) || needed < headBytes || (!isIn && total > maxGreetingBytes)) throw notOurs();
      if (needed > maxMessageBytes || total > maxAnswerBytes) throw tooLarge();
      if (bytes.length - at < needed) return at;
      if (kind === 'R' && needed >= 9 && !isEncrypted && weakRequests.includes(bytes.readUInt32BE(at + headBytes)))
        throw weakLogin('the password is asked for in clear');
      if ((kind === 'E' || kind === 'N') && !hasEnd(bytes.subarray(at, at + needed))) throw notOurs();
      if (isEnd(kind)) [answerBytes, askedBytes, since, isIn] = [0, stream.bytesWritten, performance.now(), true];
      else answerBytes = total;
    }
  };
  stream.on('data', (chunk: Buffer) => {
    if (stream.destroyed) return;
    parts.push(chunk);
    there += chunk.length;
    if (there < needed) return;
    try {
      const bytes = parts.length === 1 ? chunk : Buffer.concat(parts);
      const end = endOfWhole(bytes);
      there = bytes.length - end;
      parts = there === 0 ? [] : [bytes.subarray(end)];
      if (end > 0) answers.emit('data', bytes.subarray(0, end));
    } catch (error) {
      stream.destroy(error instanceof AppError ? error : notOurs());
    }
  });
  return answers;
}

/** True if an error or a notice, a letter and a text again and again, ends with the zero that the driver looks for. */
function hasEnd(message: Buffer): boolean {
  let at = headBytes;
  while (at > 0 && message[at]) at = message.indexOf(0, at + 1) + 1;
  return at === message.length - 1;
}

/** What codes mean: those of Node, and SQLSTATE; and the driver's own words, where there is no code and no password is known. The first that fits counts. */
const meanings: readonly (readonly [is: RegExp, detail: FailureDetail, note: string])[] = [
  [
    /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/,
    ...(['team-certificate', 'the certificate of the database is not trusted, or for another name'] as const),
  ],
  [/^28|password must be a (non-empty )?string/, 'team-login-refused', 'user or password is wrong, or not known here'],
  [/^(3D000|3F000|42P01|42704|42883)/, 'team-missing', 'the database or a table of the team is missing'],
  [/^42703/, 'team-newer', 'the tables of the team have other columns than this version knows'],
  [/^42501/, 'team-rights', 'this user of the database may not do that'],
  // It answers: no row was to be had in time, or no connection.
  [/^(40|53300|55P03|57014)/, 'team-busy', 'its rows are kept locked, or it gives out no more connections'],
  [/^(25006|53100)/, 'team-full', 'the database takes no changes: a full disk, a standby, or set to read only'],
  [/does not support SSL/, 'team-not-encrypted', 'the database offers no encryption'],
  [/^TypeError|SASL|establishing an SSL/, 'team-not-a-register', 'it signs in otherwise than the register of a team'],
  [/^(E[A-Z]+|)$|timeout|terminated|queryable/, 'team-away', 'the database does not answer, or the connection broke'],
  [/^(08|57P0)/, 'team-away', 'the database stops or starts, or the connection broke'],
  // Whatever it is: a server that says why is there, and nobody may send without it.
  [/^[0-9A-Z]{5}$/, 'team-busy', 'the database refused what was asked'],
];

const otherwise = [/^/, 'team-away', 'the database refused what was asked'] as const;

/** Turns an error of the database or of the way to it into an AppError with a sentence for people. Never passes on its message, which may quote values. */
export function toTeamError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const isCoded = typeof (error as { code?: unknown } | null)?.code === 'string';
  const words = isCoded ? code : String(error);
  const [, detail, what] = meanings.find(([is]) => is.test(words)) ?? otherwise;
  const note = `the team register cannot be used: ${what}${isCoded ? ` (${code})` : ''}`;
  return Object.assign(appError('not-connected', note, { detail, retryable: true }), { cause: code });
}

/** True if the database refused a statement or its values, as it does after the schema has changed: no fault of the way there. */
export function isRefused(error: unknown): boolean {
  return error instanceof AppError && /^(0A|22|23|42)/.test(String(error.cause));
}

/** True for the refusal of a row because its key exists. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}
