import { File, Folder, PenLine, ShieldCheck, Stamp, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { FileSelection } from '../../../contract/files.ts';
import { failureText, skipText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useIntakes } from '../../bridge/queries.ts';
import { useSelection } from '../../features/selection.tsx';
import { useVerifyStart } from '../../features/verify-start.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { visibleName } from '../../parts/visible-name.ts';
import css from './start.module.css';
import { Tile } from './tile.tsx';

const rowPx = 34;
const rowsShown = 5;

/** The selected files with their counts and the available actions. */
export function Chooser() {
  const { t } = useTranslation();
  const work = useSelection();
  const { data, error, refetch } = useIntakes(work.tokens);
  const failure = error?.failure;
  const looking = work.tokens.length > 0 && !failure && !data;
  return (
    <section className={css.hand} aria-label={t('start.inHand')}>
      <div className={css.handHead}>
        <div>
          <h2 className={css.handTitle}>{t('start.inHand')}</h2>
          <p className={css.summary} role="status">
            {looking ? t('start.looking') : <Summary register={data?.register} verify={data?.verify} />}
          </p>
        </div>
        <Button kind="quiet" onPress={work.clear}>
          {t('start.clear')}
        </Button>
      </div>
      {work.tokens.length > 0 ? <Names /> : null}
      <Skips register={data?.register} verify={data?.verify} />
      {failure ? (
        <FailureView failure={failure}>
          <Button onPress={() => void refetch()}>{t('common.tryAgain')}</Button>
        </FailureView>
      ) : null}
      <Deeds register={data?.register} verify={data?.verify} />
      <div className={css.more}>
        <span>{t('start.add')}</span>
        <Button onPress={() => void work.choose('any')}>{t('start.chooseFiles')}</Button>
        <Button onPress={() => void work.choose('folder')}>{t('start.chooseFolder')}</Button>
        <Button kind="quiet" onPress={() => void work.addSamples()}>
          {t('start.samples')}
        </Button>
      </div>
    </section>
  );
}

interface Looked {
  readonly register: FileSelection | undefined;
  readonly verify: FileSelection | undefined;
}

/** "12 files, 1 folder, 2 skipped": all files found, the folders, and the files that cannot be registered. */
function Summary(props: Looked) {
  const { t } = useTranslation();
  const format = useFormat();
  const { register, verify } = props;
  const rejected = useSelection().rejected.length;
  const skipped = (register?.skippedCount ?? 0) + rejected;
  const parts = [
    t('common.files', { count: (register?.fileCount ?? 0) + (register?.skippedCount ?? 0) + rejected }),
    register?.folderCount ? t('common.folders', { count: register.folderCount }) : null,
    skipped > 0 ? t('common.skipped', { count: skipped }) : null,
    verify ? format.bytes(verify.totalBytes) : null,
  ];
  return <>{parts.filter((part) => part !== null).join(', ')}</>;
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
        className={css.names}
        keyOf={(token) => token.token}
      >
        {(token) => (
          <div className={css.nameRow}>
            {token.isFolder ? <Folder aria-hidden="true" /> : <File aria-hidden="true" />}
            <span>
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
  const forVerify = props.verify?.skipped ?? [];
  const forRegister = props.register?.skipped ?? [];
  const all = [
    {
      key: 'untaken',
      count: rejected.length,
      lines: rejected.map((one) => ({ name: one.name, why: failureText(t, one.failure).heading })),
    },
    {
      key: 'skippedForRegister',
      count: props.register?.skippedCount ?? 0,
      lines: forRegister.map((one) => ({ name: one.name, why: skipText(t, one.reason, one.kind) })),
    },
    {
      key: 'skippedForVerify',
      count: props.verify?.skippedCount ?? 0,
      lines: forVerify.map((one) => ({ name: one.name, why: skipText(t, one.reason, one.kind) })),
    },
  ] as const;
  const groups = all.filter((group) => group.lines.length > 0);
  return groups.map((group) => (
    <Fold key={group.key} label={t(`start.${group.key}`, { count: group.count })} open={groups.length === 1}>
      <ul className={css.skips}>
        {group.lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and the list never moves
          <li key={index}>
            <strong>{visibleName(line.name)}</strong>
            <span>{line.why}</span>
          </li>
        ))}
      </ul>
    </Fold>
  ));
}

function Deeds(props: Looked) {
  const { t } = useTranslation();
  const go = useGo();
  const work = useSelection();
  const connection = useCurrentConnection();
  const start = useVerifyStart((run) => {
    work.clear();
    go({ screen: 'verify', run });
  });
  const registrable = props.register?.fileCount ?? 0;
  const verifiable = props.verify?.fileCount ?? 0;
  // A request takes one document; folders can only be registered.
  const requestable = Math.min(registrable, work.tokens.filter((token) => !token.isFolder).length);

  return (
    <>
      <div className={css.tiles}>
        <Tile
          primary={registrable > 0}
          icon={<Stamp aria-hidden="true" />}
          title={t('start.registerCount', { count: registrable })}
          text={registrable > 0 ? t('start.registerText', { count: registrable }) : t('start.registerNone')}
          isDisabled={registrable === 0}
          onPress={() => go({ screen: 'register' })}
        />
        <Tile
          icon={<PenLine aria-hidden="true" />}
          title={t('start.requestCount', { count: requestable })}
          text={requestable > 0 ? t('start.requestText', { count: requestable }) : t('start.requestNone')}
          isDisabled={requestable === 0}
          onPress={() => go({ screen: 'compose', fresh: String(Date.now()) })}
        />
        <Tile
          icon={<ShieldCheck aria-hidden="true" />}
          title={t('start.verifyCount', { count: verifiable })}
          text={verifiable > 0 ? t('start.verifyText', { connection: connection.name }) : t('start.verifyNone')}
          isDisabled={verifiable === 0 || start.busy}
          onPress={() => (props.verify ? void start.start(props.verify.id, props.verify.fileCount) : undefined)}
        />
      </div>
      {start.failure ? <FailureView failure={start.failure} /> : null}
      {start.dialog}
    </>
  );
}
