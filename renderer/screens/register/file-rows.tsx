import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileSelection } from '../../../contract/files.ts';
import { skipText } from '../../bridge/failure-text.ts';
import { useIntakeRows } from '../../bridge/queries.ts';
import { useFormat } from '../../parts/format.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { visibleName } from '../../parts/visible-name.ts';
import css from './register.module.css';

const rowPx = 36;
const rowsShown = 8;

/** The files that will be sent, and those that will not, with their reasons. */
export function FileRows(props: { readonly intake: FileSelection }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { intake } = props;
  const files = useIntakeRows(intake, 'files');
  const skipped = useIntakeRows(intake, 'skipped');
  return (
    <>
      <FileSection
        label={t('register.files')}
        heading={t('register.filesHeading')}
        note={t('common.files', { count: intake.fileCount })}
        files={files}
        keyOf={(file) => String(file.index)}
      >
        {(file) => (
          <>
            {file.folder ? <span className={css.folder}>{visibleName(file.folder)}</span> : null}
            <span className={css.size}>{format.bytes(file.sizeBytes)}</span>
          </>
        )}
      </FileSection>
      {skipped.total > 0 ? (
        <FileSection
          label={t('register.skipped')}
          heading={t('register.skippedHeading')}
          note={t('register.skippedLead')}
          files={skipped}
          keyOf={(file) => `${file.folder}/${file.name}`}
        >
          {(file) => <span className={css.reason}>{skipText(t, file.reason, file.kind)}</span>}
        </FileSection>
      ) : null}
    </>
  );
}

/** A heading and a list of files; `children` is shown beside each name. */
function FileSection<T extends { readonly name: string }>(props: {
  readonly label: string;
  readonly heading: string;
  readonly note: string;
  readonly files: { readonly rows: readonly T[]; readonly total: number; readonly loadMore: () => void };
  readonly keyOf: (file: T) => string;
  readonly children: (file: T) => ReactNode;
}) {
  const { rows, total, loadMore } = props.files;
  return (
    <section className={css.files} aria-label={props.label}>
      <div className={css.filesHead}>
        <h2>{props.heading}</h2>
        <span>{props.note}</span>
      </div>
      <Sized count={total}>
        <VirtualList
          label={props.label}
          items={rows}
          total={total}
          rowHeight={rowPx}
          keyOf={props.keyOf}
          onEnd={loadMore}
        >
          {(file) => (
            <div className={css.file}>
              <span className={css.fileName}>
                <MiddleCut text={file.name} />
              </span>
              {props.children(file)}
            </div>
          )}
        </VirtualList>
      </Sized>
    </section>
  );
}

function Sized(props: { readonly count: number; readonly children: ReactNode }) {
  return (
    <div style={{ blockSize: `${(rowPx / 16) * Math.max(1, Math.min(rowsShown, props.count))}rem`, display: 'grid' }}>
      {props.children}
    </div>
  );
}
