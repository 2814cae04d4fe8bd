import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import type { TrackedView } from './tracked-view.ts';

/** Keeps list, filters, columns and grouping under a name. */
export function SaveViewDialog(props: {
  readonly view: TrackedView;
  readonly onSaved: (id: string) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const save = useTask('tracking.saveView');

  async function saveNow() {
    const { filter, columns, grouped } = props.view;
    const saved = await save.run({ name, filter, columns: [...columns], grouped });
    if (!saved.ok) return;
    await client.invalidateQueries({ queryKey: ['tracking-views'] });
    props.onSaved(saved.value.id);
    props.onClose();
  }

  return (
    <Dialog
      title={t('tracking.saveViewTitle')}
      onClose={props.onClose}
      actions={
        <>
          <Button onPress={props.onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" isDisabled={name.trim() === ''} isPending={save.busy} onPress={() => void saveNow()}>
            {t('tracking.saveViewConfirm')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') void saveNow();
        }}
      >
        <TextField label={t('tracking.viewName')} autoFocus value={name} onChange={setName} maxLength={80} />
      </form>
      {save.failure ? <FailureView failure={save.failure} /> : null}
    </Dialog>
  );
}
