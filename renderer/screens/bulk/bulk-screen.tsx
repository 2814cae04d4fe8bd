import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Bulk } from '../../../contract/bulk.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useBulkState, useBulks } from '../../features/jobs/bulks.ts';
import { useRemoval } from '../../features/undo.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { KeptFor, useKeptState } from '../../parts/navigation.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { BulkSetup, nothingChosen, type SetupInput } from './bulk-setup.tsx';
import { BulkView } from './bulk-view.tsx';

/** One request per row of a spreadsheet: set up, checked, sent, followed. */
export function BulkScreen(props: { readonly draftId: string | null; readonly bulkId: string | null }) {
  const { t } = useTranslation();
  const [openId, setOpenId] = useKeptState<string | null>('open', props.bulkId);
  const bulks = useBulks();
  const [setup, setSetup] = useKeptState<SetupInput>('setup', nothingChosen);
  const open = bulks.data?.find((bulk) => bulk.id === openId) ?? null;
  const close = (changed: Partial<SetupInput>) => {
    setSetup({ ...setup, ...changed });
    setOpenId(null);
  };
  if (open) {
    const another = () => close({ ...nothingChosen, files: setup.files });
    return (
      <KeptFor key={open.id} name={open.id}>
        <BulkView bulk={open} onBack={() => close({})} onAnother={another} />
      </KeptFor>
    );
  }
  return (
    <Page title={t('bulk.title')} lead={t('bulk.lead')}>
      {bulks.error ? <FailureView failure={bulks.error.failure} /> : null}
      <BulkSetup
        draftId={props.draftId}
        input={setup}
        onInput={(changed) => setSetup((input) => ({ ...input, ...changed }))}
        onChecked={(bulk) => setOpenId(bulk.id)}
      />
      <Earlier bulks={bulks.data ?? []} onOpen={setOpenId} />
    </Page>
  );
}

function Earlier(props: { readonly bulks: readonly Bulk[]; readonly onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const stateText = useBulkState();
  const remove = useRemoval('bulk.remove', () => void client.invalidateQueries({ queryKey: ['bulks'] }));
  if (props.bulks.length === 0) return null;

  return (
    <Card title={t('bulk.earlier')}>
      <ul className={looks.list}>
        {props.bulks.map((bulk) => (
          <li key={bulk.id}>
            <span>{visibleName(bulk.fileName)}</span>
            <span className={looks.hint}>
              {t('bulk.rows', format.counted(bulk.rowCount))} · {format.moment(bulk.updatedAt)}
            </span>
            <Chip
              tone={bulk.counts.done === bulk.rowCount ? 'confirmed' : bulk.state === 'sending' ? 'info' : 'silent'}
              icon="clock"
            >
              {stateText(bulk)}
            </Chip>
            <Button of={bulk.fileName} onPress={() => props.onOpen(bulk.id)}>
              {t('bulk.open')}
            </Button>
            {bulk.state === 'sending' ? null : (
              <Button kind="quiet" of={bulk.fileName} onPress={() => void remove.run({ id: bulk.id }, bulk.fileName)}>
                {t('common.remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {remove.failure ? <FailureView failure={remove.failure} /> : null}
    </Card>
  );
}
