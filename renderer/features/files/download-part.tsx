import { Check, Download } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DownloadTask } from '../../../contract/documents.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTaskStore, useTasks } from '../../bridge/tasks.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import looks from '../../parts/looks.module.css';
import { CallButton } from '../call-button.tsx';
import { TaskProgress } from '../tasks/task-progress.tsx';

interface Downloaded {
  readonly connectionId: string;
  readonly documentId: string;
  readonly suggestedName: string;
}

/** The last download of a document, and how to begin one; `fetchNow` resolves with false if it could not begin. */
function useDownload({ connectionId, documentId, suggestedName }: Downloaded) {
  const { add } = useTaskStore();
  const start = useCall('documents.download');
  const unavailable = useForbidden('documents.download');
  const [started, setStarted] = useState<string | null>(null);
  const downloads = useTasks('download').filter(({ progress }) => progress.documentId === documentId);
  const download = downloads.find(({ taskId }) => taskId === started) ?? downloads.at(-1);

  async function fetchNow(): Promise<boolean> {
    const answered = await start.run({ connectionId, documentId, suggestedName: suggestedName.slice(0, 300) });
    if (answered.ok && answered.value) {
      add(answered.value);
      setStarted(answered.value.taskId);
    }
    return answered.ok;
  }

  return {
    download,
    /** The download that was begun here has failed. */
    hasFailed: download?.taskId === started && download?.state === 'failed',
    isBusy: start.busy || download?.state === 'running',
    failure: start.failure,
    unavailable,
    fetchNow,
  };
}

/** Downloads the service's copy into a file that the person chooses, with progress; the result stays visible. */
export function DownloadPart(
  props: Downloaded & {
    /** Set if the screen's one primary action is another one. */
    readonly plain?: boolean;
  },
) {
  const { t } = useTranslation();
  const { download, isBusy, failure, unavailable, fetchNow } = useDownload(props);
  return (
    <>
      <div>
        <Button
          kind={props.plain ? 'plain' : 'primary'}
          unavailable={unavailable}
          // Not disabled, which would take the focus away.
          isPending={isBusy}
          onPress={() => void fetchNow()}
        >
          {t('documents.download')}
        </Button>
      </div>
      {failure ? <FailureView failure={failure} /> : null}
      {download ? <DownloadHistory download={download} /> : null}
    </>
  );
}

/** The same in a row of a list, whose panel (`onFailure`) says why it failed. `isInGrid`: the grid is one Tab stop, and the panel is the way for keys. */
export function DownloadButton(props: Downloaded & { readonly isInGrid?: boolean; readonly onFailure: () => void }) {
  const { t } = useTranslation();
  const { download, hasFailed, isBusy, unavailable, fetchNow } = useDownload(props);
  const { onFailure } = props;
  const tell = useEffectEvent(onFailure);
  useEffect(() => {
    if (hasFailed) tell();
  }, [hasFailed]);
  return (
    <Button
      kind="quiet"
      icon={download?.state === 'done' ? <Check aria-hidden="true" /> : <Download aria-hidden="true" />}
      excludeFromTabOrder={props.isInGrid ?? false}
      unavailable={unavailable}
      isPending={isBusy}
      onPress={() => void fetchNow().then((isBegun) => (isBegun ? undefined : onFailure()))}
    >
      {t('documents.download')}
    </Button>
  );
}

function DownloadHistory(props: { readonly download: DownloadTask }) {
  const { download } = props;
  const { taskId, state, failure } = download;
  const { fileName: name } = download.progress;
  const { t } = useTranslation();
  return (
    <>
      {state === 'running' ? (
        <TaskProgress
          task={download}
          label={t('documents.downloading', { name })}
          stop={t('documents.cancelDownload')}
        />
      ) : null}
      {state === 'done' ? (
        <div className={looks.line}>
          <Chip tone="confirmed">{t('documents.downloaded', { name })}</Chip>
          <CallButton kind="quiet" call="documents.showDownload" input={{ taskId }}>
            {t('documents.showInFolder')}
          </CallButton>
        </div>
      ) : null}
      {state === 'stopped' ? <p className={looks.hint}>{t('documents.downloadCancelled')}</p> : null}
      {state === 'failed' && failure ? (
        <FailureView failure={failure} subject={name} calm={failure.detail === 'no-document-in-reply'} />
      ) : null}
    </>
  );
}
