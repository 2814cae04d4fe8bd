import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../bridge/failure-text.ts';
import { Fold } from '../../parts/fold.tsx';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import type { Rejected } from './take-files.ts';

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
