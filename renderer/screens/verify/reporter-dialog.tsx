import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Reporter } from '../../../contract/verify.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';

/** Asks who makes reports with this program: before the first one, and again where a person wants to change it. */
export function ReporterDialog(props: {
  readonly known: Reporter | null;
  readonly onKept: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const keep = useCall('verify.setReporter');
  const [person, setPerson] = useState(props.known?.person ?? '');
  const [organisation, setOrganisation] = useState(props.known?.organisation ?? '');
  const isMissing = person.trim() === '';
  return (
    <Confirm
      title={t('verify.report.reporter')}
      confirm={t('verify.report.keepReporter')}
      busy={keep.busy}
      isDisabled={isMissing}
      onConfirm={() =>
        void keep
          .run({ person: person.trim(), organisation: organisation.trim() })
          .then((kept) => (kept.ok ? props.onKept() : undefined))
      }
      onClose={props.onClose}
    >
      <p>{t('verify.report.reporterText')}</p>
      <TextField label={t('verify.report.person')} value={person} onChange={setPerson} maxLength={200} />
      <TextField
        label={t('verify.report.organisation')}
        value={organisation}
        onChange={setOrganisation}
        maxLength={200}
      />
      {keep.failure ? <FailureView failure={keep.failure} /> : null}
    </Confirm>
  );
}
