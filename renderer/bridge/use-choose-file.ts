import type { FileToken } from '../../contract/files.ts';
import type { CallInput } from '../../contract/index.ts';
import { useCall } from './use-call.ts';

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
