import type { WantedEntry } from '../../../../contract/tracking.ts';
import { documentKeyOf } from '../../../store/signatures/tracking/tracked.ts';
import type { TrackedRow } from '../../../store/signatures/tracking/tracked-row.ts';
import type { Context } from '../../context.ts';
import { isBusy } from '../../foundation/retry-while-busy.ts';
import { type NoticeText, noticeTexts } from './notice-texts.ts';

/** Tells the desktop what changed and what is due, as far as the person wants that. */
export interface Announcing {
  /** Entries that a reading by the program itself found new or moved. Several that come together are told as one. */
  changed(rows: readonly TrackedRow[], listName: (listType: number) => string): void;
  /** Reminders whose day has come, each once. */
  remind(): void;
  /** The entry of the last notification that was clicked, once. */
  takeWanted(): WantedEntry | null;
  stop(): void;
}

interface Needs {
  readonly context: Context;
  readonly preferences: () => { readonly notifications: boolean; readonly language: string };
  readonly gatherMs: number;
}

/** More than this at once is one notification. */
const mostSingle = 3;
const remindersAtOnce = 10;

export function createAnnouncing({ context, preferences, gatherMs }: Needs): Announcing {
  const { ports, store, emit } = context;
  let gathered: { readonly row: TrackedRow; readonly list: string }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let wanted: WantedEntry | null = null;

  const show = (text: NoticeText, entry: WantedEntry) =>
    ports.notifications.show(text, () => {
      wanted = entry;
      emit('tracking.entryWanted', entry);
    });
  const texts = () => noticeTexts(preferences().language);
  const tell = () => {
    const all = gathered;
    gathered = [];
    const [first] = all;
    if (!first) return;
    if (all.length > mostSingle) {
      const names = [...new Set(all.map(({ row }) => row.document_name ?? ''))].slice(0, mostSingle);
      const { connection_id: connectionId } = first.row;
      const lists = new Set(all.map(({ row }) => row.list_type));
      const listType = lists.size === 1 ? first.row.list_type : null;
      show(texts().many(all.length, names), { connectionId, entryId: null, listType });
      return;
    }
    for (const { row, list } of all)
      show(texts().one(row.mark ?? 'new', list, row.document_name ?? '', personOf(row)), wantedEntry(row));
  };

  return {
    changed: (rows, listName) => {
      if (rows.length === 0 || !preferences().notifications) return;
      gathered.push(...rows.map((row) => ({ row, list: listName(row.list_type) })));
      clearTimeout(timer);
      timer = setTimeout(tell, gatherMs);
    },
    remind: () => {
      if (!preferences().notifications) return;
      for (const { row, note } of store.tracked.dueUntil(today(), remindersAtOnce)) {
        if (!isReminded(() => store.tracked.reminded(row.connection_id, documentKeyOf(row), new Date().toISOString())))
          return;
        show(texts().due(row.document_name ?? '', personOf(row), note), wantedEntry(row));
      }
    },
    takeWanted: () => {
      const taken = wanted;
      wanted = null;
      return taken;
    },
    stop: () => clearTimeout(timer),
  };
}

/** False where another program has the database: said at the next look. */
function isReminded(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function wantedEntry(row: TrackedRow): WantedEntry {
  return { connectionId: row.connection_id, entryId: String(row.seq), listType: row.list_type };
}

function personOf(row: TrackedRow): string {
  return row.name || row.email || '';
}

/** In the time zone of this computer. */
function today(): string {
  const now = new Date();
  const two = (n: number) => String(n).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
