import { useTranslation } from 'react-i18next';
import type { SentAgain } from '../../contract/jobs.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';

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
