import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CallInput } from '../../../contract/index.ts';
import { notesAtOnce, type TeamRequest } from '../../../contract/team.ts';
import { askValue } from '../../bridge/client.ts';
import { useTeamLink } from './team.ts';

const eventsPerPage = 50;
/** How often what colleagues do is read again while it is shown: not every change has an event. */
const readEveryMs = 15_000;

/** What members of the team did, or what of it is searched for, newest first, page by page. */
export function useTeamEvents(connectionId: string, sought: Pick<CallInput<'team.events'>, 'search' | 'from' | 'to'>) {
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['team', 'shared', connectionId, 'events', sought],
      queryFn: ({ pageParam: before }) =>
        askValue('team.events', { connectionId, limit: eventsPerPage, ...sought, ...(before ? { before } : {}) }),
      placeholderData: (shown) => shown,
      initialPageParam: '',
      getNextPageParam: (last) => (last.length < eventsPerPage ? null : (last.at(-1)?.eventId ?? null)),
      refetchInterval: readEveryMs,
    }),
  );
}

/** Claims without an outcome and in doubt, of everybody; not read unless the connection has joined and they are shown. */
export function useOpenClaims(connectionId: string, isShown = true) {
  const isJoined = useTeamLink(connectionId) !== null;
  return useQuery({
    queryKey: ['team', 'shared', connectionId, 'claims'],
    queryFn: () => askValue('team.openClaims', { connectionId }),
    enabled: isShown && isJoined,
    refetchInterval: readEveryMs,
  });
}

/** Everybody who has joined the team of a connection. */
export function useTeamPeople(connectionId: string) {
  return useQuery({
    queryKey: ['team', 'shared', connectionId, 'people'],
    queryFn: () => askValue('team.people', { connectionId }),
    enabled: useTeamLink(connectionId) !== null,
  });
}

/** What the team keeps about one request, by its original document; empty parts if nothing. Not read unless the connection has joined. */
export function useTeamRequest(connectionId: string, documentId: string | null) {
  const isJoined = useTeamLink(connectionId) !== null;
  return useQuery({
    queryKey: ['team', 'shared', connectionId, 'request', documentId],
    queryFn: () => readTeamRequest(connectionId, documentId ?? ''),
    enabled: isJoined && documentId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Internal notes about a request, newest first, page by page. */
export function useTeamNotes(connectionId: string, documentId: string) {
  return useInfiniteQuery({
    queryKey: ['team', 'shared', connectionId, 'notes', documentId],
    queryFn: ({ pageParam: before }) =>
      askValue('team.notes', { connectionId, documentId, ...(before ? { before } : {}) }),
    initialPageParam: '',
    getNextPageParam: (last) => (last.length < notesAtOnce ? null : (last.at(-1)?.noteId ?? null)),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Maximum of IDs in one call (team.requests). */
const requestsAtOnce = 200;

/** By connection, what is asked for at this moment. */
const gathering = new Map<string, { readonly ids: string[]; readonly answer: Promise<readonly TeamRequest[]> }>();

/** What the team keeps about a request, read together with the others that are asked for at the same moment: a list of cards is one call. Rejects as `askValue`. */
export async function readTeamRequest(connectionId: string, documentId: string): Promise<TeamRequest> {
  const open = gathering.get(connectionId) ?? gather(connectionId);
  open.ids.push(documentId);
  if (open.ids.length >= requestsAtOnce) gathering.delete(connectionId);
  const found = (await open.answer).find((request) => request.documentId === documentId);
  return found ?? { documentId, assignee: '', dueOn: null };
}

function gather(connectionId: string) {
  const ids: string[] = [];
  const answer = new Promise((resolve) => setTimeout(resolve)).then(() => {
    if (gathering.get(connectionId)?.ids === ids) gathering.delete(connectionId);
    return askValue('team.requests', { connectionId, documentIds: ids });
  });
  const opened = { ids, answer };
  gathering.set(connectionId, opened);
  return opened;
}
