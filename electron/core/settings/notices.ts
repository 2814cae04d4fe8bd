import { randomUUID } from 'node:crypto';
import type { Notice } from '../../../contract/app.ts';
import type { Connection } from '../../../contract/connections.ts';
import type { ReplyRemark } from '../../soap/service/client.ts';

/** Failures that happened outside of any call, kept until the person dismisses them. */
export interface Notices {
  all(): readonly Notice[];
  add(kind: Notice['kind'], fileName: string | null): void;
  /** Adds at most one notice of this kind per run, for a failure that does not end by itself. */
  addOnce(kind: Notice['kind']): void;
  dismiss(id: string): void;
  /** Called with each notice that is dismissed. */
  readonly onDismiss: Set<(notice: Notice) => void>;
}

/** `onChange` is called after each change. */
export function createNotices(onChange: () => void): Notices {
  let notices: readonly Notice[] = [];
  const addedKinds = new Set<Notice['kind']>();
  const onDismiss: Notices['onDismiss'] = new Set();
  const add = (kind: Notice['kind'], fileName: string | null) => {
    addedKinds.add(kind);
    notices = [...notices, { id: randomUUID(), kind, fileName }];
    onChange();
  };
  return {
    all: () => notices,
    onDismiss,
    add,
    addOnce: (kind) => {
      if (!addedKinds.has(kind)) add(kind, null);
    },
    dismiss: (id) => {
      const dismissed = notices.find((notice) => notice.id === id);
      if (!dismissed) return;
      notices = notices.filter((notice) => notice !== dismissed);
      for (const listener of onDismiss) listener(dismissed);
      onChange();
    },
  };
}

/** Takes what was odd about replies: one notice for each operation of a connection and run, because a service answers alike each time. */
export function replyRemarks({ add }: Pick<Notices, 'add'>): (connection: Connection, remark: ReplyRemark) => void {
  const told = new Set<string>();
  return ({ id, name: connection }, { kind, operation, name }) => {
    const key = `${kind} ${operation} ${id}`;
    if (told.has(key)) return;
    told.add(key);
    add(kind, [connection, operation, ...(name === undefined ? [] : [name])].join(' – '));
  };
}
