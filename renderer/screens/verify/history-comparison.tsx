import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Comparison, FileHistory } from '../../../contract/verify-result.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTasks } from '../../bridge/tasks.tsx';
import { CallButton } from '../../features/call-button.tsx';
import { TaskProgress } from '../../features/tasks/task-progress.tsx';
import { Choice } from '../../parts/choice.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { Facts } from '../../parts/page.tsx';
import { HistoryCard } from './history-known-here.tsx';
import { comparisonTones } from './verdict-tones.ts';

/** Whether the file equals the service's copy. A difference is only a fact; the texts must not suggest more. */
export function ComparisonCard(props: { readonly history: FileHistory }) {
  const { t } = useTranslation();
  const { history } = props;
  const { copy } = history;
  const state = copy?.state ?? null;
  return (
    <HistoryCard
      whose={t('verify.story.copy')}
      {...(state ? comparisonTones[state] : { tone: 'silent', icon: 'dashed' })}
      answer={state ? t(`verify.story.state.${state}`) : t('verify.story.copyNever')}
    >
      <p>{state ? t(`verify.story.stateText.${state}`) : t('verify.story.copyNeverText')}</p>
      {copy ? <Compared copy={copy} /> : null}
      <Compare history={history} />
    </HistoryCard>
  );
}

function Compared(props: { readonly copy: Comparison }) {
  const { copy } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const isEnded = copy.state === 'same' || copy.state === 'different';
  return (
    <>
      <Facts
        facts={[
          [t('verify.answer'), copy.raw === null ? null : t('common.quote', { text: copy.raw })],
          [
            t('verify.story.firstDifference'),
            copy.state === 'different' && copy.firstDifferenceAt !== null
              ? format.number(copy.firstDifferenceAt + 1)
              : null,
          ],
          [
            t('verify.story.copySize'),
            isEnded && copy.copySizeBytes !== null ? format.bytes(copy.copySizeBytes) : null,
          ],
          [
            t('verify.story.copySha'),
            copy.copySha256 ? <CopyId key="sha" id={copy.copySha256} what={t('verify.story.copySha')} short /> : null,
          ],
          [t('verify.documentId'), <CopyId key="id" id={copy.documentId} what={t('verify.documentId')} short />],
          [t('verify.story.comparedAt'), format.fullMoment(copy.askedAt)],
        ]}
      />
      {copy.failure && copy.state !== 'stopped' ? <FailureView failure={copy.failure} calm /> : null}
    </>
  );
}

function Compare(props: { readonly history: FileHistory }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { runId, index, copy, comparableIds } = props.history;
  const task = useTasks('comparison').findLast(
    ({ state, progress }) => state === 'running' && progress.runId === runId && progress.index === index,
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const id = chosen ?? comparableIds[0] ?? typed.trim();
  if (task) {
    const words = t('verify.story.comparing', { done: format.bytes(task.progress.comparison.comparedBytes) });
    return <TaskProgress task={task} label={words} words={words} stop={t('verify.story.stopComparing')} />;
  }
  return (
    <>
      {comparableIds.length === 0 ? (
        <TextField
          label={t('verify.story.copyId')}
          help={t('verify.story.copyNoId')}
          value={typed}
          onChange={setTyped}
          mono
          maxLength={200}
        />
      ) : null}
      {comparableIds.length > 1 ? (
        <Choice
          label={t('verify.story.copyWhich')}
          value={id}
          onChange={setChosen}
          choices={comparableIds.map((key) => ({ key, text: key }))}
        />
      ) : null}
      <div>
        <CallButton isDisabled={id === ''} call="verify.compare" input={{ runId, index, documentId: id }}>
          {copy ? t('verify.story.compareAgain') : t('verify.story.compare')}
        </CallButton>
      </div>
    </>
  );
}
