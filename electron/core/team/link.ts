import type { Failure, FailureDetail } from '../../../contract/failure.ts';
import type { TeamLink, TeamRole, TeamSettings } from '../../../contract/team.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { Store } from '../../store/store.ts';
import type { TeamClaimTable } from '../../store/team/team-claims.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import type { Pauses } from '../foundation/pauses.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { coalesced } from '../foundation/throttled.ts';
import { claimFor, type Permission, unlimited } from './ask-claim.ts';
import { addService, assertService, type ServiceName, serviceNames } from './check-team.ts';
import { claimKey, claimsTogether, doubtForgotten, knownAlready, reportOutcomes } from './claims.ts';
import { isRefused, type TeamDatabase } from './database.ts';
import { assertFree, assertSchema, closedError, type Joined, sayAllIsTold } from './feed.ts';
import type { Follower } from './follow-feed.ts';
import { roleIn } from './rights.ts';

/** Outcomes in one statement. */
const reportedAtOnce = 500;

export interface LinkNeeds {
  readonly connectionId: string;
  readonly pauses: Pick<Pauses, 'teamLookMs' | 'teamNoticeMs' | 'teamSeenMs' | 'teamSeekMs' | 'undoMs'>;
  readonly settings: TeamSettings;
  readonly member: Joined['member'] & { readonly person: string; readonly computer: string; readonly program: string };
  /** Makes this another program of the member, whose ID and claims are new; what it has registered is reported again. */
  readonly enterAnew: () => void;
  readonly open: () => Promise<TeamDatabase>;
  /** The service that the connection names now: a person may change it at any time. Null once it was removed. */
  readonly service: () => ServiceName | null;
  /** A person's word that this is the team's service, whatever names it has there. */
  readonly isSameService: boolean;
  readonly claims: TeamClaimTable;
  readonly earlier: Earlier;
  /** Brings here what changed, after each connect and notice, and at least every five seconds. */
  readonly follower: Follower;
  readonly onChange: () => void;
  /** The register is there again: what waits can be sent. */
  readonly onBack: () => void;
}

/** What a failure means for the link. After all others of a team (`refused`) something has to be done about it. */
const states: Partial<Record<FailureDetail, TeamLink['state']>> = {
  'team-away': 'away',
  'team-full': 'away',
  'team-too-large': 'away',
  'team-busy': 'busy',
  'team-restored': 'closed',
  'team-newer': 'newer',
};

const stateAfter = ({ detail }: Failure): TeamLink['state'] =>
  detail?.startsWith('team-') ? (states[detail] ?? 'refused') : 'away';

const reasonOf = (failure: Failure | null) => failure?.detail ?? failure?.code;

/** A connection's tie to its team register. */
export type Link = ReturnType<typeof createLink>;

/** Ties a connection to its register and keeps it tied: connects, reports, follows and tries again until it is closed. */
export function createLink(needs: LinkNeeds) {
  const { claims, member, connectionId } = needs;
  let now: Pick<TeamLink, 'state' | 'since' | 'failure' | 'role'> = {
    state: 'connecting',
    since: new Date().toISOString(),
    failure: null,
    role: null,
  };
  let database: TeamDatabase | null = null;
  let stopListening: (() => void) | null = null;
  let connecting: Promise<TeamDatabase> | null = null;
  /** It still reports what ended last, but copies no further page. */
  let isEnding = false;
  let isClosed = false;
  let enteredFor = '';
  let isTold = false;
  let seenAtMs = Number.NEGATIVE_INFINITY;
  let connectedAtMs = 0;

  const become = (state: TeamLink['state'], failure: Failure | null, role = now.role) => {
    const isSame = now.state === state && reasonOf(now.failure) === reasonOf(failure) && now.role === role;
    if (isSame && now.failure?.heldBy === failure?.heldBy) return;
    const since = isSame ? now.since : new Date().toISOString();
    now = { state, failure, role, since };
    needs.onChange();
    if (state === 'connected') needs.onBack();
  };
  /** It is connected. `failure`: why what colleagues did cannot be stored here, which is tried again with each look. */
  const follows = (failure: Failure | null, role = now.role) => {
    if (role === 'reader') become('read-only', failure ?? readerRefusal().failure, role);
    else become(failure ? 'catching-up' : 'connected', failure, role);
  };
  const endWithout = () => retryWhileBusy(() => claims.endWithout(connectionId));
  const lose = async (error: unknown) => {
    const failure = failureOf(error) ?? appError('bug', 'the team register failed in an unexpected way').failure;
    const state = stateAfter(failure);
    // One that was there until a moment ago may be there again, or another one in its place.
    if (database && state === 'away' && performance.now() - connectedAtMs > needs.pauses.teamLookMs) following.soon();
    become(state, failure);
    // Not waited for: a connection that hangs ends when its last statement has waited long enough.
    const lost = database;
    database = null;
    stopListening?.();
    stopListening = null;
    void lost?.close();
    if (state !== 'away') await endWithout();
  };
  const connect = async (): Promise<TeamDatabase> => {
    const opened = await needs.open();
    enteredFor = JSON.stringify(needs.service());
    try {
      const role = await enter(opened, needs);
      if (now.state === 'busy' && role !== 'reader') await assertFree(opened.query, member.teamId);
      await endWithout();
      database = opened;
      connectedAtMs = performance.now();
      follows(null, role);
      return opened;
    } catch (error) {
      await lose(error);
      await opened.close();
      throw error;
    }
  };
  const connected = async (): Promise<TeamDatabase> => {
    if (isClosed) throw appError('cancelled', 'the team register is closed');
    // Another service may have been entered meanwhile: the team is asked again.
    const service = needs.service();
    if (database && service && enteredFor !== JSON.stringify(service))
      await lose(appError('not-connected', 'the connection names another service', { detail: 'team-away' }));
    if (database) return database;
    connecting ??= connect().finally(() => {
      connecting = null;
    });
    return await connecting;
  };
  /** Runs work on the database; an error of the connection loses it. */
  const using = async <T>(work: (database: TeamDatabase) => Promise<T>): Promise<T> => {
    const on = await connected();
    try {
      return await work(on);
    } catch (error) {
      if (!failureOf(error)?.detail?.startsWith('team-')) throw error;
      // With another schema any statement may be refused for any reason.
      const cause = (isRefused(error) && (await assertSchema(on.query).catch((other: unknown) => other))) || error;
      if (database === on) await lose(cause);
      throw cause;
    }
  };
  let soughtAtMs = Number.NEGATIVE_INFINITY;
  /**
   * True if the register is away, and not merely closed or newer: a decision to send without it is for that alone. One that was away a moment ago is looked for anew.
   */
  const isAway = async () => {
    if (performance.now() - soughtAtMs > needs.pauses.teamSeekMs) {
      await connected().catch(() => undefined);
      soughtAtMs = performance.now();
    }
    return now.state === 'away';
  };
  const isReader = () => now.role === 'reader';
  let reporting: Promise<boolean> | null = null;
  const report = () => {
    const more = async () => !isEnding && (await needs.earlier.next());
    reporting ??= using(async (on) => !isReader() && (await flush(on, needs, more))).finally(() => {
      reporting = null;
    });
    return reporting;
  };
  /** Runs work once all that left before joining is reported: until then nothing is claimed. */
  const usingReported: typeof using = async (work) => {
    if (needs.earlier.isLeft()) await report();
    if (needs.earlier.isLeft()) throw appError('cancelled', 'the team register is closed');
    return await using(work);
  };
  const makeClaim = claimsTogether();
  const flushing = coalesced(report, needs.pauses.teamNoticeMs);
  const following = coalesced(
    () =>
      using(async (on) => {
        // Without notices (a pooler, another engine) the poll does.
        stopListening ??= await on
          .listen(
            member.teamId,
            () => {
              isTold = true;
              following.soon();
            },
            () => {
              stopListening = null;
              following.soon();
            },
          )
          .catch(() => null);
        if (performance.now() - seenAtMs > needs.pauses.teamSeenMs) {
          if (!isReader()) await on.query(seen, [member.teamId, member.programId]);
          // Who may do more by now connects anew, as what it is.
          else if ((await roleIn(on, member.teamId)) !== 'reader')
            throw appError('not-connected', 'the user has another role now', { detail: 'team-away' });
          seenAtMs = performance.now();
        }
        const wasTold = isTold;
        isTold = false;
        const onMore = () => {
          if (!isReader()) become('catching-up', now.state === 'catching-up' ? now.failure : null);
          return !isEnding;
        };
        const isMuch = await needs.follower.follow(on, onMore, wasTold).catch((error: unknown) => {
          const failure = failureOf(error) ?? appError('bug', 'what colleagues did cannot be stored').failure;
          if (database === on && !isEnding && !failure.detail?.startsWith('team-')) follows(failure);
          throw error;
        });
        if (database === on) follows(null);
        return isMuch;
      }),
    needs.pauses.teamNoticeMs,
  );
  const work = () => {
    flushing.start();
    following.start();
  };
  // Outcomes are reported then as well.
  const timer = setInterval(work, needs.pauses.teamLookMs).unref();
  work();
  return {
    settings: needs.settings,
    member,
    state: (): Omit<TeamLink, 'connectionId' | 'settings' | 'passwordKept' | 'callsFreeAt'> => {
      const earlier = needs.earlier.progress();
      return { ...now, unreportedCount: claims.unreportedCount(connectionId), ...(earlier ? { earlier } : {}) };
    },
    /** Asks for the right to send a job, once what left before joining is reported. Rejects with a `team-` failure if the register cannot be asked: then nothing may be sent. */
    claim: async (job: StoredJob): Promise<Permission> => {
      const mayBypass = !database && claims.isWithout(job.id) && (await isAway());
      // A reader stays connected: what colleagues register is still shown.
      if (isReader()) throw readerRefusal();
      if (!mayBypass) return await claimFor(needs, usingReported, makeClaim, job);
      // Sent without a claim, on a person's decision; it is reported when the register is there again.
      claims.leaveWithout({ jobId: job.id, connectionId, kind: job.operation, key: claimKey(job) });
      return unlimited;
    },
    /** Reports what has ended, soon. */
    report: flushing.soon,
    tryNow: async (): Promise<void> => {
      await connected().catch(() => undefined);
      work();
    },
    /** The database, once it is connected. Rejects as `claim`. */
    database: connected,
    close: async (): Promise<void> => {
      isEnding = true;
      clearInterval(timer);
      // What ended last is still reported if the register is there.
      if (database) flushing.start();
      await Promise.all([flushing.stop(), following.stop()]);
      isClosed = true;
      stopListening?.();
      await connecting?.catch(() => undefined);
      const left = database;
      database = null;
      await left?.close();
    },
  };
}

/** Says that a program is alive. */
const seen = 'UPDATE sealdesk.programs SET seen_at = now() WHERE team_id = $1::uuid AND program_id = $2::uuid';

const readerRefusal = () => appError('not-connected', 'the user has the role reader', { detail: 'team-rights' });

/**
 * Sends the outbox, oldest first. `more`: puts more into it, or answers false. What ends meanwhile is asked for again, soon: reported at once, each would be a commit of its own, here
 * and in the database. Answers whether several were told: then the next ones may wait.
 */
async function flush(database: TeamDatabase, needs: LinkNeeds, more = async () => false): Promise<boolean> {
  const { claims, connectionId, member, pauses } = needs;
  for (;;) {
    const outcomes = claims.unreported(connectionId, reportedAtOnce, pauses.undoMs);
    const known = await knownAlready({ database, member }, outcomes);
    const dropped = [...known].flatMap(([claimId, found]) => (found === 'own' ? [claimId] : []));
    const news = outcomes.flatMap((outcome) => {
      const found = known.get(outcome.claimId);
      return found === 'own' ? [] : [{ ...outcome, ...found }];
    });
    if (news.length > 0)
      await reportOutcomes({ database, member }, news).catch(async (error: unknown) => {
        // Where a colleague made a claim with the ID of one of these, which was in the register before a restore, this program can never report that one.
        const taken =
          'SELECT 1 FROM sealdesk.claims WHERE team_id = $3::uuid AND claim_id = ANY ($1::uuid[]) AND program_id <> $2::uuid LIMIT 1';
        const ids = news.map(({ claimId }) => claimId);
        if ((await database.query(taken, [ids, member.programId, member.teamId])).length > 0) needs.enterAnew();
        throw error;
      });
    if (outcomes.length > 0) await retryWhileBusy(() => claims.reported(news, dropped));
    if (outcomes.length < reportedAtOnce && !(await more())) return outcomes.length > 1;
  }
}

/** Enters the program in its team and reports what is left. Answers the role of the user; throws where the team may not go on. */
async function enter(database: TeamDatabase, needs: LinkNeeds): Promise<TeamRole> {
  const { member, follower } = needs;
  const isOpen = await follower.look(database);
  const role = await roleIn(database, member.teamId);
  const [service, known] = [needs.service(), await serviceNames(database.query, member.teamId)];
  if (service && (!needs.isSameService || role === 'reader')) assertService(known, service);
  if (role !== 'reader') {
    // Its row is nobody's in a register of an earlier version, or a colleague's who took its ID where a restore had lost the row. What that row has written stays with it.
    const isForeign =
      'SELECT 1 FROM sealdesk.programs WHERE program_id = $1::uuid AND team_id = $2::uuid AND database_user IS DISTINCT FROM session_user';
    if ((await database.query(isForeign, [member.programId, member.teamId])).length > 0) needs.enterAnew();
    await database.query(
      `INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) VALUES ($1::uuid, $2::uuid, $3, $4, $5)
       ON CONFLICT (team_id, program_id) DO UPDATE SET person = excluded.person, computer = excluded.computer, version = excluded.version, seen_at = now()`,
      [member.programId, member.teamId, member.person, member.computer, member.program],
    );
    if (service && (known.length === 0 || needs.isSameService)) {
      await addService(database.query, member.teamId, service, needs.isSameService);
      // Somebody else may have been the first meanwhile.
      assertService(await serviceNames(database.query, member.teamId), service);
    }
    // Also where it is closed after a restore: exactly then it needs what only this program knows, all of it.
    await flush(database, needs, async () => !isOpen && (await needs.earlier.next()));
    await doubtForgotten({ database, member }, (claimId) => needs.claims.knows(needs.connectionId, claimId));
    if (!isOpen) await database.query(sayAllIsTold, [member.teamId, member.programId]);
  }
  if (!isOpen) throw closedError();
  return role;
}

/** What a connection registered before it joined its team, or while it was out of it: it goes into the outbox page by page, and nothing is claimed before all is reported. */
type Earlier = ReturnType<typeof createEarlier>;

/** Set as long as some is left: the position in the ledger after which it is. */
export const earlierOf = (connectionId: string) => `team.${connectionId}.earlier`;

export function createEarlier(
  { settings, teamClaims }: Pick<Store, 'settings' | 'teamClaims'>,
  connectionId: string,
  onProgress: () => void,
) {
  const key = earlierOf(connectionId);
  let [reported, total, page] = [0, 0, 0];
  const isLeft = () => settings.get(key) !== null;
  return {
    /** True as long as some of it is not reported. */
    isLeft,
    /** Puts the next page into the outbox, after the one before was reported; false if there was none. */
    next: async (): Promise<boolean> => {
      const from = settings.get(key);
      if (from === null) return false;
      if (total === 0) total = teamClaims.earlierCount(connectionId, Number(from));
      reported += page;
      const { count, next } = await retryWhileBusy(() => teamClaims.claimEarlier(connectionId, Number(from), claimKey));
      // The connection may have left meanwhile.
      if (!isLeft()) return false;
      page = count;
      // The last page, which is empty: what it was to find is reported.
      if (count > 0) settings.put(key, String(next));
      else settings.remove(key);
      onProgress();
      return count > 0;
    },
    /** How much is reported since this program began with it; undefined if nothing is left. */
    progress: (): TeamLink['earlier'] => (isLeft() ? { reported, total: Math.max(total, reported + page) } : undefined),
  };
}
