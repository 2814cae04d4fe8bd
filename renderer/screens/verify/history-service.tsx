import { useTranslation } from 'react-i18next';
import type { FileHistory } from '../../../contract/verify-result.ts';
import { codeText } from '../../bridge/code-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { isWrittenHere } from '../../features/meaning-text.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { Facts } from '../../parts/page.tsx';
import { HistoryCard } from './history-card.tsx';
import { canTryAgain, verdictHeading, verdictMeaning } from './result-texts.ts';
import { findingIcons, verdictTones } from './verdict-tones.ts';
import css from './verify.module.css';

/** The service's answer in its own words, and its possible meanings. */
export function ServiceCard(props: { readonly history: FileHistory; readonly onSort: (word: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { runId, index, service } = props.history;
  const again = useCall('verify.tryAgain');
  const whose = t('verify.story.service');
  if (!service) {
    return (
      <HistoryCard whose={whose} tone="silent" icon="dashed" answer={t('own.local.notAsked')}>
        {null}
      </HistoryCard>
    );
  }
  const { answer, finding, qualification, raw, failure } = service;
  const { group } = answer;
  const { reason } = qualification;
  const basis = { group, finding, qualification };
  return (
    <HistoryCard
      whose={whose}
      tone={verdictTones[group]}
      icon={finding ? findingIcons[finding] : undefined}
      answer={verdictHeading(t, basis)}
    >
      {raw === null ? null : <blockquote className={css.quote}>{t('common.quote', { text: raw })}</blockquote>}
      <p>{verdictMeaning(t, basis)}</p>
      <Facts
        facts={[
          [t('verify.remark'), finding ? null : qualification.remark],
          [t('verify.why'), reason === 'sorted-word' ? null : t(`verify.reason.${reason}`)],
          [t('verify.answerMeaning'), isWrittenHere(answer) ? answer.meaning : null],
          [t('verify.code'), answer.code ? codeText(t, answer.code, answer.meaning) : null],
          [t('verify.askedAt'), format.fullMoment(service.askedAt)],
        ]}
      />
      {failure ? <FailureView failure={failure} calm /> : null}
      {again.failure ? <FailureView failure={again.failure} /> : null}
      {reason === 'unsorted-word' && raw !== null ? (
        <div>
          <Button onPress={() => props.onSort(raw)}>{t('verify.sort')}</Button>
        </div>
      ) : null}
      {canTryAgain(answer) ? (
        <div>
          <Button isPending={again.busy} onPress={() => void again.run({ runId, index })}>
            {t('common.tryAgain')}
          </Button>
        </div>
      ) : null}
    </HistoryCard>
  );
}
