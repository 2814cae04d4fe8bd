import { useTranslation } from 'react-i18next';
import type { Job, JobStep } from '../../../contract/jobs.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useFormat } from '../../parts/format.ts';
import css from './jobs.module.css';
import { useJobHistory } from './jobs-queries.ts';

/** The history of a job, which is rendered and read only when it is unfolded. */
export function JobSteps(props: { readonly job: Job }) {
  const { t } = useTranslation();
  const history = useJobHistory(props.job);
  if (history.error) return <FailureView failure={history.error.failure} />;
  if (!history.data) return <p role="status">{t('jobs.loading')}</p>;
  return (
    <ol className={css.steps}>
      {history.data.map((step) => (
        <Step key={`${step.at} ${step.kind}`} step={step} />
      ))}
    </ol>
  );
}

function Step(props: { readonly step: JobStep }) {
  const { step } = props;
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li className={css.step}>
      <time dateTime={step.at} title={format.fullMoment(step.at)}>
        {format.seconds(step.at)}
      </time>
      <span>
        {t(`jobs.step.${step.kind}`)}
        {step.failure ? ` · ${failureText(t, step.failure).heading}` : ''}
      </span>
    </li>
  );
}
