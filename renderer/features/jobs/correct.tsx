import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Correctable, FormJob } from '../../../contract/forms.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { jobTones } from '../../parts/status-chip.tsx';

/** Opens the form of a job with everything as it was entered: as another page, also from the one that sent it. */
export function useOpenForm() {
  const go = useGo();
  const { run, busy, failure } = useCall('corrections.open');
  async function open(jobId: string) {
    const opened = await run({ jobId });
    if (!opened.ok) return;
    if (opened.value.kind === 'request') {
      go({ screen: 'compose', draftId: opened.value.draftId, fresh: crypto.randomUUID() });
    } else go({ screen: opened.value.kind === 'note' ? 'notes' : 'register', corrects: jobId });
  }
  return { open, busy, failure };
}

/** `isInRow`: in a column, which has room for fewer words. */
export function CorrectAction(props: { readonly jobId: string; readonly quiet?: boolean; readonly isInRow?: boolean }) {
  const { t } = useTranslation();
  const form = useOpenForm();
  return (
    <>
      <Button kind={props.quiet ? 'quiet' : 'plain'} isPending={form.busy} onPress={() => void form.open(props.jobId)}>
        {t(props.isInRow ? 'corrections.actionShort' : 'corrections.action')}
      </Button>
      {form.failure ? <FailureView failure={form.failure} /> : null}
    </>
  );
}

type Corrected = Pick<FormJob, 'isBesideDoubt'> & { readonly state: Correctable };

/** What is corrected is in doubt, or stands beside what is, as it corrected that in vain. */
export const mayHaveArrived = ({ state, isBesideDoubt }: Corrected) => state === 'in-doubt' || isBesideDoubt === true;

/** The outcome of the job that is being corrected, above its form. */
export function CorrectionNotice(props: Corrected & { readonly failure: Failure | null }) {
  const { state, failure } = props;
  const { t } = useTranslation();
  return (
    <section className={`${looks.stack} ${looks.small}`} aria-label={t(`corrections.heading.${state}`)}>
      {failure && state !== 'in-doubt' ? (
        <FailureView failure={failure} />
      ) : (
        <p className={looks.line}>
          <Chip {...jobTones[state]}>{t(`jobs.state.${state}`)}</Chip>
          <strong>{t(`corrections.heading.${state}`)}</strong>
        </p>
      )}
      <p>{mayHaveArrived(props) ? t('corrections.doubtText') : t('corrections.text')}</p>
    </section>
  );
}

type AcceptDoubtProps = { readonly text: string } & Pick<ComponentProps<typeof Checkbox>, 'isSelected' | 'onChange'>;

/** What sending the correction of what is in doubt may do twice, and the person's word that it is sent. */
export function AcceptDoubt({ text, ...box }: AcceptDoubtProps) {
  const { t } = useTranslation();
  return (
    <div className={looks.warning}>
      <p>{text}</p>
      <Checkbox {...box}>{t('corrections.sendDoubt')}</Checkbox>
    </div>
  );
}

/** Shown in place of a form whose connection was removed in the meantime. */
export function ConnectionGone(props: { readonly children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Empty kind="nothing-yet" heading={t('corrections.connectionGone')} text={t('corrections.connectionGoneText')}>
      {props.children}
    </Empty>
  );
}

/** The input of a job, read again each time its form is opened. */
export function useCorrection(jobId: string) {
  return useQuery({
    queryKey: ['correction', jobId],
    queryFn: () => askValue('corrections.open', { jobId }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
