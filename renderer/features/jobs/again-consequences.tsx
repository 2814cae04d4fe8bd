import { skipToken, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../contract/index.ts';
import type { SentAgain } from '../../../contract/jobs.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { Dialog } from '../../parts/overlays/dialog.tsx';

/** Reads what sending jobs again uses and whom it mails. Until that is known, nothing may be sent. Null: it is not read. */
export function useAgainPreview(which: CallInput<'jobs.previewAgain'> | null) {
  return useQuery({
    queryKey: ['again-preview', which],
    queryFn: which ? () => askValue('jobs.previewAgain', which) : skipToken,
    gcTime: 0,
  });
}

/** The cost of sending jobs again, and the people whom it mails, by name. */
export function AgainConsequences(props: {
  readonly preview: ReturnType<typeof useAgainPreview>;
  /** Null where they are of several. */
  readonly connectionId: string | null;
}) {
  const { data, error } = props.preview;
  const { t } = useTranslation();
  const format = useFormat();
  const isPractice = useConnection(props.connectionId ?? '')?.kind === 'practice';
  if (error) return <FailureView failure={error.failure} />;
  if (!data) return <p role="status">{t('common.loading')}</p>;
  const { credits, requests, notes, people, peopleCount, prepaidCount, idChecks } = data;
  const names = people.map(({ name, email }) => name || email || t('compose.yourself'));
  const others = peopleCount - people.length;
  const costs = [
    credits > 0 ? t('jobs.usesCredits', { count: credits }) : null,
    requests > 0 ? t('jobs.usesRequests', { count: requests }) : null,
    notes > 0 ? t('jobs.sendsNotes', { count: notes }) : null,
    prepaidCount > 0 ? t('compose.costsPrepaid', { count: 2 * prepaidCount }) : null,
    idChecks > 0 ? t('compose.costsIdChecks', { count: idChecks }) : null,
  ].filter((part) => part !== null);
  return (
    <>
      <p>{costs.join(' · ')}</p>
      {peopleCount > 0 ? (
        <p>
          {t('jobs.mailsPeople', {
            people: format.list(others > 0 ? [...names, t('jobs.morePeople', { count: others })] : names),
          })}
        </p>
      ) : null}
      {isPractice && peopleCount > 0 ? <p>{t('compose.practice')}</p> : null}
    </>
  );
}

/** True if some of the jobs are not sent. */
export function isPartial({ asking, skipped }: SentAgain): boolean {
  return asking + skipped > 0;
}

/** The result of sending jobs again, if some of them are not sent. */
export function SentAgainResult(props: { readonly result: SentAgain; readonly onClose: () => void }) {
  const { count, asking, skipped } = props.result;
  const { t } = useTranslation();
  return (
    <Dialog
      title={asking > 0 ? t('jobs.askingHeading', { count: asking }) : t('jobs.againSkippedTitle')}
      onClose={props.onClose}
      actions={
        <Button kind="primary" autoFocus onPress={props.onClose}>
          {t('common.close')}
        </Button>
      }
    >
      {asking > 0 ? <p>{t('jobs.againAsking', { count: asking })}</p> : null}
      {skipped > 0 ? <p>{t('jobs.againSkipped', { count: skipped })}</p> : null}
      <p>{t('jobs.againGoing', { count })}</p>
    </Dialog>
  );
}
