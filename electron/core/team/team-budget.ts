import type { Joined } from './others-claims.ts';

/** The calls to the service that programs of a team make by themselves, together. */
export type TeamBudget = ReturnType<typeof createTeamBudget>;

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
      const [{ isCounted, nextHourMs } = { isCounted: false, nextHourMs: 0 }] = await database.query<{
        isCounted: boolean;
        nextHourMs: number;
      }>(countCall, [member.teamId, perHour]);
      limit = perHour;
      // By this computer's clock, as it is shown: the hours are the database's.
      become(isCounted ? null : new Date(Date.now() + nextHourMs).toISOString());
      return isCounted;
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
