import { File, Folder, PenLine, ShieldCheck, Stamp, X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileSelection, FileToken, SkippedFile } from '../../../contract/files.ts';
import { failureText, skipText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useIntakes } from '../../bridge/queries.ts';
import { useSelection } from '../../features/files/selection.tsx';
import { LeftOutFiles } from '../../features/files/taken-files.tsx';
import { useVerifyStart } from '../../features/files/verify-start.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { useKeptFocus } from '../../parts/hooks/focus-and-scroll.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import css from './start.module.css';
import { Tile } from './tile.tsx';

const rowPx = 34;
const rowsShown = 5;

/** The selected files with their counts and the available actions. */
export function Chooser(props: {
  /** The files that were selected when the screen was opened: a new screen keeps the focus at its start. */
  readonly had: readonly FileToken[];
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  const work = useSelection();
  const isNew = work.tokens !== props.had;
  const { data, error, refetch } = useIntakes(work.tokens);
  const failure = error?.failure;
  const looking = work.tokens.length > 0 && !failure && !data;
  return (
    <Page
      title={t('start.inHand')}
      lead={<span role="status">{looking ? t('start.looking') : <Summary verify={data?.verify} />}</span>}
      actions={
        <Button kind="quiet" onPress={work.clear}>
          {t('start.clear')}
        </Button>
      }
    >
      {props.children}
      {work.tokens.length > 0 ? <Names /> : null}
      <Skips register={data?.register} verify={data?.verify} />
      {failure ? <FailureView failure={failure} onAgain={() => void refetch()} /> : null}
      <Deeds register={data?.register} verify={data?.verify} requestable={data?.requestable ?? []} isNew={isNew} />
      <div className={`${looks.line} ${looks.hint}`}>
        <Button onPress={() => void work.choose('any')}>{t('start.addFiles')}</Button>
        <Button onPress={() => void work.choose('folder')}>{t('start.folder')}</Button>
      </div>
    </Page>
  );
}

interface Looked {
  readonly register: FileSelection | undefined;
  readonly verify: FileSelection | undefined;
}

/** "12 files, 1 folder, 2.9 MB": all files found; what cannot be done with which of them is told below. */
function Summary(props: Pick<Looked, 'verify'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const { verify } = props;
  const parts = [
    t('common.files', { count: (verify?.fileCount ?? 0) + (verify?.skippedCount ?? 0) }),
    verify?.folderCount ? t('common.folders', { count: verify.folderCount }) : null,
    verify ? format.bytes(verify.totalBytes) : null,
  ];
  return <>{format.amounts(parts.filter((part) => part !== null))}</>;
}

function Names() {
  const { t } = useTranslation();
  const { tokens, drop } = useSelection();
  return (
    <div style={{ blockSize: `calc(${(rowPx / 16) * Math.min(rowsShown, tokens.length)}rem + 2px)`, display: 'grid' }}>
      <VirtualList
        label={t('start.inHand')}
        items={tokens}
        total={tokens.length}
        rowHeight={rowPx}
        className={looks.card}
        keyOf={(token) => token.token}
      >
        {(token) => (
          <div className={css.nameRow}>
            {token.isFolder ? <Folder aria-hidden="true" /> : <File aria-hidden="true" />}
            <span className={looks.grow}>
              <MiddleCut text={token.name} />
            </span>
            <IconButton
              label={`${t('common.remove')}: ${token.name}`}
              icon={<X aria-hidden="true" />}
              onPress={() => drop(token.token)}
            />
          </div>
        )}
      </VirtualList>
    </div>
  );
}

/** The reasons for skipped files, folded; for very many files the list is a sample. */
function Skips(props: Looked) {
  const { t } = useTranslation();
  const { rejected } = useSelection();
  const lines = (skipped: readonly SkippedFile[] = []) =>
    skipped.map(({ name, reason, kind }) => ({ name, why: skipText(t, reason, kind) }));
  const all = [
    {
      key: 'untaken',
      count: rejected.length,
      lines: rejected.map((one) => ({ name: one.name, why: failureText(t, one.failure).heading })),
    },
    {
      key: 'skippedForRegister',
      count: props.register?.skippedCount ?? 0,
      lines: lines(props.register?.skipped),
    },
    { key: 'skippedForVerify', count: props.verify?.skippedCount ?? 0, lines: lines(props.verify?.skipped) },
  ] as const;
  const groups = all.filter((group) => group.lines.length > 0);
  return groups.map((group) => (
    <LeftOutFiles
      key={group.key}
      label={t(`start.${group.key}`, { count: group.count })}
      files={group.lines}
      open={groups.length === 1}
    />
  ));
}

function Deeds(props: Looked & { readonly requestable: readonly string[]; readonly isNew: boolean }) {
  const { t } = useTranslation();
  const go = useGo();
  const work = useSelection();
  const start = useVerifyStart((run) => {
    work.clear();
    go({ screen: 'verify', run });
  });
  const registrable = props.register?.fileCount ?? 0;
  const verifiable = props.verify?.fileCount ?? 0;
  const requestable = props.requestable.length;
  // Of several the person chooses in the form.
  const [only = ''] = requestable === 1 ? props.requestable : [];
  const tiles = useRef<HTMLDivElement>(null);
  const isLooked = props.register !== undefined && props.verify !== undefined;
  // The button that chose the files goes away with them: keys go on at what can be done.
  useKeptFocus(tiles, work.tokens, isLooked && props.isNew);

  return (
    <>
      <div ref={tiles} className={looks.columns}>
        <Tile
          primary={registrable > 0}
          icon={<Stamp aria-hidden="true" />}
          title={registrable > 0 ? t('start.registerCount', { count: registrable }) : t('start.registerTile')}
          text={registrable > 0 ? t('start.registerText', { count: registrable }) : t('start.registerNone')}
          isDisabled={registrable === 0}
          onPress={() => go({ screen: 'register' })}
        />
        <Tile
          icon={<PenLine aria-hidden="true" />}
          title={requestable > 0 ? t('start.requestCount', { count: requestable }) : t('start.requestTile')}
          text={
            requestable > 0
              ? t('start.requestText', { count: requestable })
              : t(registrable > 0 ? 'start.requestFolder' : 'start.requestNone')
          }
          isDisabled={requestable === 0}
          onPress={() => go({ screen: 'compose', fresh: String(Date.now()), file: only })}
        />
        <Tile
          icon={<ShieldCheck aria-hidden="true" />}
          title={verifiable > 0 ? t('start.verifyCount', { count: verifiable }) : t('start.verifyTile')}
          text={verifiable > 0 ? t('start.verifyText') : t('start.verifyNone')}
          isDisabled={verifiable === 0 || start.busy}
          onPress={() => (props.verify ? void start.start(props.verify.id, props.verify.fileCount) : undefined)}
        />
      </div>
      {start.failure ? <FailureView failure={start.failure} /> : null}
      {start.dialog}
    </>
  );
}
