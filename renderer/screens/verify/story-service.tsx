import { useTranslation } from 'react-i18next';
import type { FileHistory } from '../../../contract/verify-result.ts';
import { codeText } from '../../bridge/code-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { meaningText } from '../../features/meaning-text.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { Facts } from '../../parts/page.tsx';
import { verdictHeading } from './result-texts.ts';
import { StoryCard } from './story-card.tsx';
import { verdictTones } from './verdict-tones.ts';
import css from './verify.module.css';

/** What the service says, in its own words, and what that can mean. */
export function StoryService(props: { readonly story: FileHistory; readonly onSort: (word: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { runId, index, service } = props.story;
  const again = useTask('verify.tryAgain');
  const whose = t('verify.story.service');
  const question = t('verify.story.serviceQuestion');
  if (!service) {
    return (
      <StoryCard
        whose={whose}
        question={question}
        tone="silent"
        icon="clock"
        answer={t('verify.story.serviceNotAsked')}
      >
        {null}
      </StoryCard>
    );
  }
  const { answer, qualification, raw, failure } = service;
  const { group } = answer;
  const said = { group, qualification, raw, isFileTrouble: qualification.reason === 'file' };
  return (
    <StoryCard whose={whose} question={question} tone={verdictTones[group]} answer={verdictHeading(t, said)}>
      {raw === null ? null : <blockquote className={css.quote}>{t('common.quote', { text: raw })}</blockquote>}
      <p>{t(`verify.meaning.${group}`)}</p>
      <Facts
        facts={[
          [t('verify.remark'), qualification.remark],
          [t('verify.why'), t(`verify.reason.${qualification.reason}`)],
          [t('verify.answerMeaning'), meaningText(t, answer) || null],
          [t('verify.code'), answer.code ? codeText(t, answer.code, answer.meaning) : null],
          [t('verify.askedAt'), format.fullMoment(service.askedAt)],
        ]}
      />
      {failure ? <FailureView failure={failure} calm /> : null}
      {again.failure ? <FailureView failure={again.failure} /> : null}
      {qualification.reason === 'unsorted-word' && raw !== null ? (
        <div>
          <Button onPress={() => props.onSort(raw)}>{t('verify.sort')}</Button>
        </div>
      ) : null}
      {group === 'no-answer' ? (
        <div>
          <Button isPending={again.busy} onPress={() => void again.run({ runId, index })}>
            {t('common.tryAgain')}
          </Button>
        </div>
      ) : null}
    </StoryCard>
  );
}
