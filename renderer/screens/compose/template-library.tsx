import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { KeptTemplate } from '../../../contract/templates.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { useTemplates } from '../../features/signature-queries.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import css from './compose.module.css';

interface Form {
  readonly id: string | null;
  readonly templateId: string;
  readonly name: string;
  readonly note: string;
  readonly use: KeptTemplate['use'];
  readonly everywhere: boolean;
}

/** Template IDs with names, kept here because the service offers no list of them. */
export function TemplateLibrary(props: {
  readonly connection: Connection;
  readonly typed: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const templates = useTemplates(props.connection.id);
  const remove = useTask('templates.remove');
  const exported = useTask('templates.export');
  const choose = useTask('files.choose');
  const imported = useTask('templates.import');
  const known = templates.data ?? [];
  const fresh: Form = {
    id: null,
    templateId: known.some((one) => one.templateId === props.typed.trim()) ? '' : props.typed.trim(),
    name: '',
    note: '',
    use: 'template',
    everywhere: false,
  };
  const [form, setForm] = useState<Form | null>(null);
  const failure = templates.error?.failure ?? remove.failure ?? exported.failure ?? choose.failure ?? imported.failure;

  async function importNow() {
    const chosen = await choose.run({ kind: 'any' });
    const [file] = chosen.ok ? (chosen.value ?? []) : [];
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
          <Button onPress={() => void exported.run({})} isDisabled={known.length === 0}>
            {t('compose.export')}
          </Button>
          <Button onPress={props.onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <p>{t('compose.libraryText')}</p>
      {failure ? <FailureView failure={failure} /> : null}
      <ul className={css.list} aria-label={t('compose.libraryTitle')}>
        {known.map((one) => (
          <li key={one.id} className={css.item}>
            <div>
              <strong>{one.name}</strong>
              <code>{one.templateId}</code> · {t(`compose.use.${one.use}`)}
              {one.note ? ` · ${one.note}` : ''}
            </div>
            <Button
              kind="quiet"
              aria-label={`${t('compose.edit')}: ${one.name}`}
              onPress={() => setForm({ ...one, everywhere: one.connectionId === null })}
            >
              {t('compose.edit')}
            </Button>
            <Button
              kind="quiet"
              aria-label={`${t('common.remove')}: ${one.name}`}
              onPress={() => void remove.run({ id: one.id })}
            >
              {t('common.remove')}
            </Button>
          </li>
        ))}
      </ul>
      {form ? (
        <TemplateForm
          key={form.id ?? 'new'}
          form={form}
          connectionId={props.connection.id}
          onClose={() => setForm(null)}
        />
      ) : (
        <div>
          <Button kind="primary" onPress={() => setForm(fresh)}>
            {t('compose.addTemplate')}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

function TemplateForm(props: { readonly form: Form; readonly connectionId: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [form, setForm] = useState(props.form);
  const save = useTask('templates.save');
  const { id, everywhere, ...fields } = form;

  async function saveNow() {
    const saved = await save.run({
      ...(id === null ? {} : { id }),
      connectionId: everywhere ? null : props.connectionId,
      templateId: fields.templateId,
      name: fields.name,
      note: fields.note,
      use: fields.use,
    });
    if (saved.ok) props.onClose();
  }

  return (
    <form
      className={css.stack}
      onSubmit={(event) => {
        event.preventDefault();
        void saveNow();
      }}
    >
      <div className={css.two}>
        <TextField
          label={t('compose.templateName')}
          autoFocus
          value={form.name}
          onChange={(name) => setForm({ ...form, name })}
          error={save.failure?.fields?.name}
          maxLength={200}
        />
        <TextField
          label={t('compose.templateId')}
          mono
          value={form.templateId}
          onChange={(templateId) => setForm({ ...form, templateId })}
          error={save.failure?.fields?.templateId}
          maxLength={200}
        />
        <TextField
          label={t('compose.templateNote')}
          value={form.note}
          onChange={(note) => setForm({ ...form, note })}
          maxLength={2000}
        />
        <Choice
          label={t('compose.templateUse')}
          value={form.use}
          onChange={(use) => setForm({ ...form, use })}
          choices={(['template', 'elements', 'both'] as const).map((use) => ({
            key: use,
            text: t(`compose.use.${use}`),
          }))}
        />
      </div>
      <Checkbox isSelected={everywhere} onChange={(value) => setForm({ ...form, everywhere: value })}>
        {t('compose.everyConnection')}
      </Checkbox>
      {save.failure ? <FailureView failure={save.failure} /> : null}
      <div className={css.row}>
        <Button
          kind="primary"
          type="submit"
          isPending={save.busy}
          isDisabled={!form.name.trim() || !form.templateId.trim()}
        >
          {t('compose.keepTemplate')}
        </Button>
        <Button onPress={props.onClose}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
