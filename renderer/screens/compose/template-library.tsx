import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { KeptTemplate } from '../../../contract/templates.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useChooseFile } from '../../bridge/use-choose-file.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { useTemplates } from '../../features/signature-queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import css from './compose.module.css';
import { TemplateForm, type TemplateInput } from './template-form.tsx';

/** Template IDs with names, saved here because the service cannot list them. */
export function TemplateLibrary(props: {
  readonly connection: Connection;
  readonly typed: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const templates = useTemplates(props.connection.id);
  const remove = useCall('templates.remove');
  const exported = useCall('templates.export');
  const unavailable = useForbidden('templates.export');
  const choose = useChooseFile('any');
  const imported = useCall('templates.import');
  const known = templates.data ?? [];
  const [form, setForm] = useState<TemplateInput | null>(null);
  const failure = templates.error?.failure ?? remove.failure ?? exported.failure ?? choose.failure ?? imported.failure;

  async function importNow() {
    const file = await choose.choose();
    if (file) await imported.run({ token: file.token });
  }

  return (
    <Dialog
      wide
      title={t('compose.libraryTitle')}
      onClose={props.onClose}
      actions={
        <>
          <Button onPress={() => void importNow()}>{t('compose.import')}</Button>
          <Button unavailable={unavailable} onPress={() => void exported.run({})} isDisabled={known.length === 0}>
            {t('compose.export')}
          </Button>
          <Button onPress={props.onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <p>{t('compose.libraryText')}</p>
      {failure ? <FailureView failure={failure} /> : null}
      <Templates
        templates={known}
        onEdit={(one) => setForm({ ...one, everywhere: one.connectionId === null })}
        onRemove={(id) => void remove.run({ id })}
      />
      {form ? (
        <TemplateForm
          key={form.id ?? 'new'}
          form={form}
          connectionId={props.connection.id}
          onClose={() => setForm(null)}
        />
      ) : (
        <div>
          <Button kind="primary" onPress={() => setForm(newInput(props.typed, known))}>
            {t('compose.addTemplate')}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

/** An empty form, with the typed ID if no template has it yet. */
function newInput(typed: string, known: readonly KeptTemplate[]): TemplateInput {
  const id = typed.trim();
  return {
    id: null,
    templateId: known.some((one) => one.templateId === id) ? '' : id,
    name: '',
    note: '',
    use: 'template',
    everywhere: false,
  };
}

function Templates(props: {
  readonly templates: readonly KeptTemplate[];
  readonly onEdit: (template: KeptTemplate) => void;
  readonly onRemove: (id: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <ul className={css.list} aria-label={t('compose.libraryTitle')}>
      {props.templates.map((one) => (
        <li key={one.id} className={css.item}>
          <div>
            <strong>{one.name}</strong>
            <code>{one.templateId}</code> · {t(`compose.use.${one.use}`)}
            {one.note ? ` · ${one.note}` : ''}
          </div>
          <Button kind="quiet" aria-label={`${t('compose.edit')}: ${one.name}`} onPress={() => props.onEdit(one)}>
            {t('compose.edit')}
          </Button>
          <Button kind="quiet" aria-label={`${t('common.remove')}: ${one.name}`} onPress={() => props.onRemove(one.id)}>
            {t('common.remove')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
