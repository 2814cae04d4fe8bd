import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type StoragePart, type StorageUsage, storageParts } from '../../../contract/storage.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { AskedCall } from '../../features/asked-call.tsx';
import { cardMark } from '../../features/settings-cards.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Card, Facts } from '../../parts/page.tsx';

/** Shown before the folder is measured, and when empty: the card does not grow when the numbers arrive. */
const always: readonly StoragePart[] = ['database', 'copies', 'logs'];
const storageKey = ['storage'] as const;

/** What the program keeps on this computer, and where. Only logs can be removed here: everything else is still needed. */
export function StorageCard() {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: storageKey, queryFn: () => askValue('storage.usage', {}) });
  const show = useCall('storage.showFolder');
  const failure = error?.failure ?? show.failure;
  return (
    <Card title={t('settings.storage')} mark={cardMark('storage')}>
      <Sizes usage={data} />
      <div className={looks.line3}>
        <Button onPress={() => void show.run({})}>{t('settings.openFolder')}</Button>
        <AskedCall
          danger
          isDisabled={!data?.bytes.logs}
          call="storage.clearLogs"
          input={{}}
          text={t('settings.clearLogs')}
          onDone={(usage) => {
            queries.setQueryData(storageKey, usage);
            announce(t('settings.logsCleared'));
          }}
        >
          <p>{t('settings.clearLogsText')}</p>
        </AskedCall>
      </div>
      {failure ? <FailureView failure={failure} /> : null}
    </Card>
  );
}

function Sizes({ usage }: { readonly usage: StorageUsage | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const sizeOf = (part: StoragePart) => {
    if (!usage) return '…';
    const size = format.bytes(usage.bytes[part]);
    return usage.isComplete ? size : t('settings.atLeast', { size });
  };
  const shown = storageParts.filter((part) => always.includes(part) || usage?.bytes[part]);
  return (
    <Facts
      facts={[
        ...shown.map((part) => [t(`settings.parts.${part}`), sizeOf(part)] as const),
        [t('settings.folder'), usage?.folder ?? '…'],
      ]}
    />
  );
}
