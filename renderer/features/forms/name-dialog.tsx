import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { Button } from '../../parts/button.tsx';
import { Form, TextField } from '../../parts/field.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';

/** Asks for the name under which something is saved, or for another one of what is saved. */
export function NameDialog(props: {
  /** What gets the name: without one, a new thing. */
  readonly was?: string | undefined;
  readonly title: string;
  readonly label: string;
  readonly confirm: string;
  readonly saving: { readonly busy: boolean; readonly failure: Failure | null; readonly clear: () => void };
  /** Resolves with false if that failed. */
  readonly onName: (name: string) => Promise<boolean>;
  readonly onClose: () => void;
}) {
  const { was, saving } = props;
  const { t } = useTranslation();
  const [name, setName] = useState(was ?? '');
  const isEmpty = name.trim() === '';
  const close = () => {
    saving.clear();
    props.onClose();
  };
  const save = async () => {
    if (!isEmpty && (await props.onName(name.trim()))) close();
  };
  return (
    <Dialog
      title={was === undefined ? props.title : t('common.renameTitle', { name: was })}
      onClose={close}
      confirm={
        <Button kind="primary" isDisabled={isEmpty} isPending={saving.busy} onPress={() => void save()}>
          {was === undefined ? props.confirm : t('common.renameConfirm')}
        </Button>
      }
    >
      <Form onSubmit={() => void save()}>
        <TextField
          label={props.label}
          value={name}
          onChange={setName}
          autoFocus
          maxLength={80}
          error={saving.failure?.fields?.name}
        />
      </Form>
      {saving.failure && !saving.failure.fields?.name ? <FailureView failure={saving.failure} /> : null}
    </Dialog>
  );
}
