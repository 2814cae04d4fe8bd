import type { Joined } from './others-claims.ts';

/** The calls to the service that programs of a team make by themselves, together. */
export interface TeamBudget {
  /** Counts one call in this hour of the database. False if the team has made as many as `perHour` allows. */
  count(joined: Joined, perHour: number): Promise<boolean>;
  /** Takes the number of calls in this hour, as it was read: there may be calls again. */
  see(used: number): void;
  /** When calls are possible again, ISO 8601, UTC, once the team has used up those of this hour; null while calls are left. */
  freeAt(): string | null;
  close(): void;
}

/** `onChange` is called when the calls are used up, and when there are some again. */
export function createTeamBudget(onChange: () => void): TeamBudget {
  let freeAt: string | null = null;
  let limit = 0;
  let timer: NodeJS.Timeout | undefined;
  const become = (waitMs: number | null) => {
    const isNew = (freeAt === null) !== (waitMs === null);
    // By this computer's clock, as it is shown: the hours are the database's.
    if (isNew) freeAt = waitMs === null ? null : new Date(Date.now() + waitMs).toISOString();
    clearTimeout(timer);
    if (waitMs !== null) timer = setTimeout(() => become(null), waitMs).unref();
    if (isNew) onChange();
  };
  return {
    count: async (joined, perHour) => {
      const { isCounted, nextHourMs } = await countCall(joined, perHour);
      limit = perHour;
      become(isCounted ? null : nextHourMs);
      return isCounted;
    },
    see: (used) => {
      if (freeAt !== null && used < limit) become(null);
    },
    freeAt: () => freeAt,
    close: () => clearTimeout(timer),
  };
}

/** Counts one call, and answers how long this hour still lasts. */
export async function countCall(
  { database, member }: Joined,
  perHour: number,
): Promise<{ readonly isCounted: boolean; readonly nextHourMs: number }> {
  const [row] = await database.query<{ is_counted: boolean; next_hour_ms: number }>(
    `WITH counted AS (
       INSERT INTO sealdesk.service_calls AS c (team_id, hour, used) VALUES ($1::uuid, date_trunc('hour', now()), 1)
       ON CONFLICT (team_id, hour) DO UPDATE SET used = c.used + 1 WHERE c.used < $2 RETURNING 1
     )
     SELECT EXISTS (SELECT 1 FROM counted) AS is_counted,
       extract(epoch FROM date_trunc('hour', now()) + interval '1 hour' - now())::float8 * 1000 AS next_hour_ms`,
    [member.teamId, perHour],
  );
  return { isCounted: row?.is_counted ?? false, nextHourMs: row?.next_hour_ms ?? 0 };
}
