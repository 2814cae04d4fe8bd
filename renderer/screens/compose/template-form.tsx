import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeptTemplate } from '../../../contract/templates.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useOfferBefore } from '../../features/removal.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Form, TextField } from '../../parts/field.tsx';
import css from './compose.module.css';

/** The input for a template; `id` is null for a new one. */
export interface TemplateInput {
  readonly id: string | null;
  readonly templateId: string;
  readonly name: string;
  readonly note: string;
  readonly use: KeptTemplate['use'];
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
  const save = useCall('templates.save');
  const { id, everywhere } = form;
  const errors: Readonly<Record<string, string>> = save.failure?.fields ?? {};
  const offerBefore = useOfferBefore();
  const inputOf = (input: TemplateInput) => ({
    ...(input.id === null ? {} : { id: input.id }),
    connectionId: input.everywhere ? null : props.connectionId,
    templateId: input.templateId,
    name: input.name,
    note: input.note,
    use: input.use,
  });

  async function saveNow() {
    const saved = await save.run(inputOf(form));
    if (!saved.ok) return;
    if (id !== null) offerBefore(form.name, () => ask('templates.save', inputOf(props.form)));
    props.onClose(saved.value.id);
  }

  return (
    <Form className={css.stack} onSubmit={() => void saveNow()}>
      <div className={css.two}>
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
          error={errors.templateId}
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
        <Button onPress={() => props.onClose(id)}>{t('common.cancel')}</Button>
      </div>
    </Form>
  );
}
