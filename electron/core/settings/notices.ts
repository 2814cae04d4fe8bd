import { randomUUID } from 'node:crypto';
import type { Notice } from '../../../contract/app.ts';

/** What went wrong outside of any call, kept until the person has seen it. */
export interface Notices {
  all(): readonly Notice[];
  add(kind: Notice['kind'], fileName: string | null): void;
  /** One per kind and run is enough for what does not change by itself. */
  addOnce(kind: Notice['kind']): void;
  dismiss(id: string): void;
}

/** `onChange` is told after each change. */
export function createNotices(onChange: () => void): Notices {
  let notices: readonly Notice[] = [];
  const told = new Set<Notice['kind']>();
  const add = (kind: Notice['kind'], fileName: string | null) => {
    told.add(kind);
    notices = [...notices, { id: randomUUID(), kind, fileName }];
    onChange();
  };
  return {
    all: () => notices,
    add,
    addOnce: (kind) => {
      if (!told.has(kind)) add(kind, null);
    },
    dismiss: (id) => {
      if (!notices.some((notice) => notice.id === id)) return;
      notices = notices.filter((notice) => notice.id !== id);
      onChange();
    },
  };
}
