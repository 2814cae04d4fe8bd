import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { FileToken } from '../../../contract/files.ts';
import { takeFile } from '../../bridge/client.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { useLive } from '../../bridge/live.tsx';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { Fold } from '../../parts/problem.tsx';
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

/** Files that are left out, with the reasons, folded. */
export function LeftOutFiles(props: {
  readonly label: string;
  readonly files: readonly { readonly name: string; readonly why: string }[];
  readonly open: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <Fold label={props.label} open={props.open}>
      <ul className={looks.list}>
        {props.files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and the list never moves
          <li key={index}>
            <strong>
              <MiddleCut text={file.name} />
            </strong>
            <span>{file.why}</span>
          </li>
        ))}
      </ul>
      {props.children}
    </Fold>
  );
}

/** Dropped files that could not be taken. */
export function RejectedFiles(props: { readonly rejected: readonly Rejected[] }) {
  const { t } = useTranslation();
  const { rejected } = props;
  if (rejected.length === 0) return null;
  return (
    <div role="alert">
      <LeftOutFiles
        label={t('start.untaken', { count: rejected.length })}
        files={rejected.map(({ name, failure }) => ({ name, why: failureText(t, failure).heading }))}
        open
      />
    </div>
  );
}
