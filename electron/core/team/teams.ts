import { createHash, randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { z } from 'zod';
import { lazyObject } from '../../../contract/call.ts';
import {
  passwordPlace,
  type TeamCheck,
  type TeamLink,
  type TeamPlace,
  type TeamSettings,
  type TeamState,
  teamPlace,
  teamSettings,
} from '../../../contract/team.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { Store } from '../../store/store.ts';
import { appError } from '../foundation/app-error.ts';
import type { Emit } from '../foundation/event-emitter.ts';
import type { Pauses } from '../foundation/pauses.ts';
import type { Log } from '../foundation/ports.ts';
import { openSecretEntries, type SecretNeeds } from '../secrets/secret-entries.ts';
import { type Permission, unlimited } from './ask-claim.ts';
import { assertService, checkTeam, type ServiceName } from './check-team.ts';
import { type GivePassword, openTeamDatabase } from './database.ts';
import { type FeedPlace, feedPlace, followAnew, type Joined } from './feed.ts';
import { createFollower } from './follow-feed.ts';
import { createEarlier, createLink, earlierOf, type Link } from './link.ts';
import { sharedVersion } from './shared-items.ts';
import type { SharedCopy } from './shared-lists.ts';
import { addEvent } from './team-notes.ts';

/** All team registers of the program. */
export type Teams = ReturnType<typeof createTeams>;

interface Needs {
  readonly store: Store;
  readonly secrets: SecretNeeds;
  /** The kind of a connection; `removed` as long as it may come back, null if there is none. */
  readonly kindOf: (connectionId: string) => 'practice' | 'service' | 'removed' | null;
  /** The service that a connection names; null if there is none. */
  readonly serviceOf: (connectionId: string) => ServiceName | null;
  /** Registers that the organisation's policy sets. */
  readonly provided: () => NonNullable<TeamState['provided']>;
  readonly version: string;
  readonly pauses: Pauses;
  readonly emit: Emit;
  readonly log: Log;
}

const stored = lazyObject(() => ({ settings: teamSettings, teamId: z.uuid() }));
type Stored = z.output<typeof stored>;

const settingsOf = (connectionId: string) => `team.${connectionId}`;
/** As which program a connection is in its team. */
const programOf = (connectionId: string) => `team.${connectionId}.program`;

/** A connection that has joined a team. */
interface Entry {
  /** What is stored for it, as it was opened. */
  readonly text: string;
  /** Null where that is not readable. */
  readonly link: Link | null;
  readonly budget: TeamBudget;
  /** See `assignedToMe`. */
  assigned: ReadonlySet<string> | null;
}

/** Opens the team registers that the connections have joined. */
export function createTeams(needs: Needs) {
  const { store, emit, log, kindOf } = needs;
  const passwords = createTeamPasswords(needs.secrets);
  const entries = new Map<string, Entry>();
  const leaving = new Set<Promise<void>>();
  /** Called with the id of a connection whose adds may be sent again. */
  const onBack = new Set<(connectionId: string) => void>();
  /** Called with the team's copies of lists after each look at the register. */
  const onCopies = new Set<(connectionId: string, copies: readonly SharedCopy[]) => void>();
  /** Called after each look at what the team of a connection shares. */
  const onShared = new Set<(connectionId: string) => void>();
  const textOf = (connectionId: string) => store.settings.get(settingsOf(connectionId));
  /** Lets the jobs of a connection that wait for its register go on. */
  const wake = (connectionId: string) => {
    for (const listener of onBack) listener(connectionId);
  };
  const snapshot = (): TeamState => {
    const provided = needs.provided();
    return {
      links: [...entries].flatMap(([id, { link, budget }]) => (link ? [viewOf(id, link, budget)] : [])),
      ...(provided.length > 0 ? { provided } : {}),
    };
  };
  /** Rejects with bad-input (managed) for another register than the one that a policy sets for the connection. */
  const assertPlace = (connectionId: string, settings: TeamSettings) => {
    const place = needs.provided().find((one) => one.connectionId === connectionId)?.place;
    const names = Object.keys(teamPlace.unwrap().shape) as (keyof TeamPlace)[];
    const other = place && names.find((name) => place[name] !== settings[name]);
    if (!other) return;
    const why = "is set by the organisation's policy";
    throw appError('bad-input', `${other} ${why}`, { detail: 'managed', fields: { [`settings.${other}`]: why } });
  };
  const viewOf = (connectionId: string, link: Link, budget: TeamBudget): TeamLink => ({
    connectionId,
    settings: link.settings,
    passwordKept: passwords.whereabouts(connectionId),
    ...link.state(),
    // While the register is away only the program's own budget counts.
    callsFreeAt: link.state().state === 'away' ? null : budget.freeAt(),
  });
  const changed = () => emit('team.changed', snapshot());
  const open = (connectionId: string, entered: Stored, isSameService = false) => {
    const { settings, teamId } = entered;
    const place = feedPlace(store.settings, connectionId, teamId);
    const identity = identityOf(store, connectionId, entered);
    const member = memberOf(entered, identity.id, place, needs.version);
    const budget = createTeamBudget(changed);
    const isCurrent = () => entries.get(connectionId)?.link === link;
    const link = createLink({
      connectionId,
      pauses: needs.pauses,
      settings,
      member,
      enterAnew: identity.enterAnew,
      open: async () =>
        openTeamDatabase(settings, passwords.giveTo(connectionId, settings), undefined, needs.pauses.teamLockMs),
      claims: store.teamClaims,
      earlier: createEarlier(store, connectionId, changed),
      service: () => needs.serviceOf(connectionId),
      isSameService,
      follower: createFollower({
        connectionId,
        member,
        place,
        store,
        isCurrent,
        answerMs: needs.pauses.teamAnswerMs,
        onDocuments: () => emit('documents.changed', { connectionId }),
        onClaims: () => wake(connectionId),
        onShared: () => {
          store.settings.put(sharedVersion(connectionId), randomUUID());
          emit('team.sharedChanged', { connectionId });
        },
        onCopies: (copies) => {
          for (const listener of onCopies) listener(connectionId, copies);
          for (const listener of onShared) listener(connectionId);
        },
        onCalls: budget.see,
        onRequests: (assigned) => {
          entry.assigned = assigned;
          emit('team.requestsChanged', { connectionId });
        },
      }),
      onChange: () => {
        if (!isCurrent()) return;
        const { state: now, failure } = link.state();
        const detail = failure?.detail ?? failure?.code;
        log.info('the team register changed its state', { connectionId, state: now, detail });
        changed();
      },
      onBack: () => wake(connectionId),
    });
    const { assigned = null } = entries.get(connectionId) ?? {};
    const entry: Entry = { text: textOf(connectionId) ?? '', link, budget, assigned };
    entries.set(connectionId, entry);
    return { link, budget };
  };
  /** Rejects with not-connected if the connection has joined no team. */
  const linkOf = (connectionId: string): Link => {
    const link = entries.get(connectionId)?.link;
    if (!link) throw appError('not-connected', 'the connection has joined no team');
    return link;
  };
  /** The register of a joined connection, if it is connected now. Null: this program reads for itself. */
  const connected = async (connectionId: string): Promise<Joined | null> => {
    const link = entries.get(connectionId)?.link;
    if (!link || !['connected', 'catching-up', 'read-only'].includes(link.state().state)) return null;
    const database = await link.database().catch(() => null);
    return database && { database, member: link.member };
  };
  /** What a person did counts also where it cannot be recorded: a program may leave a register that is away. */
  const recorded = async (connectionId: string, kind: 'joined' | 'left') => {
    const joined = await connected(connectionId);
    if (joined) await addEvent(joined, kind).catch(() => log.info('an event of the team was not recorded', { kind }));
  };
  const end = async (connectionId: string) => {
    const entry = entries.get(connectionId);
    entries.delete(connectionId);
    await entry?.link?.close();
  };
  const closeLater = (work: Promise<void> | undefined, connectionId: string) => {
    const closed = Promise.resolve(work)
      .catch(() => log.error('a team register was not closed', { connectionId }))
      .finally(() => leaving.delete(closed));
    leaving.add(closed);
  };
  /** Follows what another program with this data folder joined, changed or left, such as the command line. True if it did. */
  const followStore = (connectionId: string): boolean => {
    const text = textOf(connectionId);
    const old = entries.get(connectionId);
    // Out of view it reads nothing.
    if (text === (old?.text ?? null) || kindOf(connectionId) === 'removed') return false;
    const known = readStored(store, connectionId, log);
    if (known) open(connectionId, known);
    // Looked at once, if it is not readable.
    else if (text !== null)
      entries.set(connectionId, { text, link: null, budget: createTeamBudget(changed), assigned: null });
    else entries.delete(connectionId);
    closeLater(old?.link?.close(), connectionId);
    return true;
  };
  for (const { id } of store.connections.all()) followStore(id);
  const leave = async (connectionId: string, evenUnreported: boolean) => {
    const { teamId } = linkOf(connectionId).member;
    if (!evenUnreported) assertReported(store, connectionId);
    await recorded(connectionId, 'left');
    // Forgotten first: a program that is killed here has left.
    store.settings.remove(settingsOf(connectionId));
    store.settings.remove(earlierOf(connectionId));
    store.teamClaims.handOver(connectionId);
    await end(connectionId);
    followAnew(store.settings, connectionId, teamId);
    await passwords.forget(connectionId);
    changed();
    // What waited for the register that is left waits for nothing any more.
    wake(connectionId);
  };
  /** Also where a program before this one removed the connection. */
  const leaveForGood = async (connectionId: string) => {
    store.teamItems.forget(connectionId);
    const entered = readStored(store, connectionId, log);
    const link = entries.get(connectionId)?.link ?? (entered && open(connectionId, entered).link);
    if (link) {
      // Connected once more, if it can be: the team is told.
      await link.database().catch(() => undefined);
      await leave(connectionId, true);
    }
    store.teamClaims.forget(connectionId);
  };
  const examine = async (connectionId: string, settings: TeamSettings, password?: string) => {
    assertPlace(connectionId, settings);
    return await checkTeam(settings, password ?? passwords.giveTo(connectionId, settings));
  };
  /**
   * Asks for the right to send an add. A connection that has joined no team is answered at once, without any work. Rejects with not-connected and a `team-` detail if the
   * register cannot be asked: then nothing may be sent.
   */
  const claim = async (job: StoredJob): Promise<Permission> => {
    if (followStore(job.connectionId)) changed();
    const link = entries.get(job.connectionId)?.link;
    if (link)
      return await link.claim(job).catch((error: unknown) => {
        if (entries.get(job.connectionId)?.link === link) throw error;
        // It left meanwhile, or joined another team: what holds now decides, and no failure of what it left.
        return claim(job);
      });
    // Written by a newer version, for example: this connection has a team, and nothing leaves without a claim.
    if (textOf(job.connectionId) !== null)
      throw appError('not-connected', 'its settings are not readable', { detail: 'team-missing' });
    return unlimited;
  };
  return {
    state: (): TeamState => {
      for (const { id } of store.connections.all()) followStore(id);
      return snapshot();
    },
    assertPlace,
    onBack,
    onCopies,
    onShared,
    connected,
    /** Counts a call to the service. False if the team has made as many in this hour as `perHour` allows; true without a register, or while it is away. */
    countCall: async (connectionId: string, perHour: number): Promise<boolean> => {
      const joined = await connected(connectionId);
      const budget = entries.get(connectionId)?.budget;
      return joined === null || budget === undefined || (await budget.count(joined, perHour).catch(() => true));
    },
    check: async (connectionId: string, settings: TeamSettings, password?: string): Promise<TeamCheck> =>
      (await examine(connectionId, settings, password)).found,
    link: linkOf,
    /**
     * Original documents of the requests that are assigned to this person, as last read: also known while the register is away. Null if the connection has joined no
     * team, or its register was not reached yet.
     */
    assignedToMe: (connectionId: string): ReadonlySet<string> | null => entries.get(connectionId)?.assigned ?? null,
    claim,
    /** True if nothing may leave over the connection without a claim. */
    asks: (connectionId: string): boolean => textOf(connectionId) !== null,
    /** Reports what has ended on this connection, soon. */
    report: (connectionId: string) => entries.get(connectionId)?.link?.report(),
    /** `isSameService`: a person's word that the service of the connection is the team's under another name. */
    join: async (
      connectionId: string,
      settings: TeamSettings,
      password?: string,
      isSameService = false,
    ): Promise<TeamLink> => {
      const kind = kindOf(connectionId);
      if (kind === null || kind === 'removed') throw appError('not-found', 'no such connection');
      if (kind === 'practice') throw appError('bad-input', 'the practice connection has no team');
      const { teamId, services } = await examine(connectionId, settings, password);
      const service = needs.serviceOf(connectionId);
      if (service && !isSameService) assertService(services, service);
      const before = readStored(store, connectionId, log);
      // Another login is another member: rows belong to the login that wrote them.
      const isSame = before?.teamId === teamId && before.settings.user === settings.user;
      if (before && !isSame) assertReported(store, connectionId);
      if (password !== undefined) {
        passwords.remember(connectionId, password);
        await passwords.set(connectionId, settings, password);
      }
      // From here to the new link without a pause: meanwhile nothing may be sent without a claim.
      const old = entries.get(connectionId);
      const entered = { settings, teamId };
      if (!isSame) {
        const identity = identityOf(store, connectionId, entered);
        if (identity.isKnown()) store.teamClaims.takeUp(connectionId);
        else identity.enterAnew();
        followAnew(store.settings, connectionId, teamId);
        store.teamItems.forget(connectionId);
        if (old) old.assigned = null;
        store.settings.put(earlierOf(connectionId), '0');
      }
      store.settings.put(settingsOf(connectionId), JSON.stringify(entered));
      const { link, budget } = open(connectionId, entered, isSameService);
      await old?.link?.close();
      if (before && before.teamId !== teamId) followAnew(store.settings, connectionId, before.teamId);
      await link.database().catch(() => undefined);
      if (!isSame) {
        for (const listener of onShared) listener(connectionId);
        await recorded(connectionId, 'joined');
      }
      changed();
      return viewOf(connectionId, link, budget);
    },
    leave,
    /** Reads nothing for a connection that was removed, goes on if it is put back, and leaves its team once it cannot be. To be called when any connection changed. */
    followConnection: (connectionId: string) => {
      const kind = kindOf(connectionId);
      if (kind === null) closeLater(leaveForGood(connectionId), connectionId);
      else if (kind === 'removed') closeLater(end(connectionId), connectionId);
      if (kind === 'removed' || (kind !== null && followStore(connectionId))) changed();
    },
    tryNow: async (connectionId: string, password?: string) => {
      const link = linkOf(connectionId);
      if (password !== undefined) await passwords.set(connectionId, link.settings, password);
      await link.tryNow();
    },
    close: async () => {
      await Promise.all([...entries.values()].map(({ link }) => link?.close()));
      await Promise.all(leaving);
    },
  };
}

function assertReported(store: Store, connectionId: string): void {
  const count = store.teamClaims.unreportedCount(connectionId);
  if (count > 0) throw appError('bad-input', `${count} outcomes are not in the team register yet`);
}

function readStored(store: Store, connectionId: string, log: Log): Stored | null {
  const text = store.settings.get(settingsOf(connectionId));
  if (text === null) return null;
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    log.error('the settings of a team register are not readable', { connectionId });
    return null;
  }
}

const enteredAs = z.strictObject({ teamId: z.uuid(), user: z.string(), id: z.uuid() });

/** As which program a login is in its team, the same one each time: its rows are refused to any other. */
function identityOf(store: Store, connectionId: string, { settings: { user }, teamId }: Stored) {
  const known = () => {
    const text = store.settings.get(programOf(connectionId));
    const entered = text === null ? null : enteredAs.parse(JSON.parse(text));
    return entered?.teamId === teamId && entered.user === user ? entered.id : null;
  };
  const put = (id: string) => {
    store.settings.put(programOf(connectionId), JSON.stringify({ teamId, user, id }));
    return id;
  };
  return {
    isKnown: () => known() !== null,
    id: () => known() ?? put(randomUUID()),
    /** Becomes another program, whose ID and claims are new. What it has registered is reported. */
    enterAnew: () => {
      store.teamClaims.forget(connectionId);
      put(randomUUID());
      store.settings.put(earlierOf(connectionId), '0');
    },
  };
}

/** Who takes part. The ID of the program may change while its link is open. */
const memberOf = ({ settings, teamId }: Stored, id: () => string, place: FeedPlace, program: string) => ({
  teamId,
  get programId() {
    return id();
  },
  place,
  person: settings.person || accountName(),
  computer: hostname(),
  program,
});

/** The account's name; a system may have none for the user that runs a program. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return '–';
  }
}

/** What a password is for is in the same entry of the keychain: whoever can write settings cannot send it elsewhere. */
const entry = z.strictObject({ password: z.string(), register: z.string() });

/** Set where a connection has joined with a password. */
const hasPassword = (connectionId: string) => `team.${connectionId}.password`;

/** The passwords of the connections at their team registers. */
function createTeamPasswords(needs: SecretNeeds) {
  const entries = openSecretEntries(needs, {
    suffix: '.team',
    form: entry,
    secretsOf: ({ password }) => (password === '' ? [] : [password]),
  });
  const remember = (connectionId: string, password: string) => {
    if (password === '') needs.settings.remove(hasPassword(connectionId));
    else needs.settings.put(hasPassword(connectionId), 'yes');
  };
  return {
    whereabouts: entries.whereabouts,
    remember,
    /**
     * Gives the kept password, only to the register that it was entered for: host, port, database, user and certificate authority. Rejects with not-connected for
     * any other one, and where there is one that the keychain does not give now; an empty text where there is none.
     */
    giveTo:
      (connectionId: string, settings: TeamSettings): GivePassword =>
      async () => {
        const kept = await entries.get(connectionId);
        // Who asks for no password where there is one is not believed, whatever became of the keychain.
        if (kept ? kept.register !== registerOf(settings) : needs.settings.get(hasPassword(connectionId)) !== null)
          throw appError('not-connected', 'no password is kept, or one for another register', {
            detail: 'team-password-needed',
          });
        // Of one that joined before this was noted, it is from now on.
        if (kept && entries.whereabouts(connectionId) === 'keychain') remember(connectionId, kept.password);
        return kept?.password ?? '';
      },
    /** Keeps the password for this register alone. */
    set: async (connectionId: string, settings: TeamSettings, password: string) =>
      await entries.set(connectionId, { password, register: registerOf(settings) }),
    forget: async (connectionId: string) => {
      needs.settings.remove(hasPassword(connectionId));
      await entries.forget(connectionId);
    },
  };
}

const registerOf = ({ ca, ...place }: TeamSettings): string =>
  passwordPlace({ ...place, ca: ca === '' ? '' : createHash('sha256').update(ca).digest('hex') });

/** The calls to the service that programs of a team make by themselves, together. */
type TeamBudget = ReturnType<typeof createTeamBudget>;

/** `onChange` is called when the calls are used up, and when there are some again. */
export function createTeamBudget(onChange: () => void) {
  let freeAt: string | null = null;
  let limit = 0;
  const become = (next: string | null) => {
    if ((freeAt === null) === (next === null)) return;
    freeAt = next;
    onChange();
  };
  return {
    /** Counts one call in this hour of the database. False if the team has made as many as `perHour` allows. */
    count: async ({ database, member }: Joined, perHour: number): Promise<boolean> => {
      type Counted = { readonly isCounted: boolean; readonly nextHourMs: number };
      const [counted] = await database.query<Counted>(countCall, [member.teamId, perHour]);
      limit = perHour;
      // By this computer's clock, as it is shown: the hours are the database's.
      become(!counted || counted.isCounted ? null : new Date(Date.now() + counted.nextHourMs).toISOString());
      return counted?.isCounted === true;
    },
    /** Takes the number of calls in this hour, as each look reads it: there may be calls again. */
    see: (used: number) => {
      if (used < limit) become(null);
    },
    /** When calls are possible again, ISO 8601, UTC, once the team has used up those of this hour; null while calls are left. */
    freeAt: () => freeAt,
  };
}

/** Counts one call, and answers how long this hour still lasts. */
const countCall = `WITH counted AS (
  INSERT INTO sealdesk.service_calls AS c (team_id, hour, used) VALUES ($1::uuid, date_trunc('hour', now()), 1)
  ON CONFLICT (team_id, hour) DO UPDATE SET used = c.used + 1 WHERE c.used < $2 RETURNING 1
) SELECT EXISTS (SELECT 1 FROM counted) AS "isCounted",
  extract(epoch FROM date_trunc('hour', now()) + interval '1 hour' - now())::float8 * 1000 AS "nextHourMs"`;
