import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import { useCall } from '../../bridge/use-call.ts';
import { useChooseFile } from '../../bridge/use-choose-file.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import {
  fieldsOf,
  type KnownTemplate,
  type TemplateValue,
  useFormChanges,
  useKnownTemplates,
} from '../../features/forms/stored-forms.ts';
import { useSharing } from '../../features/team/sharing.ts';
import { Button } from '../../parts/button.tsx';
import { useFocusNext } from '../../parts/hooks/focus-next.ts';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { StoredList } from './stored-list.tsx';
import { TemplateForm, type TemplateInput } from './template-form.tsx';

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
