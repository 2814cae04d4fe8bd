import type { Handlers } from '../../../../contract/index.ts';
import type { KeyValueTable } from '../../../store/settings/key-values.ts';
import type { Context } from '../../context.ts';
import { appError } from '../../foundation/app-error.ts';

/** Without a look at Home for this long, the next one begins another visit. */
const visitEndsMs = 30 * 60_000;
/** Days after which a request waits for long: two weeks. */
const longDays = 14;

/** What Home shows besides the queue, from one question of the store. */
export function homeCalls({ store, connections }: Context): Pick<Handlers, 'home.summary'> {
  return {
    'home.summary': async ({ connectionId, today, isHere, most }) => {
      if (!isDay(today))
        throw appError('bad-input', 'there is no such day', { fields: { today: 'is no day of the calendar' } });
      const { lists, separator } = await connections.get(connectionId);
      const since = visit(store.settings, connectionId, isHere);
      const longUntil = dayBefore(today, longDays + 1);
      const { waiting, signed } = await store.requests.glance(
        { connectionId, lists, separator },
        { longBefore: midnight(longUntil, 1), signedSince: since ?? new Date().toISOString(), limit: most },
      );
      return {
        isEmpty: store.jobs.isEmpty() && store.documents.isEmpty(),
        waiting: { ...waiting, longUntil },
        signed: { ...signed, since },
        sent: store.jobs.countSent({ connectionId, from: midnight(today, 0) }),
      };
    },
  };
}

/** `before`: when the person was last here before this visit, of the first one when it began; `last`: when last in it. */
interface Visit {
  readonly before: string | null;
  readonly last: string;
}

/** When the person was here before this visit, or the first one began: what came since then is news. Null if nobody was ever here. */
function visit(settings: KeyValueTable, connectionId: string, isHere: boolean): string | null {
  const key = `home.${connectionId}`;
  const text = settings.get(key);
  const known: Visit | null = text === null ? null : JSON.parse(text);
  const now = new Date();
  const isOver = known !== null && now.getTime() - Date.parse(known.last) > visitEndsMs;
  const first = isHere ? now.toISOString() : null;
  const before = known === null ? first : isOver ? known.last : known.before;
  if (isHere) settings.put(key, JSON.stringify({ before, last: now.toISOString() } satisfies Visit));
  return before;
}

function dayBefore(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() - days);
  return date.toISOString().slice(0, 10);
}

/** The beginning of a day in this computer's time zone, or of one some days later; empty if there is no such day. */
export function midnight(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const moment = new Date(year, month - 1, date + later);
  // The Date constructor maps years below 100 to 19xx; nobody searches for these.
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
}

export function isDay(day: string): boolean {
  const moment = new Date(`${day}T12:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day);
}
