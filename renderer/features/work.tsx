import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Failure } from '../../contract/failure.ts';
import type { FileToken } from '../../contract/files.ts';
import type { CallInput } from '../../contract/index.ts';
import { ask, takeFile } from '../bridge/client.ts';
import { useLive } from '../bridge/live.tsx';
import { type Dropped, filesOf } from './dropped.ts';
import { withMore } from './more-files.ts';

/** A file that could not be taken at all, with the reason. */
export interface Rejected {
  readonly name: string;
  readonly failure: Failure;
}

/** What a person typed for the files in hand; kept while they look at other screens. */
export interface RegisterDraft {
  readonly name: string;
  readonly description: string;
  readonly clientId: string;
  readonly creditType: number | null;
}

/** Files in hand that nothing has happened with yet, and the draft for them. */
export interface Selection {
  readonly tokens: readonly FileToken[];
  readonly untaken: readonly Rejected[];
  /** How many dropped files have been taken, while that goes on. */
  readonly taking: { readonly done: number; readonly total: number } | null;
  readonly pickFailure: Failure | null;
  readonly takeDropped: (dropped: Dropped) => Promise<void>;
  readonly choose: (kind: CallInput<'files.choose'>['kind']) => Promise<readonly FileToken[] | null>;
  readonly addSamples: () => Promise<void>;
  readonly drop: (token: string) => void;
  readonly clear: () => void;
  readonly draft: RegisterDraft;
  readonly setDraft: (draft: RegisterDraft) => void;
}

const SelectionContext = createContext<Selection | null>(null);
const takenAtOnce = 4;
const emptyDraft: RegisterDraft = { name: '{name}', description: '', clientId: '', creditType: null };

/** Keeps the work in hand across screens. `onArrival` is called when files have come from outside the window. */
export function SelectionProvider(props: { readonly children: ReactNode; readonly onArrival: () => void }) {
  const { info, arrived } = useLive();
  const walkFolders = info.host !== 'desktop';
  const [tokens, setTokens] = useState<readonly FileToken[]>([]);
  const [untaken, setUntaken] = useState<readonly Rejected[]>([]);
  const [taking, setTaking] = useState<Selection['taking']>(null);
  const [pickFailure, setPickFailure] = useState<Failure | null>(null);
  const [draft, setDraft] = useState(emptyDraft);
  const { onArrival } = props;

  const add = useCallback((more: readonly FileToken[]) => setTokens((have) => withMore(have, more)), []);

  const seen = useRef(0);
  useEffect(() => {
    const fresh = arrived.slice(seen.current);
    seen.current = arrived.length;
    if (fresh.length === 0) return;
    add(fresh);
    onArrival();
  }, [arrived, add, onArrival]);

  const takeDropped = useCallback(
    async (dropped: Dropped) => {
      const files = await filesOf(dropped, walkFolders).catch(() => dropped.files);
      setTaking({ done: 0, total: files.length });
      const { taken, failed } = await takeAll(files, (done) => setTaking({ done, total: files.length }));
      setTaking(null);
      add(taken);
      setUntaken((have) => [...have, ...failed]);
    },
    [add, walkFolders],
  );

  const work = useMemo<Selection>(
    () => ({
      tokens,
      untaken,
      taking,
      pickFailure,
      takeDropped,
      choose: async (kind) => {
        setPickFailure(null);
        const chosen = await ask('files.choose', { kind });
        if (!chosen.ok) setPickFailure(chosen.failure);
        else if (chosen.value) add(chosen.value);
        return chosen.ok ? chosen.value : null;
      },
      addSamples: async () => {
        setPickFailure(null);
        const samples = await ask('files.samples', {});
        if (samples.ok) add(samples.value);
        else setPickFailure(samples.failure);
      },
      drop: (token) => setTokens((have) => have.filter((one) => one.token !== token)),
      clear: () => {
        setTokens([]);
        setUntaken([]);
        setPickFailure(null);
        setDraft(emptyDraft);
      },
      draft,
      setDraft,
    }),
    [tokens, untaken, taking, pickFailure, takeDropped, draft, add],
  );
  return <SelectionContext value={work}>{props.children}</SelectionContext>;
}

async function takeAll(files: readonly File[], told: (done: number) => void) {
  const taken: FileToken[] = [];
  const failed: Rejected[] = [];
  let next = 0;
  let done = 0;
  const worker = async () => {
    for (let index = next++; index < files.length; index = next++) {
      const file = files[index];
      if (!file) continue;
      const envelope = await takeFile(file);
      if (envelope.ok) taken.push(envelope.value);
      else failed.push({ name: file.name, failure: envelope.failure });
      told(++done);
    }
  };
  await Promise.all(Array.from({ length: takenAtOnce }, worker));
  return { taken, failed };
}

/** The work in hand. Only below WorkProvider. */
export function useSelection(): Selection {
  const work = use(SelectionContext);
  if (!work) throw new Error('useWork outside WorkProvider');
  return work;
}
