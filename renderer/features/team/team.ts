import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { TeamLink, TeamPlace } from '../../../contract/team.ts';
import { askValue, listen } from '../../bridge/client.ts';
import { readTold } from '../../bridge/read-told.ts';

const stateQuery = queryOptions({
  queryKey: ['team', 'state'],
  queryFn: () => readTold(() => askValue('team.state', {}), { 'team.changed': (_, state) => state }),
});
const none: readonly TeamLink[] = [];

/** The team registers that connections have joined; none until they are read. */
export function useTeamLinks(): readonly TeamLink[] {
  const query = useQuery({ ...stateQuery, staleTime: Number.POSITIVE_INFINITY });
  return query.data?.links ?? none;
}

/** The team register of one connection; null if it has joined none. */
export function useTeamLink(connectionId: string): TeamLink | null {
  return useTeamLinks().find((link) => link.connectionId === connectionId) ?? null;
}

/** How often the number of unreported outcomes is read while it is shown: it has no event. */
const readEveryMs = 5_000;

/** The same with the number of unreported outcomes as it is now, and with the register that the organisation sets. */
export function useCurrentTeam(connectionId: string): {
  readonly link: TeamLink | null;
  readonly place: TeamPlace | null;
} {
  const query = useQuery({ ...stateQuery, staleTime: 0, refetchInterval: readEveryMs });
  const ofThis = (one: { readonly connectionId: string }) => one.connectionId === connectionId;
  return { link: query.data?.links.find(ofThis) ?? null, place: query.data?.provided?.find(ofThis)?.place ?? null };
}

/** Follows the core's events about team registers; used once for the whole window. */
export function useTeamChanges(): void {
  const client = useQueryClient();
  useEffect(() => {
    const again = (...queryKey: readonly string[]) => void client.invalidateQueries({ queryKey });
    const stops = [
      listen('team.changed', (state) => {
        client.setQueryData(stateQuery.queryKey, state);
        // What was not readable before may be now, and what is shown may be another team's.
        again('team', 'shared');
      }),
      listen('team.requestsChanged', ({ connectionId }) => {
        again('team', 'shared', connectionId);
        again('tracked', connectionId);
      }),
      listen('team.sharedChanged', ({ connectionId }) => again('team', 'shared', connectionId, 'items')),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
}
