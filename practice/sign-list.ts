import type { Answer, Arguments, Service } from './operation-call.ts';
import type { Account, SignEntry } from './records.ts';

const dayMs = 24 * 60 * 60 * 1000;
const outDays = 45;
const signedEntries = 100;

/** A date as .NET writes it: seven fraction digits and the zone. */
export function dateTimeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}0000+00:00`;
}

/**
 * Lists entries. ListType 1: out for signature, of the last 45 days. 2: the last 100 signed. Any other: an empty list.
 * Newest first; MaxItems of 0 or less is no limit.
 */
export function getESignList({ store, settings }: Service, account: Account, args: Arguments): Answer {
  const [listType, maxItems] = [args.int('ListType'), args.int('MaxItems')];
  const since = Date.now() - outDays * dayMs;
  const own = store.entries().filter((entry) => entry.ownerId === account.id);
  let entries: SignEntry[] = [];
  if (listType === 1) entries = own.filter((entry) => entry.signedMs === null && entry.createdMs >= since).reverse();
  if (listType === 2)
    entries = own
      .filter((entry) => entry.signedMs !== null)
      .sort((a, b) => (b.signedMs ?? 0) - (a.signedMs ?? 0))
      .slice(0, signedEntries);
  const listed = maxItems > 0 ? entries.slice(0, maxItems) : entries;
  return { kind: 'list', entries: withNilEntries(listed, settings.nilEntryEvery) };
}

/** The interface allows them; they come on top of MaxItems. */
function withNilEntries(entries: readonly SignEntry[], every: number): readonly (SignEntry | null)[] {
  if (every === 0) return entries;
  return entries.flatMap((entry, at) => ((at + 1) % every === 0 ? [entry, null] : [entry]));
}
