import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { TemplateContent } from '../../../contract/forms.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall, useChooseFile } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import {
  fieldsOf,
  type KnownTemplate,
  type NamedForm,
  type TemplateValue,
  useFormChanges,
  useKnownTemplates,
} from '../../features/forms/stored-forms.ts';
import { useSharing } from '../../features/team/sharing.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Form, TextField } from '../../parts/field.tsx';
import { useFocusNext } from '../../parts/hooks/focus-and-scroll.ts';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { StoredList } from './stored-list.tsx';

/** Template IDs with names, saved here or shared by the team, because the service cannot list them. */
export function TemplateLibrary(props: {
  readonly connection: Connection;
  readonly typed: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const connectionId = props.connection.id;
  const { templates, failure: unread } = useKnownTemplates(connectionId);
  const sharing = useSharing(connectionId);
  const { save, remove, put } = useFormChanges();
  const exported = useCall('templates.export');
  const unavailable = useForbidden('templates.export');
  const choose = useChooseFile('any');
  const imported = useCall('templates.import');
  const [form, setForm] = useState<TemplateInput | null>(null);
  const buttonId = useButtonId();
  const focusNext = useFocusNext();
  const failure = unread ?? save.failure ?? remove.failure ?? exported.failure ?? choose.failure ?? imported.failure;

  async function importNow() {
    const file = await choose.choose();
    if (file) await imported.run({ token: file.token });
  }

  async function copy({ kind: place, name, ...content }: TemplateValue) {
    if ((await put({ place, connectionId, name, content }, null)) !== null) sharing.announceCopy(name);
  }

  /** The keyboard goes on at the template of the form that is gone, or at the button that opens an empty one. */
  function closeForm(id: string | null) {
    setForm(null);
    focusNext(() => document.getElementById(buttonId(id)));
  }

  return (
    <Dialog
      wide
      title={t('compose.libraryTitle')}
      onClose={props.onClose}
      actions={
        <>
          <Button onPress={() => void importNow()}>{t('compose.import')}</Button>
          <Button
            unavailable={unavailable}
            onPress={() => void exported.run({})}
            isDisabled={templates.every(({ own }) => !own)}
          >
            {t('compose.export')}
          </Button>
          <Button onPress={props.onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <p>{t('compose.libraryText')}</p>
      <StoredList
        label={t('compose.libraryTitle')}
        sharing={sharing}
        failure={failure}
        items={templates.map((one) => {
          const { own, shared } = one;
          const value = fieldsOf(one);
          const { templateId, name, note, use } = value;
          return {
            // A copy of a shared template takes its place.
            key: own?.connectionId === null ? own.id : templateId,
            name,
            about: (
              <>
                <code>{templateId}</code> · {t(`compose.use.${use}`)}
                {note ? ` · ${note}` : ''}
              </>
            ),
            shared,
            value: own && value,
            actions: [
              own
                ? {
                    text: t('compose.edit'),
                    id: buttonId(own.id),
                    run: () => setForm({ ...value, id: own.id, everywhere: own.connectionId === null }),
                  }
                : { text: t('team.sharing.copy'), run: () => void copy(value) },
            ],
            onRemove: own && (() => void remove.run({ id: own.id }, name)),
          };
        })}
      />
      {form ? (
        <TemplateForm key={form.id ?? 'new'} form={form} connectionId={connectionId} onClose={closeForm} />
      ) : (
        <div>
          <Button id={buttonId(null)} kind="primary" onPress={() => setForm(newInput(props.typed, templates))}>
            {t('compose.addTemplate')}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

/** An empty form, with the typed ID if no template has it yet. */
function newInput(typed: string, known: readonly KnownTemplate[]): TemplateInput {
  const id = typed.trim();
  return {
    id: null,
    templateId: known.some((one) => fieldsOf(one).templateId === id) ? '' : id,
    name: '',
    note: '',
    use: 'template',
    everywhere: false,
  };
}

/** IDs for the page: of the button that opens the form for a saved template, or for a new one. */
function useButtonId(): (id: string | null) => string {
  const prefix = useId();
  return (id) => `${prefix}${id ?? 'new'}`;
}

/** The input for a template; `id` is null for a new one. */
interface TemplateInput extends TemplateContent {
  readonly id: string | null;
  readonly name: string;
  readonly everywhere: boolean;
}

/** Adds a template, or changes one. */
function TemplateForm(props: {
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
    place: 'template',
    id: id ?? undefined,
    connectionId: everywhere ? null : props.connectionId,
    name,
    content: { templateId, note, use },
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
