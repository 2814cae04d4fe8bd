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

/** The files that will be sent, and those that will not, with the reason. */
export function FileRows(props: { readonly intake: FileSelection }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { intake } = props;
  const files = useIntakeRows(intake, 'files');
  const skipped = useIntakeRows(intake, 'skipped');
  return (
    <>
      <section className={css.files} aria-label={t('register.files')}>
        <div className={css.filesHead}>
          <h2>{t('register.filesHeading')}</h2>
          <span>{t('common.files', { count: intake.fileCount })}</span>
        </div>
        <Sized count={files.total}>
          <VirtualList
            label={t('register.files')}
            items={files.rows}
            total={files.total}
            rowHeight={rowPx}
            keyOf={(file) => String(file.index)}
            onEnd={files.loadMore}
          >
            {(file) => (
              <div className={css.file}>
                <span className={css.fileName}>
                  <MiddleCut text={file.name} />
                </span>
                {file.folder ? <span className={css.folder}>{visibleName(file.folder)}</span> : null}
                <span className={css.size}>{format.bytes(file.sizeBytes)}</span>
              </div>
            )}
          </VirtualList>
        </Sized>
      </section>
      {skipped.total > 0 ? (
        <section className={css.files} aria-label={t('register.skipped')}>
          <div className={css.filesHead}>
            <h2>{t('register.skippedHeading')}</h2>
            <span>{t('register.skippedLead')}</span>
          </div>
          <Sized count={skipped.total}>
            <VirtualList
              label={t('register.skipped')}
              items={skipped.rows}
              total={skipped.total}
              rowHeight={rowPx}
              keyOf={(file) => `${file.folder}/${file.name}`}
              onEnd={skipped.loadMore}
            >
              {(file) => (
                <div className={css.file}>
                  <span className={css.fileName}>
                    <MiddleCut text={file.name} />
                  </span>
                  <span className={css.reason}>{skipText(t, file.reason, file.kind)}</span>
                </div>
              )}
            </VirtualList>
          </Sized>
        </section>
      ) : null}
    </>
  );
}

function Sized(props: { readonly count: number; readonly children: ReactNode }) {
  return (
    <div style={{ blockSize: `${(rowPx / 16) * Math.max(1, Math.min(rowsShown, props.count))}rem`, display: 'grid' }}>
      {props.children}
    </div>
  );
}
