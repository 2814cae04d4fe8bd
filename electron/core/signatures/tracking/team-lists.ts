import { z } from 'zod';
import type { TeamPerson } from '../../../../contract/team.ts';
import type { ListState } from '../../../store/signatures/tracking/list-entries.ts';
import type { Applied } from '../../../store/signatures/tracking/list-reading.ts';
import type { Context } from '../../context.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import { leaseList, readCopies, readEntries, type SharedCopy, type SharedReading } from '../../team/shared-lists.ts';
import { applyCopy, type TeamSink } from './refresh-list.ts';

/** The copy of the team that was last stored here for a list. `by`: null if this program read it. */
const storedCopy = z.object({
  copyId: z.string(),
  content: z.string(),
  asOf: z.string(),
  by: z.object({ person: z.string(), computer: z.string() }).nullable(),
});
type StoredCopy = z.output<typeof storedCopy>;

const keyOf = (connectionId: string, listType: number) => `team.${connectionId}.list.${listType}`;

function stored({ store }: Context, connectionId: string, listType: number): StoredCopy | null {
  try {
    return storedCopy.parse(JSON.parse(store.settings.get(keyOf(connectionId, listType)) ?? 'null'));
  } catch {
    return null;
  }
}

function remember({ store }: Context, connectionId: string, copy: SharedCopy): void {
  const value: StoredCopy = { copyId: copy.copyId, content: copy.content, asOf: copy.readAt, by: copy.by };
  store.settings.put(keyOf(connectionId, copy.listType), JSON.stringify(value));
}

/** The colleague who read the shown copy of a list; null if this program did. */
export function readerOf(context: Context, connectionId: string, listType: number): TeamPerson | null {
  const copy = stored(context, connectionId, listType);
  return copy?.asOf === context.store.tracked.listState(connectionId, listType)?.asOf ? (copy?.by ?? null) : null;
}

/** False for the copy that was stored here last. */
export function isNewCopy(context: Context, connectionId: string, copy: SharedCopy): boolean {
  return stored(context, connectionId, copy.listType)?.copyId !== copy.copyId;
}

/**
 * Takes the team's lease of a list before the service is asked: then this program reads it for everybody. Null if there is no team, or its register cannot be
 * asked: then it reads for itself.
 */
export async function leaseOf(
  context: Context,
  connectionId: string,
  listType: number,
): Promise<SharedReading | 'being-read' | 'fresh' | null> {
  const joined = await context.team.connected(connectionId);
  return joined && (await leaseList(joined, listType, context.pauses).catch(() => null));
}

/** Stores a copy of the team. Rejects if the register is away or the copy was replaced: the next look brings another one. */
export async function takeCopy(
  context: Context,
  connectionId: string,
  copy: SharedCopy,
): Promise<{ state: ListState; applied: Applied }> {
  const { store, team } = context;
  const { listType, total, nilEntries, readAt } = copy;
  const last = stored(context, connectionId, listType);
  const isSame = last?.content === copy.content && last.asOf === store.tracked.listState(connectionId, listType)?.asOf;
  if (isSame) {
    store.tracked.touch(connectionId, listType, readAt);
    remember(context, connectionId, copy);
    return { state: { total, nilEntries, asOf: readAt }, applied: { fresh: 0, moved: 0, gone: 0 } };
  }
  const joined = await team.connected(connectionId);
  if (!joined) throw appError('not-connected', 'the team register is away', { detail: 'team-away' });
  const taken = await applyCopy(context, connectionId, copy, readEntries(joined, copy));
  remember(context, connectionId, copy);
  return taken;
}

/** The team's copy of a list, if it is not the one that is stored here. */
export async function newestCopy(context: Context, connectionId: string, listType: number): Promise<SharedCopy | null> {
  const joined = await context.team.connected(connectionId);
  const copies = joined ? await readCopies(joined).catch(() => []) : [];
  const copy = copies.find((one) => one.listType === listType);
  return copy && isNewCopy(context, connectionId, copy) ? copy : null;
}

/** Passes a list on to the team while it is read. A register that fails meanwhile does not end the reading: then it is for this program alone. */
export function teamSink(
  context: Context,
  connectionId: string,
  reading: SharedReading,
): TeamSink & { stored(): void } {
  let copy: SharedCopy | null = null;
  let isLost = false;
  const tried = async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (isLost) return null;
    try {
      return await work();
    } catch (error) {
      isLost = true;
      context.ports.log.warn('a list is not in the team register', { connectionId, detail: failureOf(error)?.detail });
      return null;
    }
  };
  return {
    restart: reading.restart,
    add: async (entries) => void (await tried(() => reading.add(entries))),
    publish: async (counts) => {
      copy = await tried(() => reading.publish(counts));
      return copy?.readAt ?? null;
    },
    /** The list is stored here as well. */
    stored: () => {
      if (copy) remember(context, connectionId, copy);
    },
  };
}
