import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackedFilter } from '../../../contract/tracking.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Segments } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { useCountText } from './people-text.ts';

/** Exports all entries that match the filter into a file. Secret words only if the person ticks them. */
export function ExportDialog(props: {
  readonly filter: TrackedFilter;
  /** The original documents of the requests to which it is limited. */
  readonly requests?: readonly string[];
  readonly onClose: () => void;
}) {
  const { requests } = props;
  const { t, i18n } = useTranslation();
  const connection = useCurrentConnection();
  const countText = useCountText();
  const [format, setFormat] = useState<'csv' | 'xlsx'>('xlsx');
  const [withSecretWords, setSecrets] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const run = useCall('tracking.export');
  const unavailable = useForbidden('tracking.export');

  async function exportNow() {
    const limited = requests ? { documentIds: [...requests] } : {};
    const language = languageFor(i18n.language, []);
    const wanted = { ...props.filter, ...limited, format, withSecretWords, language };
    const written = await run.run({ connectionId: connection.id, ...wanted });
    if (!written.ok || !written.value) return;
    setDone(t('tracking.exported', { count: written.value.rowCount, name: written.value.fileName }));
  }

  return (
    <Dialog
      title={
        requests ? t('tracking.exportRequests', { requests: countText(requests.length) }) : t('tracking.exportTitle')
      }
      onClose={props.onClose}
      actions={
        <>
          <Button onPress={props.onClose}>{done ? t('common.close') : t('common.cancel')}</Button>
          <Button kind="primary" unavailable={unavailable} isPending={run.busy} onPress={() => void exportNow()}>
            {t('tracking.exportConfirm')}
          </Button>
        </>
      }
    >
      <p>{t(requests ? 'tracking.exportRequestsText' : 'tracking.exportText')}</p>
      <Segments
        label={t('tracking.exportFormat')}
        value={format}
        onChange={setFormat}
        choices={[
          { key: 'xlsx', text: t('tracking.xlsx') },
          { key: 'csv', text: t('tracking.csv') },
        ]}
      />
      <Checkbox isSelected={withSecretWords} onChange={setSecrets}>
        {t('tracking.exportSecrets')}
      </Checkbox>
      {withSecretWords ? <p className={looks.warning}>{t('tracking.exportSecretsWarning')}</p> : null}
      {done ? <p role="status">{done}</p> : null}
      {run.failure ? <FailureView failure={run.failure} /> : null}
    </Dialog>
  );
}
