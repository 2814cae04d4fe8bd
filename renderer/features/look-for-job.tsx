import { useTranslation } from 'react-i18next';
import type { Job, Reconciliation } from '../../contract/jobs.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { useCall } from '../bridge/use-call.ts';
import { Button } from '../parts/button.tsx';
import { Hint } from '../parts/hint.tsx';

/** Registrations are in no list of the service: it is asked about their file. */
export const hasOnlyFile = ({ operation }: Job) => operation === 'AddNewDocument';

/** Notes are in no list, and have no ID. */
export const isNeverListed = ({ operation }: Job) => operation === 'AddQuickNote';

/** True for a look that found that the service knows the file, and no document. */
export const isFileKnown = ({ verdict, candidates }: Reconciliation) => verdict === 'found' && candidates.length === 0;

/** The service's answer about the file, of a look that it does not settle; null if there is none. */
export function unsettledAnswer({ verdict, questions }: Reconciliation): string | null {
  const asked = questions.find(({ operation, failure }) => operation === 'ValidateDocument' && failure === null);
  return verdict === 'cannot-tell' && asked?.about ? asked.about : null;
}

/** Looks for a job in doubt at the service: in its lists, or with the file, which is said before. */
export function LookForJob(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  const reconcile = useCall('jobs.reconcile');
  const withFile = hasOnlyFile(job);
  const button = (
    <Button isPending={reconcile.busy} onPress={() => void reconcile.run({ jobId: job.id, withFile })}>
      {reconcile.busy ? t('jobs.looking') : t(withFile ? 'jobs.checkFile' : 'jobs.lookFor')}
    </Button>
  );
  return (
    <>
      {withFile ? <Hint text={t('jobs.checkFileTip')}>{button}</Hint> : button}
      {reconcile.failure ? <FailureView failure={reconcile.failure} calm /> : null}
    </>
  );
}
