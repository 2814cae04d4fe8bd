import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Removed } from '../../contract/call.ts';
import type { CallInput, CallName, CallOutput } from '../../contract/index.ts';
import { ask } from '../bridge/client.ts';
import { type CallEnd, useCall } from '../bridge/use-call.ts';
import { useOfferUndo } from './undo.tsx';

/** Calls that remove something which can be put back. */
type RemoveCall = { [N in CallName]: CallOutput<N> extends Removed ? N : never }[CallName];

/** Longer than the time between two clicks of a double click. */
export const movedMs = 700;

/** Removes what is kept here, and offers to put it back as it was. `onChange`: it went, or has come back. */
export function useRemoval<N extends RemoveCall>(name: N, onChange?: (isBack: boolean) => void) {
  const { t } = useTranslation();
  const call = useCall(name);
  const offerUndo = useOfferUndo();
  const goneAt = useRef(Number.NEGATIVE_INFINITY);
  return {
    ...call,
    /** Not for a second click, under which is what stood below. `what`: how a person calls it; `text`: what they see of it. Resolves with false if it could not be removed. */
    run: async (
      input: CallInput<N>,
      what: string,
      text: string = t('common.removed', { name: what }),
    ): Promise<boolean> => {
      if (performance.now() - goneAt.current < movedMs) return false;
      const ended = await call.run(input);
      if (!ended.ok) return false;
      goneAt.current = performance.now();
      onChange?.(false);
      const { removal } = ended.value;
      offerUndo({
        text,
        gone: what,
        undo: async () => {
          const back = await ask('removals.putBack', { removal });
          onChange?.(back.ok);
          // What is back stands where it stood: a click is meant for it.
          goneAt.current = Number.NEGATIVE_INFINITY;
          return back.ok ? null : back.failure;
        },
      });
      return true;
    },
  } as const;
}

/** Offers to put back something that was saved over or renamed. `put`: saves it as it was before. */
export function useOfferBefore() {
  const { t } = useTranslation();
  const offerUndo = useOfferUndo();
  return (name: string, put: () => Promise<CallEnd<unknown>>) =>
    offerUndo({
      text: t('common.changed', { name }),
      changed: name,
      undo: async () => {
        const back = await put();
        return back.ok ? null : back.failure;
      },
    });
}
