import { useCallback } from 'react';
import type { Failure } from '../../../contract/failure.ts';
import type { FileToken } from '../../../contract/files.ts';
import { takeFile } from '../../bridge/client.ts';
import { useLive } from '../../bridge/live.tsx';
import { type Dropped, filesOf } from './dropped.ts';

/** A file that could not be taken, with the reason. */
export interface Rejected {
  readonly name: string;
  readonly failure: Failure;
}

interface Taken {
  readonly taken: readonly FileToken[];
  readonly rejected: readonly Rejected[];
}

const takenAtOnce = 4;

/** A function that turns dropped files and folders into tokens. Never rejects. */
export function useTakeFiles() {
  const walkFolders = useLive().info.host !== 'desktop';
  return useCallback(
    async (dropped: Dropped, onTaken?: (done: number, total: number) => void): Promise<Taken> => {
      const files = await filesOf(dropped, walkFolders).catch(() => dropped.files);
      onTaken?.(0, files.length);
      return takeAll(files, (done) => onTaken?.(done, files.length));
    },
    [walkFolders],
  );
}

/** Several at once, but in the order of the drop: names with a number count in it. */
async function takeAll(files: readonly File[], onTaken: (done: number) => void): Promise<Taken> {
  const envelopes: Awaited<ReturnType<typeof takeFile>>[] = [];
  let next = 0;
  let done = 0;
  const worker = async () => {
    for (let index = next++; index < files.length; index = next++) {
      const file = files[index];
      if (!file) continue;
      envelopes[index] = await takeFile(file);
      onTaken(++done);
    }
  };
  await Promise.all(Array.from({ length: takenAtOnce }, worker));
  return {
    taken: envelopes.flatMap((envelope) => (envelope.ok ? [envelope.value] : [])),
    rejected: envelopes.flatMap((envelope, index) =>
      envelope.ok ? [] : [{ name: files[index]?.name ?? '', failure: envelope.failure }],
    ),
  };
}

/** Adds files to a list. A file that is already in it keeps its position and gets the new token, so that it is read again. */
export function mergeFiles(have: readonly FileToken[], more: readonly FileToken[]): readonly FileToken[] {
  const all = [...have];
  const replaced = new Set<number>();
  for (const one of more) {
    // Only among the files listed before: two files of one drop are two.
    const at = have.findIndex(({ source }, index) => source === one.source && !replaced.has(index));
    if (at < 0) all.push(one);
    else {
      all[at] = one;
      replaced.add(at);
    }
  }
  return all;
}
