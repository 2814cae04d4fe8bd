import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileHistory, VerifyResult } from '../../../contract/verify-result.ts';
import { canTryAgain } from '../../../locales/answer-meaning.ts';
import { codeText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { CallButton } from '../../features/call-button.tsx';
import { isWrittenHere } from '../../features/jobs/meaning-text.ts';
import { Button } from '../../parts/button.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { SidePanel } from '../../parts/overlays/side-panel.tsx';
import { Card, Facts } from '../../parts/page.tsx';
import { Fold } from '../../parts/problem.tsx';
import { ComparisonCard } from './history-comparison.tsx';
import { HistoryCard, KnownHereCard, OriginCard } from './history-known-here.tsx';
import { OwnCard } from './own-card.tsx';
import { PdfPreview } from './pdf-preview.tsx';
import {
  changeText,
  contradictionText,
  earlierText,
  headingOf,
  isContradicted,
  verdictHeading,
  verdictMeaning,
} from './result-texts.ts';
import { verdictLook } from './verdict-tones.ts';
import css from './verify.module.css';
import { useFileHistory } from './verify-runs.ts';

/** The history of one file: the service's answer and local knowledge, then the file itself; a comparison if the person asks for it. */
export function FileHistoryView(props: {
  readonly runId: string;
  /** Null where no service is asked. */
  readonly connectionId: string | null;
  readonly result: VerifyResult;
  readonly onSort: (word: string) => void;
  readonly onClose: () => void;
}) {
  const { runId, result } = props;
  const isAskable = props.connectionId !== null;
  const { t } = useTranslation();
  const history = useFileHistory(runId, result.index);
  return (
    <SidePanel label={t('common.details')} title={visibleName(result.name)} onClose={props.onClose}>
      <Fragment key={result.index}>
        {history.error ? <FailureView failure={history.error.failure} onAgain={() => void history.refetch()} /> : null}
        {result.signatures && isContradicted(result) ? (
          <HistoryCard whose={t('own.disagree')} tone="remark" answer={contradictionText(t, result.signatures)}>
            {null}
          </HistoryCard>
        ) : null}
        {history.data ? (
          <>
            <ServiceCard history={history.data} result={result} onSort={props.onSort} />
            <OwnCard history={history.data} />
            <KnownHereCard history={history.data} />
          </>
        ) : null}
        {history.data?.origin ? (
          <OriginCard runId={runId} index={result.index} origin={history.data.origin} isAskable={isAskable} />
        ) : null}
        <FileCard runId={runId} result={result} />
        {history.data && isAskable ? (
          <Fold label={t('verify.story.copyAsk')} open={history.data.copy !== null}>
            <ComparisonCard history={history.data} />
          </Fold>
        ) : null}
      </Fragment>
    </SidePanel>
  );
}

function FileCard(props: { readonly runId: string; readonly result: VerifyResult }) {
  const { result } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const isDesktop = useLive().info.host === 'desktop';
  const [isPreviewOpen, setPreviewOpen] = useState(false);
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
                  when: earlier.askedAt ? format.momentInText(earlier.askedAt) : '–',
                })} ${earlier.sha256 === result.sha256 ? t('verify.story.earlierSame') : t('verify.story.earlierBytes')}`
              : changeText(t, result),
          ],
        ]}
      />
      {isDesktop ? (
        <div className={looks.line}>
          <Button onPress={() => setPreviewOpen(!isPreviewOpen)} aria-expanded={isPreviewOpen}>
            {isPreviewOpen ? t('verify.preview.close') : t('verify.preview.look')}
          </Button>
          <CallButton kind="quiet" call="preview.showInFolder" input={{ file }} failed={{ subject: result.name }}>
            {t('verify.preview.showInFolder')}
          </CallButton>
        </div>
      ) : null}
      {isPreviewOpen ? <PdfPreview file={file} name={result.name} onClose={() => setPreviewOpen(false)} /> : null}
    </Card>
  );
}

/** The service's answer in its own words, and its possible meanings. */
function ServiceCard(props: { history: FileHistory; result: VerifyResult; onSort: (word: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { runId, index, service } = props.history;
  const whose = t('verify.story.service');
  if (!service) {
    return (
      <HistoryCard whose={whose} tone="silent" icon="dashed" answer={headingOf(t, props.result)}>
        {props.result.failure ? <FailureView failure={props.result.failure} calm /> : null}
      </HistoryCard>
    );
  }
  const { answer, finding, qualification, raw, failure } = service;
  const { group } = answer;
  const { reason } = qualification;
  const basis = { group, finding, qualification };
  return (
    <HistoryCard whose={whose} {...verdictLook(group, finding)} answer={verdictHeading(t, basis)}>
      {raw === null ? null : <blockquote className={css.quote}>{t('common.quote', { text: raw })}</blockquote>}
      <p>{verdictMeaning(t, basis)}</p>
      <Facts
        facts={[
          [t('verify.remark'), finding ? null : qualification.remark],
          [t('verify.why'), reason === 'sorted-word' ? null : t(`verify.reason.${reason}`)],
          [t('verify.answerMeaning'), isWrittenHere(answer) ? answer.meaning : null],
          [t('verify.code'), answer.code ? codeText(t, answer.code, answer.meaning) : null],
          [t('verify.askedAt'), service.askedAt && format.fullMoment(service.askedAt)],
        ]}
      />
      {failure ? <FailureView failure={failure} calm /> : null}
      {reason === 'unsorted-word' && raw !== null ? (
        <div>
          <Button onPress={() => props.onSort(raw)}>{t('verify.sort')}</Button>
        </div>
      ) : null}
      {canTryAgain(answer) ? (
        <div>
          <CallButton call="verify.tryAgain" input={{ runId, index }}>
            {t('common.tryAgain')}
          </CallButton>
        </div>
      ) : null}
    </HistoryCard>
  );
}
