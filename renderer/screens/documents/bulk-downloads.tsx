import { useTranslation } from 'react-i18next';
import type { BulkDownload, Download } from '../../../contract/documents.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { useTransfers } from '../../features/transfers.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { Progress } from '../../parts/progress.tsx';
import css from './documents.module.css';

const ended = { tone: 'confirmed' } as const;
const cutShort = { tone: 'silent', icon: 'dashed' } as const;

/** Bulk downloads of this session: n of m and Stop; the end stays until it is dismissed. */
export function BulkDownloads() {
  const { bulks } = useTransfers();
  return [...bulks.values()].map((bulk) => <Bulk key={bulk.bulkId} bulk={bulk} />);
}

function Bulk(props: { readonly bulk: BulkDownload }) {
  const { bulk } = props;
  const { bulkId } = bulk;
  const { t } = useTranslation();
  const format = useFormat();
  const { dismiss } = useTransfers();
  const stop = useTask('documents.stopDownloadAll');
  const show = useTask('documents.showDownloadFolder');
  const isRunning = bulk.state === 'running';
  const [done, total] = [format.number(bulk.doneCount), format.number(bulk.total)];
  const folder = bulk.folderName;
  const words = {
    running: t('documents.bulkRunning', { done, total, folder }),
    stopped: t('documents.bulkStopped', { done, total, folder }),
    done: t('documents.bulkDone', { count: bulk.doneCount, folder }),
  };
  const trouble = stop.failure ?? show.failure;
  return (
    <section className={css.bulk} aria-label={t('documents.bulk')}>
      <div className={css.bulkLine}>
        {isRunning ? (
          <strong>{words.running}</strong>
        ) : (
          <Chip {...(bulk.state === 'done' && bulk.failedCount === 0 ? ended : cutShort)}>{words[bulk.state]}</Chip>
        )}
        {isRunning ? (
          <Button isPending={stop.busy} onPress={() => void stop.run({ bulkId })}>
            {t('documents.stop')}
          </Button>
        ) : (
          <>
            <Button kind="quiet" onPress={() => void show.run({ bulkId })}>
              {t('documents.showInFolder')}
            </Button>
            <Button kind="quiet" onPress={() => dismiss(bulkId)}>
              {t('documents.dismiss')}
            </Button>
          </>
        )}
      </div>
      {isRunning ? (
        <Progress label={words.running} done={bulk.doneCount + bulk.failedCount} total={bulk.total} />
      ) : null}
      {bulk.saved.length > 0 && !isRunning ? (
        <Fold
          label={
            bulk.saved.length < bulk.doneCount
              ? t('documents.bulkSavedLast', { count: bulk.saved.length })
              : t('documents.bulkSaved')
          }
        >
          <ul className={css.listed}>
            {bulk.saved.map(({ downloadId, fileName }) => (
              <li key={downloadId}>
                <MiddleCut text={fileName} />
              </li>
            ))}
          </ul>
        </Fold>
      ) : null}
      {bulk.failedCount > 0 ? (
        <Fold label={t('documents.bulkFailed', { count: bulk.failedCount })}>
          <ul className={css.listed}>
            {bulk.failed.map((one) => (
              <Failed key={one.downloadId} download={one} />
            ))}
          </ul>
        </Fold>
      ) : null}
      {trouble ? <FailureView failure={trouble} /> : null}
    </section>
  );
}

function Failed(props: { readonly download: Download }) {
  const { download } = props;
  const { t } = useTranslation();
  return (
    <li>
      <MiddleCut text={download.fileName} />
      {download.failure ? <span>{failureText(t, download.failure).heading}</span> : null}
    </li>
  );
}
