import { useCallback, useEffect, useRef, useState } from 'react';
import type { DraftContent } from '../../../contract/compose.ts';
import type { Failure } from '../../../contract/failure.ts';
import { ask } from '../../bridge/client.ts';
import type { Composing } from './composing.ts';

/** Short: what is not kept yet goes where the program is ended. */
const quietMs = 150;

/** What is being composed, kept as a draft whenever typing rests for a moment and when the screen is left. */
export function useDraft(connectionId: string, start: Composing, startId: string | null) {
  const [composing, setComposing] = useState(start);
  const [draftId, setDraftId] = useState(startId);
  const [savedAt, setSavedAt] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const latest = useRef({ composing, connectionId, draftId, dirty: false, over: false });
  latest.current.composing = composing;
  latest.current.connectionId = connectionId;
  // One after the other: two at once would make two drafts.
  const line = useRef(Promise.resolve<string | null>(startId));

  const save = useCallback(() => {
    const mine = latest.current;
    const step = async () => {
      if (!mine.dirty || mine.over) return mine.draftId;
      mine.dirty = false;
      const { content, secretWord } = mine.composing;
      const keep = (id: string | null) =>
        ask('drafts.save', {
          ...(id === null ? {} : { id }),
          connectionId: mine.connectionId,
          content,
          ...(secretWord === null ? {} : { secretWord }),
        });
      let saved = await keep(mine.draftId);
      // Removed from the list of drafts while it was written on: what stands here is kept all the same.
      if (!saved.ok && saved.failure.code === 'not-found' && mine.draftId !== null) saved = await keep(null);
      if (!saved.ok) {
        mine.dirty = true;
        setFailure(saved.failure);
        return mine.draftId;
      }
      mine.draftId = saved.value.id;
      setDraftId(saved.value.id);
      setSavedAt(saved.value.updatedAt);
      setFailure(null);
      return mine.draftId;
    };
    line.current = line.current.then(step, step);
    return line.current;
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change starts the wait anew
  useEffect(() => {
    if (!latest.current.dirty) return;
    const timer = setTimeout(() => void save(), quietMs);
    return () => clearTimeout(timer);
  }, [composing, save]);
  useEffect(() => {
    // The window may be about to close.
    const events = ['beforeunload', 'blur'] as const;
    const saveNow = () => void save();
    for (const event of events) window.addEventListener(event, saveNow);
    return () => {
      for (const event of events) window.removeEventListener(event, saveNow);
      void save();
    };
  }, [save]);

  const change = useCallback((next: (composing: Composing) => Composing) => {
    latest.current.dirty = true;
    setComposing(next);
  }, []);
  const set = useCallback(
    (part: Partial<DraftContent>) => change((now) => ({ ...now, content: { ...now.content, ...part } })),
    [change],
  );
  /** The request is in the ledger: nothing of it is kept as a draft any more. */
  const end = useCallback(() => {
    latest.current.over = true;
  }, []);
  return { composing, change, set, draftId, savedAt, failure, save, end } as const;
}

export type DraftInHand = ReturnType<typeof useDraft>;
