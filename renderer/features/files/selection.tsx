import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Failure } from '../../../contract/failure.ts';
import type { FileToken } from '../../../contract/files.ts';
import type { Correction } from '../../../contract/forms.ts';
import type { CallInput } from '../../../contract/index.ts';
import { ask } from '../../bridge/client.ts';
import { useLive } from '../../bridge/live.tsx';
import { type Dropped, mergeFiles } from './dropped.ts';
import { type Rejected, useTakeFiles } from './taken-files.tsx';

/** The input for the selected files; kept while other screens are open. */
export type RegisterDraft = Pick<
  Extract<Correction, { kind: 'register' }>,
  'name' | 'description' | 'clientId' | 'creditType'
>;

/** The selected files, with which nothing was started yet, and the draft for them. */
export interface Selection {
  readonly tokens: readonly FileToken[];
  readonly rejected: readonly Rejected[];
  /** Progress of taking dropped files; null when none are being taken. */
  readonly taking: { readonly done: number; readonly total: number } | null;
  readonly pickFailure: Failure | null;
  /** Nothing is selected or being taken: Start shows Home. */
  readonly isEmpty: boolean;
  readonly takeDropped: (dropped: Dropped) => Promise<void>;
  readonly choose: (kind: CallInput<'files.choose'>['kind']) => Promise<readonly FileToken[] | null>;
  readonly addSamples: () => Promise<void>;
  readonly drop: (token: string) => void;
  readonly clear: () => void;
  /** Clears it after its files were sent as this batch. */
  readonly sent: (batchId: string) => void;
  /** Brings back what was sent as this batch; false if it is not known here, or other files were selected since. */
  readonly reopen: (batchId: string) => boolean;
  readonly draft: RegisterDraft;
  readonly setDraft: (draft: RegisterDraft) => void;
}

const SelectionContext = createContext<Selection | null>(null);
const emptyDraft: RegisterDraft = { name: '{name}', description: '', clientId: '', creditType: null };

/** Keeps the selected files across screens. `onArrival` is called when files came from outside the window. */
export function SelectionProvider(props: { readonly children: ReactNode; readonly onArrival: () => void }) {
  const { arrived } = useLive();
  const take = useTakeFiles();
  const [tokens, setTokens] = useState<readonly FileToken[]>([]);
  const [rejected, setRejected] = useState<readonly Rejected[]>([]);
  const [taking, setTaking] = useState<Selection['taking']>(null);
  const [draft, setDraft] = useState(emptyDraft);
  const add = useCallback((more: readonly FileToken[]) => setTokens((have) => mergeFiles(have, more)), []);
  const picking = usePicking(add);
  const { forgetFailure } = picking;
  useArrivals(arrived, add, props.onArrival);

  const takeDropped = useCallback(
    async (dropped: Dropped) => {
      const { taken, rejected: more } = await take(dropped, (done, total) => setTaking({ done, total }));
      setTaking(null);
      add(taken);
      setRejected((have) => [...have, ...more]);
    },
    [add, take],
  );

  const clear = useCallback(() => {
    setTokens([]);
    setRejected([]);
    forgetFailure();
    setDraft(emptyDraft);
  }, [forgetFailure]);
  const last = useRef<(Pick<Selection, 'tokens' | 'draft'> & { readonly batchId: string }) | null>(null);

  const selection = useMemo<Selection>(
    () => ({
      tokens,
      rejected,
      taking,
      ...picking,
      isEmpty: tokens.length + rejected.length === 0 && taking === null,
      takeDropped,
      drop: (token) => setTokens((have) => have.filter((one) => one.token !== token)),
      clear,
      sent: (batchId) => {
        last.current = { batchId, tokens, draft };
        clear();
      },
      reopen: (batchId) => {
        if (last.current?.batchId !== batchId || tokens.length > 0) return false;
        setTokens(last.current.tokens);
        setDraft(last.current.draft);
        return true;
      },
      draft,
      setDraft,
    }),
    [tokens, rejected, taking, picking, takeDropped, draft, clear],
  );
  return <SelectionContext value={selection}>{props.children}</SelectionContext>;
}

/** Files of a dialog, and the samples. */
function usePicking(add: (more: readonly FileToken[]) => void) {
  const [pickFailure, setPickFailure] = useState<Failure | null>(null);
  const forgetFailure = useCallback(() => setPickFailure(null), []);
  const choose = useCallback(
    async (kind: CallInput<'files.choose'>['kind']) => {
      forgetFailure();
      const chosen = await ask('files.choose', { kind });
      if (!chosen.ok) setPickFailure(chosen.failure);
      else if (chosen.value) add(chosen.value);
      return chosen.ok ? chosen.value : null;
    },
    [add, forgetFailure],
  );
  const addSamples = useCallback(async () => {
    forgetFailure();
    const samples = await ask('files.samples', {});
    if (samples.ok) add(samples.value);
    else setPickFailure(samples.failure);
  }, [add, forgetFailure]);
  return useMemo(
    () => ({ pickFailure, forgetFailure, choose, addSamples }),
    [pickFailure, forgetFailure, choose, addSamples],
  );
}

/** Adds the files that came from outside the window since the last time. */
function useArrivals(
  arrived: readonly FileToken[],
  add: (more: readonly FileToken[]) => void,
  onArrival: () => void,
): void {
  const count = useRef(0);
  useEffect(() => {
    const fresh = arrived.slice(count.current);
    count.current = arrived.length;
    if (fresh.length === 0) return;
    add(fresh);
    onArrival();
  }, [arrived, add, onArrival]);
}

/** The selected files. Only below SelectionProvider. */
export function useSelection(): Selection {
  const selection = use(SelectionContext);
  if (!selection) throw new Error('useSelection outside SelectionProvider');
  return selection;
}
