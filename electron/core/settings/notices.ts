import { randomUUID } from 'node:crypto';
import type { Notice } from '../../../contract/app.ts';

/** Failures that happened outside of any call, kept until the person dismisses them. */
export interface Notices {
  all(): readonly Notice[];
  add(kind: Notice['kind'], fileName: string | null): void;
  /** Adds at most one notice of this kind per run, for a failure that does not end by itself. */
  addOnce(kind: Notice['kind']): void;
  dismiss(id: string): void;
}

/** `onChange` is called after each change. */
export function createNotices(onChange: () => void): Notices {
  let notices: readonly Notice[] = [];
  const addedKinds = new Set<Notice['kind']>();
  const add = (kind: Notice['kind'], fileName: string | null) => {
    addedKinds.add(kind);
    notices = [...notices, { id: randomUUID(), kind, fileName }];
    onChange();
  };
  return {
    all: () => notices,
    add,
    addOnce: (kind) => {
      if (!addedKinds.has(kind)) add(kind, null);
    },
    dismiss: (id) => {
      if (!notices.some((notice) => notice.id === id)) return;
      notices = notices.filter((notice) => notice.id !== id);
      onChange();
    },
  };
}
