import type { TFunction } from 'i18next';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DoctorReport, DoctorStep } from '../../../contract/connections.ts';
import { listen } from '../../bridge/client.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Chip, type ChipIcon, type Tone } from '../../parts/chip.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Fold } from '../../parts/problem.tsx';
import { Progress } from '../../parts/progress.tsx';
import css from './connections.module.css';

const resultTones: Record<DoctorStep['result'], { readonly tone: Tone; readonly icon?: ChipIcon }> = {
  passed: { tone: 'confirmed' },
  failed: { tone: 'refused' },
  unclear: { tone: 'unclear' },
  'not-tried': { tone: 'silent', icon: 'dashed' },
};

/** The result of a check in one sentence, with its steps folded. */
export function CheckResult(props: {
  readonly name: string;
  readonly isInUse: boolean;
  readonly doctor: ReturnType<typeof useDoctor>;
}) {
  const { t } = useTranslation();
  const { steps, report, busy, failure } = props.doctor;
  const result = report ? outcomeOf(t, props, report.steps) : null;
  return (
    <div className={looks.stack3}>
      {busy ? <Progress label={t('connections.doctorRunning')} done={0} total={null} /> : null}
      <div role="status" className={css.outcome}>
        {result ? (
          <>
            <Chip tone={resultTones[result.is].tone} isIconOnly={result.is === 'passed'}>
              {t(`connections.result.${result.is}`)}
            </Chip>
            <p>{result.text}</p>
          </>
        ) : null}
      </div>
      {failure ? <FailureView failure={failure} subject={props.name} /> : null}
      {steps.length > 0 ? (
        <Fold label={t('connections.doctorSteps')}>
          <ol className={`${looks.box} ${looks.ruled} ${looks.unlessEmpty}`} aria-label={t('connections.doctorSteps')}>
            {steps.map((step) => (
              <Step key={step.step} step={step} />
            ))}
          </ol>
          {report ? <CopyButton text={report.text} label={t('connections.doctorCopy')} /> : null}
        </Fold>
      ) : null}
    </div>
  );
}

/** The first failure decides, then what is unclear: later steps often fail because of it. */
function outcomeOf(
  t: TFunction,
  { name, isInUse }: { readonly name: string; readonly isInUse: boolean },
  steps: readonly DoctorStep[],
): { readonly is: DoctorStep['result']; readonly text: string } {
  const refused = steps.find(({ failure }) => failure?.code === 'credentials-rejected');
  if (refused) return { is: 'failed', text: t('connections.checkRefused', { name }) };
  const failed = steps.find(({ result }) => result === 'failed');
  if (failed) return { is: 'failed', text: failedText(t, failed) };
  const unclear = steps.filter(({ result }) => result === 'unclear');
  const { proposal } = unclear.find((step) => step.proposal) ?? {};
  const advice = proposal ? t(`connections.proposal.${proposal}`) : '';
  const named = unclear.map(({ step }) => t(`connections.step.${step}`)).join(', ');
  if (named) return { is: 'unclear', text: t('connections.checkUnclear', { name, steps: named, advice }) };
  const isTried = steps.some(({ step, result }) => step === 'credentials' && result === 'passed');
  const passed = isInUse ? 'connections.checkPassedInUse' : 'connections.checkPassed';
  return isTried
    ? { is: 'passed', text: t(passed) }
    : { is: 'not-tried', text: t('connections.checkNoCredentials', { name }) };
}

function failedText(t: TFunction, { step, failure, proposal, note }: DoctorStep): string {
  const text = failure ? failureText(t, failure) : null;
  const advice = proposal ? t(`connections.proposal.${proposal}`) : text?.advice;
  return t('connections.checkFailed', {
    step: t(`connections.step.${step}`),
    what: text?.heading ?? (note || t('connections.result.failed')),
    advice: advice ?? '',
  });
}

function Step(props: { readonly step: DoctorStep }) {
  const { step } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const text = step.failure ? failureText(t, step.failure) : null;
  return (
    <li className={css.step}>
      <Chip {...resultTones[step.result]}>{t(`connections.result.${step.result}`)}</Chip>
      <div>
        <strong>{t(`connections.step.${step.step}`)}</strong>
        {text ? (
          <p>
            {text.heading}. {text.advice} {text.words}
          </p>
        ) : null}
        {step.proposal ? <p>{t(`connections.proposal.${step.proposal}`)}</p> : null}
        {step.elements && step.elements.length > 0 ? (
          <p>{t('connections.doctorElements', { elements: format.list(step.elements) })}</p>
        ) : null}
        {step.note ? <p className={looks.said}>{step.note}</p> : null}
      </div>
    </li>
  );
}

/** Checks a connection, with its steps as they happen. `check` resolves with the report; null if it could not be made. */
export function useDoctor(id: string | null) {
  const { run, busy, failure } = useCall('connections.doctor');
  const [steps, setSteps] = useState<readonly DoctorStep[]>([]);
  const [report, setReport] = useState<DoctorReport | null>(null);
  useEffect(
    () =>
      listen('connections.doctorProgressed', (progress) => {
        if (progress.id === id) setSteps(progress.steps);
      }),
    [id],
  );
  const check = useCallback(
    async (which: string): Promise<DoctorReport | null> => {
      setSteps([]);
      setReport(null);
      const ended = await run({ id: which });
      if (!ended.ok) return null;
      setSteps(ended.value.steps);
      setReport(ended.value);
      return ended.value;
    },
    [run],
  );
  return { steps, report, busy, failure, check } as const;
}
