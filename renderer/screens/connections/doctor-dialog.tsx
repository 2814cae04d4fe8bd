import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { CheckResult } from './check-result.tsx';
import { useDoctor } from './use-doctor.ts';

/** Checks a connection as soon as it is opened. */
export function DoctorDialog(props: { readonly connection: Connection; readonly onClose: () => void }) {
  const { id, name } = props.connection;
  const { t } = useTranslation();
  const doctor = useDoctor(id);
  const { check } = doctor;
  useEffect(() => void check(id), [check, id]);
  return (
    <Dialog
      title={t('connections.doctorTitle', { name })}
      onClose={props.onClose}
      wide
      actions={
        <>
          <Button isPending={doctor.busy} onPress={() => void check(id)}>
            {t('connections.doctorAgain')}
          </Button>
          <Button kind="primary" onPress={props.onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <CheckResult name={name} isInUse={false} doctor={doctor} />
    </Dialog>
  );
}
