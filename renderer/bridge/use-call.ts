import { useCallback, useState } from 'react';
import type { Failure } from '../../contract/failure.ts';
import type { FileToken } from '../../contract/files.ts';
import type { CallInput, CallName, CallOutput } from '../../contract/index.ts';
import { ask } from './client.ts';

/** The outcome of a call: if `ok` is false, the failure is also kept for display. */
export type CallEnd<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

/** A call that a person triggers: makes it once and knows whether it is running and how the last one failed. Never repeated automatically. */
export function useCall<N extends CallName>(name: N) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = useCallback(
    async (input: CallInput<N>): Promise<CallEnd<CallOutput<N>>> => {
      setBusy(true);
      setFailure(null);
      const envelope = await ask(name, input);
      setBusy(false);
      if (!envelope.ok) setFailure(envelope.failure);
      return envelope;
    },
    [name],
  );
  const clear = useCallback(() => setFailure(null), []);
  return { run, busy, failure, clear } as const;
}

/** Lets a person choose one file. `choose` resolves with null if none was chosen; `failure` is set if the dialog could not be opened. */
export function useChooseFile(kind: CallInput<'files.choose'>['kind']) {
  const { run, busy, failure } = useCall('files.choose');
  return {
    busy,
    failure,
    choose: async (): Promise<FileToken | null> => {
      const chosen = await run({ kind });
      return chosen.ok ? (chosen.value?.[0] ?? null) : null;
    },
  } as const;
}
