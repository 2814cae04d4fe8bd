import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileSelection, SelectedFile } from '../../../contract/files.ts';
import { fillPattern } from '../../../contract/text.ts';
import { skipText } from '../../bridge/failure-text.ts';
import { useIntakeRows } from '../../bridge/queries.ts';
import { IconButton } from '../../parts/button.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import css from './register.module.css';
import { fileNamePattern } from './register-fields.tsx';

const rowPx = 36;
const rowsShown = 8;

/** The files that will be sent, by the names that their documents get, and those that will not, with their reasons. */
export function FileRows(props: {
  readonly intake: FileSelection;
  /** The pattern of the documents' names; null: the files' own names are shown. */
  readonly pattern: string | null;
  readonly removed: ReadonlySet<number>;
  /** Size of the files that will be sent. */
  readonly totalBytes: number;
  readonly onRemove: ((file: SelectedFile) => void) | null;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { intake, removed, onRemove } = props;
  const loaded = useIntakeRows(intake, 'files');
  const files = {
    ...loaded,
    rows: loaded.rows.filter(({ index }) => !removed.has(index)),
    total: loaded.total - removed.size,
  };
  const skipped = useIntakeRows(intake, 'skipped');
  return (
    <>
      <FileSection
        label={t('register.files')}
        heading={t('common.files', { count: files.total })}
        note={format.bytes(props.totalBytes)}
        files={files}
        tipOf={(file) => format.bytes(file.sizeBytes)}
        keyOf={(file) => String(file.index)}
      >
        {(file) => (
          <>
            <SentAs file={file} pattern={props.pattern} />
            <Folder folder={file.folder} />
            {onRemove ? (
              <IconButton
                label={`${t('common.remove')}: ${visibleName(file.name)}`}
                icon={<X aria-hidden="true" />}
                onPress={() => {
                  focusNextRemove();
                  onRemove(file);
                }}
              />
            ) : null}
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

function Folder({ folder }: { readonly folder: string }) {
  if (folder === '') return null;
  return (
    <span className={css.folder}>
      <MiddleCut text={folder} />
    </span>
  );
}

/** The name of the document, where it is not that of the file. */
function SentAs(props: { readonly file: SelectedFile; readonly pattern: string | null }) {
  const { t } = useTranslation();
  const { file, pattern } = props;
  if (pattern === null || pattern === fileNamePattern) return null;
  const name = visibleName(fillPattern(pattern, file, file.index + 1) || file.name);
  return (
    <span className={css.sentAs}>
      <MiddleCut
        isSentence
        text={t('common.quote', { text: name })}
        name={name}
        title={t('register.sentAs', { name })}
      />
    </span>
  );
}

/** Before a row goes, the focus moves to the same button of the next one, or of the one before it. */
function focusNextRemove(): void {
  const buttons = [...(document.activeElement?.closest('section')?.querySelectorAll('button') ?? [])];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  (buttons[at + 1] ?? buttons[at - 1])?.focus();
}

/** A heading and a list of files; `children` is shown beside each name. */
function FileSection<T extends { readonly name: string }>(props: {
  readonly label: string;
  readonly heading: string;
  readonly note: string;
  readonly files: { readonly rows: readonly T[]; readonly total: number; readonly loadMore: () => void };
  readonly keyOf: (file: T) => string;
  readonly tipOf?: (file: T) => string;
  readonly children: (file: T) => ReactNode;
}) {
  const { rows, total, loadMore } = props.files;
  return (
    <section className={css.files} aria-label={props.label}>
      <div className={css.filesHead}>
        <h2>{props.heading}</h2>
        <span className={looks.hint}>{props.note}</span>
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
            <div className={css.file} title={props.tipOf?.(file)}>
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
