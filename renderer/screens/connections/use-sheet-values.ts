import { useCallback, useRef, useState } from 'react';
import type { ConnectionDraft } from './connection-draft.ts';

/** The values of a sheet. `latest`: also those that are not drawn yet, for work that waits for an answer. */
export interface Sheet {
  readonly draft: ConnectionDraft;
  readonly latest: () => ConnectionDraft;
  /** Changes the values and returns them. */
  readonly change: (next: (before: ConnectionDraft) => ConnectionDraft) => ConnectionDraft;
}

/** Keeps the values of a sheet. */
export function useDraft(initial: () => ConnectionDraft): Sheet {
  const [draft, setDraft] = useState(initial);
  const current = useRef(draft);
  const latest = useCallback(() => current.current, []);
  const change = useCallback<Sheet['change']>((next) => {
    current.current = next(current.current);
    setDraft(current.current);
    return current.current;
  }, []);
  return { draft, latest, change };
}
