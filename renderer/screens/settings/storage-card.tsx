import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type StoragePart, type StorageUsage, storageParts } from '../../../contract/storage.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { cardMark } from '../../features/settings-cards.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Confirm } from '../../parts/overlays/dialog.tsx';
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
  const clear = useCall('storage.clearLogs');
  const [isAsked, setAsked] = useState(false);
  const clearLogs = async () => {
    const cleared = await clear.run({});
    setAsked(false);
    if (!cleared.ok) return;
    queries.setQueryData(storageKey, cleared.value);
    announce(t('settings.logsCleared'));
  };
  const failure = error?.failure ?? show.failure ?? clear.failure;
  return (
    <Card title={t('settings.storage')} mark={cardMark('storage')}>
      <Sizes usage={data} />
      <div className={looks.line3}>
        <Button onPress={() => void show.run({})}>{t('settings.openFolder')}</Button>
        <Button isDisabled={!data?.bytes.logs} onPress={() => setAsked(true)}>
          {t('settings.clearLogs')}
        </Button>
      </div>
      {failure ? <FailureView failure={failure} /> : null}
      {isAsked ? (
        <Confirm
          title={t('settings.clearLogs')}
          confirm={t('settings.clearLogs')}
          danger
          busy={clear.busy}
          onConfirm={() => void clearLogs()}
          onClose={() => setAsked(false)}
        >
          <p>{t('settings.clearLogsText')}</p>
        </Confirm>
      ) : null}
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
