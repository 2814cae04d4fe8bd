import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavedView } from '../../contract/views.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form, TextField } from '../parts/field.tsx';
import type { useViews } from './saved-views.ts';

/** Asks for a name and saves `content` under it as a view of the screen. */
export function SaveViewDialog(props: {
  readonly title: string;
  readonly kept: ReturnType<typeof useViews>;
  readonly content: string;
  readonly onSaved?: (view: SavedView) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const { kept } = props;
  const isEmpty = name.trim() === '';
  const close = () => {
    kept.forgetFailure();
    props.onClose();
  };
  const save = async () => {
    const saved = isEmpty ? null : await kept.save(name.trim(), props.content);
    if (!saved) return;
    props.onSaved?.(saved);
    close();
  };
  return (
    <Dialog
      title={props.title}
      onClose={close}
      confirm={
        <Button kind="primary" isDisabled={isEmpty} isPending={kept.isSaving} onPress={() => void save()}>
          {t('common.saveView')}
        </Button>
      }
    >
      <Form onSubmit={() => void save()}>
        <TextField
          label={t('common.viewName')}
          value={name}
          onChange={setName}
          autoFocus
          maxLength={80}
          error={kept.failure?.fields?.name}
        />
      </Form>
      {kept.failure && !kept.failure.fields?.name ? <FailureView failure={kept.failure} /> : null}
    </Dialog>
  );
}
