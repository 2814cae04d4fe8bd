import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerifyResult } from '../../../contract/verify-result.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { Button } from '../../parts/button.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import { onEscape } from '../../parts/on-escape.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { visibleName } from '../../parts/visible-name.ts';
import { PdfPreview } from './pdf-preview.tsx';
import { changeText, earlierText } from './result-texts.ts';
import { StoryCopy } from './story-copy.tsx';
import { StoryHere } from './story-here.tsx';
import { StoryService } from './story-service.tsx';
import css from './verify.module.css';
import { useFileHistory } from './verify-runs.ts';

/** The story of one file: three independent answers side by side, then the file itself. */
export function StoryView(props: {
  readonly runId: string;
  readonly result: VerifyResult;
  readonly sorting: ReactNode;
  readonly onSort: (word: string) => void;
  readonly onBack: () => void;
}) {
  const { runId, result } = props;
  const { t } = useTranslation();
  const story = useFileHistory(runId, result.index);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc goes back from wherever the focus is inside
    <div className={css.story} onKeyDown={onEscape(props.onBack)}>
      <Page
        title={visibleName(result.name)}
        lead={t('verify.story.lead')}
        actions={
          <Button autoFocus kind="quiet" icon={<ArrowLeft aria-hidden="true" />} onPress={props.onBack}>
            {t('verify.story.back')}
          </Button>
        }
      >
        {story.error ? (
          <FailureView failure={story.error.failure}>
            <Button onPress={() => void story.refetch()}>{t('common.tryAgain')}</Button>
          </FailureView>
        ) : null}
        {story.data ? (
          <div className={css.answers}>
            <StoryHere story={story.data} />
            <StoryService story={story.data} onSort={props.onSort} />
            <StoryCopy story={story.data} />
          </div>
        ) : null}
        <TheFile runId={runId} result={result} />
        {props.sorting}
      </Page>
    </div>
  );
}

function TheFile(props: { readonly runId: string; readonly result: VerifyResult }) {
  const { result } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const isDesktop = useLive().info.host === 'desktop';
  const [looking, setLooking] = useState(false);
  const showInFolder = useTask('preview.showInFolder');
  const file = { of: 'run', runId: props.runId, index: result.index } as const;
  const { earlier } = result;
  return (
    <Card title={t('verify.file')}>
      <Facts
        facts={[
          [t('verify.folder'), result.folder || null],
          [t('verify.size'), format.bytes(result.sizeBytes)],
          [
            t('verify.sha256'),
            result.sha256 ? <CopyId key="sha" id={result.sha256} what={t('verify.sha256')} /> : null,
          ],
          [
            t('verify.story.earlier'),
            earlier
              ? `${t('verify.story.earlierText', {
                  answer: earlierText(t, earlier),
                  when: earlier.askedAt ? format.moment(earlier.askedAt) : '–',
                })} ${earlier.sha256 === result.sha256 ? t('verify.story.earlierSame') : t('verify.story.earlierBytes')}`
              : changeText(t, result),
          ],
        ]}
      />
      {isDesktop ? (
        <div className={css.row}>
          <Button onPress={() => setLooking(!looking)} aria-expanded={looking}>
            {looking ? t('verify.preview.close') : t('verify.preview.look')}
          </Button>
          <Button kind="quiet" onPress={() => void showInFolder.run({ file })}>
            {t('verify.preview.showInFolder')}
          </Button>
        </div>
      ) : null}
      {showInFolder.failure ? <FailureView failure={showInFolder.failure} subject={result.name} /> : null}
      {looking ? <PdfPreview file={file} name={result.name} onClose={() => setLooking(false)} /> : null}
    </Card>
  );
}
