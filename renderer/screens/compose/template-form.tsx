import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TemplateContent } from '../../../contract/forms.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { type NamedForm, useFormChanges } from '../../features/forms/stored-forms.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Form, TextField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';

/** The input for a template; `id` is null for a new one. */
export interface TemplateInput extends TemplateContent {
  readonly id: string | null;
  readonly name: string;
  readonly everywhere: boolean;
}

/** Adds a template, or changes one. */
export function TemplateForm(props: {
  readonly form: TemplateInput;
  readonly connectionId: string;
  /** With the ID of the template that it was about; null if none was added. */
  readonly onClose: (id: string | null) => void;
}) {
  const { t } = useTranslation();
  const [form, setForm] = useState(props.form);
  const { save, put } = useFormChanges();
  const { id, everywhere } = form;
  const errors: Readonly<Record<string, string>> = save.failure?.fields ?? {};
  const formOf = ({ id, everywhere, name, templateId, note, use }: TemplateInput): NamedForm => ({
    ...{ place: 'template', id: id ?? undefined, connectionId: everywhere ? null : props.connectionId },
    ...{ name, content: { templateId, note, use } },
  });

  async function saveNow() {
    const saved = await put(formOf(form), id === null ? null : formOf(props.form));
    if (saved !== null) props.onClose(saved);
  }

  return (
    <Form className={looks.stack4} onSubmit={() => void saveNow()}>
      <div className={looks.columns}>
        <TextField
          label={t('compose.templateName')}
          autoFocus
          value={form.name}
          onChange={(name) => setForm({ ...form, name })}
          error={errors.name}
          maxLength={200}
        />
        <TextField
          label={t('compose.templateId')}
          mono
          value={form.templateId}
          onChange={(templateId) => setForm({ ...form, templateId })}
          error={errors['content.templateId']}
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
      <div className={looks.line3}>
        <Button
          kind="primary"
          type="submit"
          isPending={save.busy}
          isDisabled={!form.name.trim() || !form.templateId.trim()}
        >
          {t('compose.keepTemplate')}
        </Button>
        <Button onPress={() => props.onClose(id)}>{t('common.cancel')}</Button>
      </div>
    </Form>
  );
}
