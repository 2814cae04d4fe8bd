import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentRow } from '../../../contract/documents.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Form, TextField } from '../../parts/field.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';

/** Adds a document that was not sent from here to the register. */
export function OpenById(props: { readonly onClose: () => void; readonly onOpened: (row: DocumentRow) => void }) {
  const { t } = useTranslation();
  const connection = useCurrentConnection();
  const open = useCall('documents.openById');
  const [documentId, setDocumentId] = useState('');
  const id = documentId.trim();

  async function openNow() {
    if (id === '') return;
    const opened = await open.run({ connectionId: connection.id, documentId: id });
    if (opened.ok) props.onOpened(opened.value);
  }

  return (
    <Dialog
      title={t('documents.openByIdTitle')}
      onClose={props.onClose}
      confirm={
        <Button kind="primary" isDisabled={id === ''} isPending={open.busy} onPress={() => void openNow()}>
          {t('documents.openByIdConfirm')}
        </Button>
      }
    >
      <p>{t('documents.openByIdText')}</p>
      <Form onSubmit={() => void openNow()}>
        <TextField
          label={t('documents.openByIdField')}
          value={documentId}
          onChange={setDocumentId}
          mono
          autoFocus
          maxLength={200}
          error={open.failure?.fields?.documentId}
        />
      </Form>
      {open.failure ? <FailureView failure={open.failure} subject={id} /> : null}
    </Dialog>
  );
}
