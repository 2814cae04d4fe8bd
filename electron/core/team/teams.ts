import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { z } from 'zod';
import {
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
import type { SecretNeeds } from '../secrets/secret-entries.ts';
import { checkTeam } from './check-team.ts';
import { openTeamDatabase } from './database.ts';
import { createEarlier, earlierOf } from './earlier.ts';
import { feedPlace, followAnew } from './feed.ts';
import { createFollower } from './follow-feed.ts';
import { createLink, type Link } from './link.ts';
import type { Joined } from './others-claims.ts';
import { createTeamPasswords } from './passwords.ts';
import { type Permission, unlimited } from './permission.ts';
import { assertService, type ServiceName } from './services.ts';
import type { SharedCopy } from './shared-lists.ts';
import { sharedVersion } from './shared-meanings.ts';
import { createTeamBudget, type TeamBudget } from './team-budget.ts';
import { addEvent } from './team-notes.ts';

/** Asks for the right to send adds. A connection that has joined no team is answered at once, without any work. */
export interface TeamClaims {
  /** Rejects with not-connected and a `team-` detail if the register cannot be asked: then nothing may be sent. */
  claim(job: StoredJob): Promise<Permission>;
  /** Reports what has ended on this connection, soon. */
  report(connectionId: string): void;
}

/** What the team wants this person to take care of. */
export interface TeamAssignments {
  /**
   * Original documents of the requests that are assigned to this person, as last read: also known while the register is away. Null if the connection has joined no
   * team, or its register was not reached yet.
   */
  assignedToMe(connectionId: string): ReadonlySet<string> | null;
}

/** What a team reads from the service together. */
export interface TeamLists {
  /** The register of a joined connection, if it is connected now. Null: this program reads for itself. */
  connected(connectionId: string): Promise<Joined | null>;
  /** Counts a call to the service. False if the team has made as many in this hour as `perHour` allows; true without a register, or while it is away. */
  countCall(connectionId: string, perHour: number): Promise<boolean>;
  /** Called with the team's copies of lists after each look at the register. */
  readonly onCopies: Set<(connectionId: string, copies: readonly SharedCopy[]) => void>;
}

/** All team registers of the program. */
export interface Teams extends TeamClaims, TeamAssignments, TeamLists {
  state(): TeamState;
  /** Rejects with bad-input (managed) for another register than the one that a policy sets for the connection. */
  assertPlace(connectionId: string, settings: TeamSettings): void;
  check(connectionId: string, settings: TeamSettings, password?: string): Promise<TeamCheck>;
  /** `isSameService`: a person's word that the service of the connection is the team's under another name. */
  join(connectionId: string, settings: TeamSettings, password?: string, isSameService?: boolean): Promise<TeamLink>;
  leave(connectionId: string, evenUnreported: boolean): Promise<void>;
  tryNow(connectionId: string): Promise<void>;
  /** Leaves the team of a connection that was removed. To be called when any connection changed. */
  followConnection(connectionId: string): void;
  /** Rejects with not-connected if the connection has joined no team. */
  link(connectionId: string): Link;
  /** Called after each look at what the team of a connection shares. */
  readonly onShared: Set<(connectionId: string) => void>;
  /** Called with the id of a connection whose adds may be sent again. */
  readonly onBack: Set<(connectionId: string) => void>;
  close(): Promise<void>;
}

interface Needs {
  readonly store: Store;
  readonly secrets: SecretNeeds;
  /** The kind of a connection; null if there is none. */
  readonly kindOf: (connectionId: string) => 'practice' | 'service' | null;
  /** The service that a connection names; null if there is none. */
  readonly serviceOf: (connectionId: string) => ServiceName | null;
  /** Registers that the organisation's policy sets. */
  readonly provided: () => NonNullable<TeamState['provided']>;
  readonly version: string;
  readonly pauses: Pauses;
  readonly emit: Emit;
  readonly log: Log;
}

const stored = z.strictObject({ settings: teamSettings, teamId: z.uuid() });
type Stored = z.output<typeof stored>;

const settingsOf = (connectionId: string) => `team.${connectionId}`;
/** As which program a connection is in its team; in the first versions the whole folder was one. */
const programOf = (connectionId: string) => `team.${connectionId}.program`;
const folderProgram = 'team.program';

/** Opens the team registers that the connections have joined. */
export function createTeams(needs: Needs): Teams {
  const { store, emit, log, kindOf } = needs;
  const passwords = createTeamPasswords(needs.secrets, (id) => readStored(store, id, log)?.settings ?? null);
  const links = new Map<string, Link>();
  const assigned = new Map<string, ReadonlySet<string>>();
  const budgets = new Map<string, TeamBudget>();
  /** What is stored for each connection, as it was opened. */
  const opened = new Map<string, string>();
  const leaving = new Set<Promise<void>>();
  const onBack: Teams['onBack'] = new Set();
  /** Lets the jobs of a connection that wait for its register go on. */
  const wake = (connectionId: string) => {
    for (const listener of onBack) listener(connectionId);
  };
  const onCopies: Teams['onCopies'] = new Set();
  const onShared: Teams['onShared'] = new Set();
  const snapshot = (): TeamState => {
    const provided = needs.provided();
    return {
      links: [...links].map(([connectionId, link]) => viewOf(connectionId, link)),
      ...(provided.length > 0 ? { provided } : {}),
    };
  };
  const assertPlace = (connectionId: string, settings: TeamSettings) => {
    const place = needs.provided().find((one) => one.connectionId === connectionId)?.place;
    const other =
      place &&
      Object.keys(teamPlace.shape).find((name) => place[name as keyof TeamPlace] !== settings[name as keyof TeamPlace]);
    if (!other) return;
    const why = "is set by the organisation's policy";
    throw appError('bad-input', `${other} ${why}`, { detail: 'managed', fields: { [`settings.${other}`]: why } });
  };
  const viewOf = (connectionId: string, link: Link): TeamLink => ({
    connectionId,
    settings: link.settings,
    passwordKept: passwords.whereabouts(connectionId),
    ...link.state(),
    // While the register is away only the program's own budget counts.
    callsFreeAt: link.state().state === 'away' ? null : (budgets.get(connectionId)?.freeAt() ?? null),
  });
  const changed = () => emit('team.changed', snapshot());
  const open = (connectionId: string, { settings, teamId }: Stored, isSameService = false) => {
    const place = feedPlace(store.settings, connectionId, teamId);
    const entered = { settings, teamId };
    const member = {
      teamId,
      // It may change while the link is open.
      get programId() {
        return programId(store, connectionId, entered);
      },
      place,
      ...thisPerson(settings),
      program: needs.version,
    };
    const link = createLink({
      connectionId,
      pauses: needs.pauses,
      settings,
      member,
      enterAnew: () => enterAnew(store, connectionId, entered),
      open: async () =>
        openTeamDatabase(settings, passwords.giveTo(connectionId, settings), undefined, needs.pauses.teamLockMs),
      claims: store.teamClaims,
      earlier: createEarlier(store, connectionId, changed),
      service: () => needs.serviceOf(connectionId),
      isSameService,
      follower: createFollower({
        ...{ connectionId, member, place, store, answerMs: needs.pauses.teamAnswerMs },
        isCurrent: () => links.get(connectionId) === link,
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
        onCalls: (used) => budgets.get(connectionId)?.see(used),
        onRequests: (assignedToMe) => {
          assigned.set(connectionId, assignedToMe);
          emit('team.requestsChanged', { connectionId });
        },
      }),
      onChange: () => {
        if (links.get(connectionId) !== link) return;
        const { state: now, failure } = link.state();
        log.info('the team register changed its state', { connectionId, state: now, detail: failure?.detail });
        changed();
      },
      onBack: () => wake(connectionId),
    });
    links.set(connectionId, link);
    budgets.set(connectionId, createTeamBudget(changed));
    opened.set(connectionId, store.settings.get(settingsOf(connectionId)) ?? '');
    return link;
  };
  const linkOf = (connectionId: string) => {
    const link = links.get(connectionId);
    if (!link) throw appError('not-connected', 'the connection has joined no team');
    return link;
  };
  /** What a person did counts also where it cannot be recorded: a program may leave a register that is away. */
  const recorded = async (connectionId: string, kind: 'joined' | 'left') => {
    const joined = await connected(connectionId);
    if (joined) await addEvent(joined, kind).catch(() => log.info('an event of the team was not recorded', { kind }));
  };
  const end = async (connectionId: string) => {
    const link = links.get(connectionId);
    links.delete(connectionId);
    opened.delete(connectionId);
    budgets.delete(connectionId);
    await link?.close();
    assigned.delete(connectionId);
  };
  const closeLater = (work: Promise<void>, connectionId: string) => {
    const closed = work
      .catch(() => log.error('a team register was not closed', { connectionId }))
      .finally(() => leaving.delete(closed));
    leaving.add(closed);
  };
  /** Follows what another program with this data folder joined, changed or left, such as the command line. True if it did. */
  const followStore = (connectionId: string): boolean => {
    const text = store.settings.get(settingsOf(connectionId));
    if (text === (opened.get(connectionId) ?? null)) return false;
    const known = readStored(store, connectionId, log);
    const old = links.get(connectionId);
    if (known) {
      open(connectionId, known);
      if (old) closeLater(old.close(), connectionId);
    } else {
      closeLater(end(connectionId), connectionId);
      // Looked at once, if it is not readable.
      if (text !== null) opened.set(connectionId, text);
    }
    return true;
  };
  for (const { id } of store.connections.all()) {
    const known = readStored(store, id, log);
    if (known) open(id, known);
  }
  const leave: Teams['leave'] = async (connectionId, evenUnreported) => {
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
  };
  const connected = async (connectionId: string): Promise<Joined | null> => {
    const link = links.get(connectionId);
    if (!link || !['connected', 'catching-up', 'read-only'].includes(link.state().state)) return null;
    const database = await link.database().catch(() => null);
    return database && { database, member: link.member };
  };
  const examine = async (connectionId: string, settings: TeamSettings, password?: string) => {
    assertPlace(connectionId, settings);
    return await checkTeam(settings, password ?? passwords.giveTo(connectionId, settings));
  };
  return {
    state: () => {
      for (const { id } of store.connections.all()) followStore(id);
      return snapshot();
    },
    assertPlace,
    onBack,
    onCopies,
    onShared,
    connected,
    countCall: async (connectionId, perHour) => {
      const joined = await connected(connectionId);
      const budget = budgets.get(connectionId);
      return joined === null || budget === undefined || (await budget.count(joined, perHour).catch(() => true));
    },
    check: async (connectionId, settings, password) => (await examine(connectionId, settings, password)).found,
    link: linkOf,
    assignedToMe: (connectionId) => assigned.get(connectionId) ?? null,
    claim: async (job) => {
      if (followStore(job.connectionId)) changed();
      const link = links.get(job.connectionId);
      if (link) return await link.claim(job);
      // Written by a newer version, for example: this connection has a team, and nothing leaves without a claim.
      if (store.settings.get(settingsOf(job.connectionId)) !== null)
        throw appError('not-connected', 'its settings are not readable', { detail: 'team-missing' });
      return unlimited;
    },
    report: (connectionId) => links.get(connectionId)?.report(),
    join: async (connectionId, settings, password, isSameService = false) => {
      if (kindOf(connectionId) === null) throw appError('not-found', 'no such connection');
      if (kindOf(connectionId) === 'practice') throw appError('bad-input', 'the practice connection has no team');
      const { teamId, services } = await examine(connectionId, settings, password);
      const service = needs.serviceOf(connectionId);
      if (service && !isSameService) assertService(services, service);
      const before = readStored(store, connectionId, log);
      // Another login is another member: rows belong to the login that wrote them.
      const isSame = before?.teamId === teamId && before.settings.user === settings.user;
      if (before && !isSame) assertReported(store, connectionId);
      if (password !== undefined) await passwords.set(connectionId, settings, password);
      // From here to the new link without a pause: meanwhile nothing may be sent without a claim.
      const old = links.get(connectionId);
      if (!isSame) {
        if (enteredId(store, connectionId, { settings, teamId }) !== null) store.teamClaims.takeUp(connectionId);
        else enterAnew(store, connectionId, { settings, teamId });
        followAnew(store.settings, connectionId, teamId);
        store.teamItems.forget(connectionId);
        assigned.delete(connectionId);
        store.settings.put(earlierOf(connectionId), '0');
      }
      store.settings.put(settingsOf(connectionId), JSON.stringify({ settings, teamId }));
      const link = open(connectionId, { settings, teamId }, isSameService);
      await old?.close();
      if (before && before.teamId !== teamId) followAnew(store.settings, connectionId, before.teamId);
      await link.database().catch(() => undefined);
      if (!isSame) {
        for (const listener of onShared) listener(connectionId);
        await recorded(connectionId, 'joined');
      }
      changed();
      return viewOf(connectionId, link);
    },
    leave,
    followConnection: (connectionId) => {
      if (kindOf(connectionId) !== null) return;
      store.teamItems.forget(connectionId);
      const left = links.has(connectionId) ? leave(connectionId, true) : Promise.resolve();
      closeLater(
        left.then(() => store.teamClaims.forget(connectionId)),
        connectionId,
      );
    },
    tryNow: async (connectionId) => linkOf(connectionId).tryNow(),
    close: async () => {
      await Promise.all([...links.values()].map((link) => link.close()));
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

/** Identifies this connection in its register. */
function programId(store: Store, connectionId: string, entered: Stored): string {
  return (
    enteredId(store, connectionId, entered) ??
    putEntered(store, connectionId, entered, store.settings.get(folderProgram) ?? randomUUID())
  );
}

/** As which program a login is in its team; null if it never was there on this connection. */
function enteredId(store: Store, connectionId: string, { settings: { user }, teamId }: Stored): string | null {
  const text = store.settings.get(programOf(connectionId));
  const known = text === null ? null : enteredAs.parse(JSON.parse(text));
  return known?.teamId === teamId && known.user === user ? known.id : null;
}

function putEntered(store: Store, connectionId: string, { settings: { user }, teamId }: Stored, id: string): string {
  store.settings.put(programOf(connectionId), JSON.stringify({ teamId, user, id }));
  return id;
}

/** A login that joins a team is a program of its own there, the same one each time: its rows are refused to any other. What it has registered is reported. */
function enterAnew(store: Store, connectionId: string, entered: Stored): void {
  store.teamClaims.forget(connectionId);
  putEntered(store, connectionId, entered, randomUUID());
  store.settings.put(earlierOf(connectionId), '0');
}

function thisPerson({ person }: TeamSettings): { person: string; computer: string } {
  return { person: person || accountName(), computer: hostname() };
}

/** The account's name; a system may have none for the user that runs a program. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return '–';
  }
}
