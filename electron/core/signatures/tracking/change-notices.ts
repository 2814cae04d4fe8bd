import type { TFunction } from 'i18next';
import type { ConnectionSettings } from '../../../../contract/connections.ts';
import type { WantedEntry } from '../../../../contract/tracking.ts';
import { languageFor } from '../../../../locales/choose-language.ts';
import { loadTexts } from '../../../../locales/load-texts.ts';
import { documentKeyOf } from '../../../store/signatures/tracking/tracked.ts';
import type { TrackedRow } from '../../../store/signatures/tracking/tracked-row.ts';
import type { Context } from '../../context.ts';

type Lists = ConnectionSettings['lists'];

/** Shows notifications for changed entries and due reminders, if the person wants them. */
export interface ChangeNotices {
  /** Announces entries that an automatic reading found new or moved. Many changes at once are announced as one. `lists` are the connection's. */
  changed(rows: readonly TrackedRow[], lists: Lists): void;
  /** Shows each due reminder once. */
  remind(): void;
  /** Returns the entry of the last clicked notification, once; then null. */
  takeWanted(): WantedEntry | null;
  stop(): void;
}

interface Needs {
  readonly context: Context;
  readonly preferences: () => { readonly notifications: boolean; readonly language: string };
  readonly gatherMs: number;
}

/** More changes than this at once are one notification. */
const mostSingle = 3;
/** Signers that are named when several signed. */
const mostNamed = 3;
const remindersAtOnce = 10;

interface Change {
  readonly row: TrackedRow;
  /** Name of the list that the entry is in now. */
  readonly list: string;
  readonly hasSigned: boolean;
}

interface Notice {
  readonly title: string;
  /** Parts of the body; empty ones are left out. */
  readonly parts: readonly string[];
  readonly entry: WantedEntry;
}

/** Creates the announcements; changes within `gatherMs` milliseconds are announced together. */
export function createChangeNotices({ context, preferences, gatherMs }: Needs): ChangeNotices {
  const { ports, store, emit } = context;
  let gathered: Change[] = [];
  let timer: NodeJS.Timeout | undefined;
  let wanted: WantedEntry | null = null;
  let isStopped = false;

  const show = (title: string, parts: readonly string[], entry: WantedEntry) =>
    ports.notifications.show({ title, body: parts.filter((part) => part !== '').join(' · ') }, () => {
      wanted = entry;
      emit('tracking.entryWanted', entry);
    });
  const texts = () => loadTexts(languageFor(preferences().language, ports.systemLanguages()), 'notices');
  const inBackground = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) =>
      ports.log.warn('a notification was not shown', { error: error instanceof Error ? error.name : typeof error }),
    );
  const showChanges = inBackground(async () => {
    const t = await texts();
    const all = gathered;
    gathered = [];
    const [first] = all;
    if (!first || isStopped) return;
    for (const { title, parts, entry } of all.length > mostSingle ? [noticeOfAll(t, first, all)] : noticesOf(t, all))
      show(title, parts, entry);
  });
  const showReminders = inBackground(async () => {
    if (!preferences().notifications) return;
    const day = today();
    const due = store.tracked.dueUntil(day, remindersAtOnce);
    const t = await texts();
    for (const one of due) {
      const { connection_id: connectionId, document_key: request } = one;
      if (isStopped) return;
      // Where another program holds the database this throws: the reminder is shown at the next check.
      if (!store.tracked.reminded(connectionId, request, day, new Date().toISOString())) continue;
      const wantedRequest = { connectionId, entryId: null, listType: null, request };
      show(t('due'), [one.document_name || t('noName'), one.who ?? '', one.note], wantedRequest);
    }
  });

  return {
    changed: (rows, lists) => {
      if (rows.length === 0 || !preferences().notifications) return;
      gathered.push(...rows.map((row) => changeOf(row, lists)));
      clearTimeout(timer);
      timer = setTimeout(showChanges, gatherMs);
    },
    remind: showReminders,
    takeWanted: () => {
      const taken = wanted;
      wanted = null;
      return taken;
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Tells open windows who has signed, also if the person's own refresh found it. `found` are some of the `count` entries. */
export function publishSignatures(
  { emit }: Context,
  connectionId: string,
  found: readonly TrackedRow[],
  count: number,
): void {
  if (count === 0) return;
  const entries = found.slice(0, mostNamed).map((row) => ({ who: personOf(row), documentName: row.document_name }));
  emit('tracking.signed', { connectionId, count, entries });
}

/** One notice for each change. */
function noticesOf(t: TFunction<'notices'>, changes: readonly Change[]): Notice[] {
  return changes.map(({ row, list, hasSigned }) => {
    const [document, who] = [row.document_name || t('noName'), personOf(row)];
    const entry = { connectionId: row.connection_id, entryId: String(row.seq), listType: row.list_type, request: null };
    if (hasSigned && who !== '') return { title: t('signed', { who }), parts: [document], entry };
    return { title: t(`marks.${row.mark ?? 'new'}`, { list }), parts: [document, who], entry };
  });
}

/** One notice for many changes. */
function noticeOfAll(t: TFunction<'notices'>, { row }: Change, changes: readonly Change[]): Notice {
  const names = [...new Set(changes.map((change) => change.row.document_name ?? ''))].slice(0, mostSingle);
  const lists = new Set(changes.map((change) => change.row.list_type));
  const listType = lists.size === 1 ? row.list_type : null;
  // Each change is one person's; several may be of one request.
  const requests = new Set(changes.map((change) => documentKeyOf(change.row) || change.row.seq));
  return {
    title: changes.every(({ hasSigned }) => hasSigned)
      ? t('signatures', { count: changes.length })
      : t('changed', { count: requests.size }),
    parts: names,
    entry: { connectionId: row.connection_id, entryId: null, listType, request: null },
  };
}

function changeOf(row: TrackedRow, lists: Lists): Change {
  const list = lists.find(({ value }) => value === row.list_type);
  return { row, list: list?.name ?? String(row.list_type), hasSigned: list?.meaning === 'signed' };
}

function personOf(row: TrackedRow): string {
  return row.name || row.email || '';
}

/** Today's date in the time zone of this computer. */
function today(): string {
  const now = new Date();
  const two = (n: number) => String(n).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
