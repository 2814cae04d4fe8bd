import { useCallback, useRef, useState } from 'react';
import type { DraftContent } from '../../../contract/compose.ts';
import type { Failure } from '../../../contract/failure.ts';
import { ask } from '../../bridge/client.ts';
import { type DraftState, withKind } from '../../features/forms/draft-state.ts';
import { useSaveAfterChanges } from '../../features/forms/kept-input.tsx';

/** The state of the form, saved as a draft whenever typing pauses and when the screen is left. */
export function useDraft(connectionId: string, start: DraftState, startId: string | null) {
  const [state, setState] = useState(start);
  const [draftId, setDraftId] = useState(startId);
  const [savedAt, setSavedAt] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const latest = useRef({ state, start, connectionId, draftId, dirty: false, isEnded: false });
  Object.assign(latest.current, { state, connectionId });
  // Saves run one after the other: two at the same time would create two drafts.
  const queue = useRef(Promise.resolve<string | null>(startId));

  /** `evenEmpty`: for what needs a draft; otherwise a form in which nothing was filled in is none. */
  const save = useCallback((evenEmpty = false) => {
    const form = latest.current;
    const step = async () => {
      if (!form.dirty || form.isEnded) return form.draftId;
      if (form.draftId === null && !evenEmpty && filledIn(form.state) === filledIn(form.start)) return null;
      form.dirty = false;
      const { content, secretWord } = form.state;
      const saveAs = (id: string | null) =>
        ask('forms.save', {
          place: 'draft',
          ...(id === null ? {} : { id }),
          connectionId: form.connectionId,
          content,
          ...(secretWord === null ? {} : { secretWord }),
        });
      let saved = await saveAs(form.draftId);
      // The draft was removed from the list while it was edited, so it is saved as a new one.
      if (!saved.ok && saved.failure.code === 'not-found' && form.draftId !== null) saved = await saveAs(null);
      if (!saved.ok) {
        form.dirty = true;
        setFailure(saved.failure);
        return null;
      }
      form.draftId = saved.value.id;
      setDraftId(saved.value.id);
      setSavedAt(saved.value.updatedAt);
      setFailure(null);
      return form.draftId;
    };
    queue.current = queue.current.then(step, step);
    return queue.current;
  }, []);

  useSaveAfterChanges(state, save);

  const change = useCallback((next: (state: DraftState) => DraftState) => {
    latest.current.dirty = true;
    setState((now) => withKind(next(now)));
  }, []);
  const set = useCallback(
    (part: Partial<DraftContent>) => change((now) => ({ ...now, content: { ...now.content, ...part } })),
    [change],
  );
  /** The request is in the ledger and is no longer kept as a draft. */
  const end = useCallback(() => {
    latest.current.isEnded = true;
  }, []);
  return { state, change, set, draftId, savedAt, failure, save, end } as const;
}

/** What a person filled in, whatever kind of request it is for. */
const filledIn = ({ content, secretWord }: DraftState) => JSON.stringify([{ ...content, kind: null }, secretWord]);

export type DraftForm = ReturnType<typeof useDraft>;

type TextName = {
  [N in keyof DraftContent]: DraftContent[N] extends string ? (string extends DraftContent[N] ? N : never) : never;
}[keyof DraftContent];

/** What the field of a text shows. */
export const fieldOf = ({ state, set }: DraftForm, name: TextName) => ({
  value: state.content[name],
  onChange: (text: string) => set({ [name]: text }),
});
