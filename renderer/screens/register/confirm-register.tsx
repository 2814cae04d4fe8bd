import { useTranslation } from 'react-i18next';
import type { Intake } from '../../../contract/files.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { Confirm } from '../../parts/dialog.tsx';

/** The last question: how many, with whom, what it costs, that it cannot be undone. */
export function ConfirmRegister(props: {
  readonly intake: Intake;
  readonly creditName: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const connection = useCurrentConnection();
  const { fileCount: count, skippedCount } = props.intake;
  return (
    <Confirm
      title={t('register.confirmTitle', { count })}
      confirm={t('register.confirm', { count })}
      busy={props.busy}
      onConfirm={props.onConfirm}
      onClose={props.onClose}
    >
      <p>{t('register.confirmText', { count, connection: connection.name, credit: props.creditName })}</p>
      {skippedCount > 0 ? <p>{t('register.confirmSkipped', { count: skippedCount })}</p> : null}
      {connection.kind === 'practice' ? <p>{t('register.confirmPractice')}</p> : null}
    </Confirm>
  );
}
