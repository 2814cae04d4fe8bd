import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../contract/documents.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { useLive } from '../bridge/live.tsx';
import { useTask } from '../bridge/use-task.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { useFormat } from '../parts/format.ts';
import panel from '../parts/panel.module.css';
import { Progress } from '../parts/progress.tsx';

/** Fetches the service's copy into a file the person chooses, with progress; the end stays on show. */
export function DownloadPart(props: {
  readonly connectionId: string;
  readonly documentId: string;
  readonly suggestedName: string;
  /** Where something else is the screen's one primary action. */
  readonly plain?: boolean;
}) {
  const { connectionId, documentId } = props;
  const { t } = useTranslation();
  const { downloads } = useLive();
  const start = useTask('documents.download');
  const [started, setStarted] = useState<string | null>(null);
  const latest = [...downloads.values()].filter((download) => download.documentId === documentId).at(-1);
  const download = (started ? downloads.get(started) : undefined) ?? latest;
  useTellEnd(download);

  async function fetchNow() {
    const answered = await start.run({
      connectionId,
      documentId,
      suggestedName: props.suggestedName.slice(0, 300),
    });
    if (answered.ok && answered.value) setStarted(answered.value.downloadId);
  }

  return (
    <>
      <div>
        <Button
          kind={props.plain ? 'plain' : 'primary'}
          isDisabled={download?.state === 'running'}
          isPending={start.busy}
          onPress={() => void fetchNow()}
        >
          {t('documents.download')}
        </Button>
      </div>
      {start.failure ? <FailureView failure={start.failure} /> : null}
      {download ? <DownloadStory download={download} /> : null}
    </>
  );
}

function DownloadStory(props: { readonly download: Download }) {
  const { download } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const cancel = useTask('documents.cancelDownload');
  const show = useTask('documents.showDownload');
  const { downloadId } = download;
  const received = format.bytes(download.receivedBytes);
  const trouble = cancel.failure ?? show.failure;
  return (
    <>
      {download.state === 'running' ? (
        <>
          <Progress
            label={t('documents.downloading', { name: download.fileName })}
            done={download.receivedBytes}
            total={download.totalBytes}
          />
          <div className={panel.row}>
            <span className={panel.hint}>
              {download.totalBytes === null
                ? received
                : t('common.ofTotal', { done: received, total: format.bytes(download.totalBytes) })}
            </span>
            <Button kind="quiet" onPress={() => void cancel.run({ downloadId })}>
              {t('documents.cancelDownload')}
            </Button>
          </div>
        </>
      ) : null}
      {download.state === 'done' ? (
        <div className={panel.row}>
          <Chip tone="confirmed">{t('documents.downloaded', { name: download.fileName })}</Chip>
          <Button kind="quiet" onPress={() => void show.run({ downloadId })}>
            {t('documents.showInFolder')}
          </Button>
        </div>
      ) : null}
      {download.state === 'cancelled' ? <p className={panel.hint}>{t('documents.downloadCancelled')}</p> : null}
      {download.state === 'failed' && download.failure ? (
        <FailureView
          failure={download.failure}
          subject={download.fileName}
          calm={download.failure.detail === 'no-document-in-reply'}
        />
      ) : null}
      {trouble ? <FailureView failure={trouble} /> : null}
    </>
  );
}

function useTellEnd(download: Download | undefined): void {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const done = download?.state === 'done' ? download.fileName : null;
  useEffect(() => {
    if (done) announce(t('documents.downloaded', { name: done }));
  }, [done, announce, t]);
}
