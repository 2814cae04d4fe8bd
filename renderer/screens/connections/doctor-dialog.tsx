import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection, DoctorStep } from '../../../contract/connections.ts';
import { listen } from '../../bridge/client.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Chip, type ChipIcon, type Tone } from '../../parts/chip.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useFormat } from '../../parts/format.ts';
import { Progress } from '../../parts/progress.tsx';
import css from './connections.module.css';

const resultTones: Record<DoctorStep['result'], { readonly tone: Tone; readonly icon?: ChipIcon }> = {
  passed: { tone: 'confirmed' },
  failed: { tone: 'refused' },
  unclear: { tone: 'unclear' },
  'not-tried': { tone: 'silent', icon: 'dashed' },
};

/** The connection doctor: shows every step to the service as it happens. */
export function DoctorDialog(props: { readonly connection: Connection; readonly onClose: () => void }) {
  const { id, name } = props.connection;
  const { t } = useTranslation();
  const { steps, report, busy, failure, again } = useDoctor(id);
  const count = (result: DoctorStep['result']) => steps.filter((step) => step.result === result).length;
  return (
    <Dialog
      title={t('connections.doctorTitle', { name })}
      onClose={props.onClose}
      wide
      actions={
        <>
          {report ? <CopyButton text={report} label={t('connections.doctorCopy')} /> : null}
          <Button isPending={busy} onPress={again}>
            {t('connections.doctorAgain')}
          </Button>
          <Button kind="primary" onPress={props.onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <p>{t('connections.doctorText')}</p>
      {busy ? <Progress label={t('connections.doctorRunning')} done={0} total={null} /> : null}
      <ol className={css.steps} aria-label={t('connections.doctorSteps')}>
        {steps.map((step) => (
          <Step key={step.step} step={step} />
        ))}
      </ol>
      <p role="status" className={css.outcome}>
        {busy || !report ? '' : outcome(t, count('failed'), count('unclear'))}
      </p>
      {failure ? <FailureView failure={failure} subject={name} /> : null}
    </Dialog>
  );
}

function outcome(t: TFunction, failed: number, unclear: number): string {
  if (failed > 0) return t('connections.doctorFailed', { count: failed });
  return unclear > 0 ? t('connections.doctorUnclear', { count: unclear }) : t('connections.doctorAllPassed');
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
        {step.note ? <p className={css.text}>{step.note}</p> : null}
      </div>
    </li>
  );
}

function useDoctor(id: string) {
  const doctor = useCall('connections.doctor');
  const [steps, setSteps] = useState<readonly DoctorStep[]>([]);
  const [report, setReport] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const { run } = doctor;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` starts it again
  useEffect(() => {
    let current = true;
    const stop = listen('connections.doctorProgressed', (progress) => {
      if (current && progress.id === id) setSteps(progress.steps);
    });
    setSteps([]);
    setReport(null);
    void run({ id }).then((ended) => {
      if (!current || !ended.ok) return;
      setSteps(ended.value.steps);
      setReport(ended.value.text);
    });
    return () => {
      current = false;
      stop();
    };
  }, [id, run, turn]);
  return { steps, report, busy: doctor.busy, failure: doctor.failure, again: () => setTurn((n) => n + 1) };
}
