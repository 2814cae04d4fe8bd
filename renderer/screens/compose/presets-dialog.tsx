import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftContent, PresetContent } from '../../../contract/compose.ts';
import { withPreset } from '../../features/forms/draft-state.ts';
import { NameDialog } from '../../features/forms/name-dialog.tsx';
import { type NamedForm, useFormChanges } from '../../features/forms/stored-forms.ts';
import { type FormOf, useForms } from '../../features/signature-queries.ts';
import { keyByName, listTogether, useSharedItems, useSharing } from '../../features/team/sharing.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { StoredList } from './stored-list.tsx';
import type { DraftForm } from './use-draft.ts';

/** Named settings of a request, saved here or shared by the team: everything but files and secret word. */
export function PresetsDialog(props: {
  readonly draft: DraftForm;
  readonly connectionId: string;
  readonly onClose: () => void;
}) {
  const { draft, connectionId } = props;
  const { t } = useTranslation();
  const shared = useSharedItems(connectionId, 'preset');
  const sharing = useSharing(connectionId);
  const presets = usePresets(draft, connectionId);

  const use = (content: PresetContent) => {
    draft.change((now) => withPreset(now, content));
    props.onClose();
  };
  async function copy(name: string, content: PresetContent) {
    if ((await presets.put({ place: 'preset', name, content }, null)) !== null) sharing.announceCopy(name);
  }

  return (
    <Dialog
      wide
      title={t('compose.presetsTitle')}
      onClose={props.onClose}
      actions={
        <>
          <Button onPress={() => presets.askName('new')}>{t('compose.saveForm')}</Button>
          <Button onPress={props.onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <p>{[t('compose.presetsText'), ...(sharing.isJoined ? [t('team.sharing.presetText')] : [])].join(' ')}</p>
      <StoredList
        label={t('compose.presets')}
        sharing={sharing}
        failure={presets.failure}
        items={listTogether(presets.known, shared, keyByName).map(({ own, shared: item }) => {
          const { name, content } = own ?? item.value;
          return {
            key: keyByName({ name }),
            name,
            about: t(`compose.kinds.${content.kind}`),
            shared: item,
            value: own && { kind: 'preset', name, content },
            actions: [
              { text: t('compose.usePreset'), isMain: true, run: () => use(content) },
              own
                ? { text: t('common.rename'), run: () => presets.askName(own) }
                : { text: t('team.sharing.copy'), run: () => void copy(name, content) },
            ],
            onRemove: own && (() => void presets.remove.run({ id: own.id }, name)),
          };
        })}
      />
      <PresetName presets={presets} />
    </Dialog>
  );
}

function PresetName({ presets }: { readonly presets: ReturnType<typeof usePresets> }) {
  const { t } = useTranslation();
  const { naming, save, saveAs, askName } = presets;
  if (!naming) return null;
  return (
    <NameDialog
      was={naming === 'new' ? undefined : naming.name}
      title={t('compose.savePreset')}
      label={t('compose.presetName')}
      confirm={t('compose.savePreset')}
      saving={save}
      onName={saveAs}
      onClose={() => askName(null)}
    />
  );
}

function usePresets(draft: DraftForm, connectionId: string) {
  /** The preset that gets another name, or a new one. */
  const [naming, setNaming] = useState<FormOf<'preset'> | 'new' | null>(null);
  const presets = useForms('preset', connectionId);
  const { save, remove, put } = useFormChanges();
  const known = presets.data ?? [];
  return {
    known,
    save,
    remove,
    put,
    naming,
    askName: (what: typeof naming) => {
      save.clear();
      setNaming(what);
    },
    failure: presets.error?.failure ?? (naming ? null : save.failure) ?? remove.failure,
    /** Under a name that another one has, this one takes its place, which can be undone. */
    saveAs: async (name: string): Promise<boolean> => {
      const renamed = naming === 'new' ? null : naming;
      const before = renamed ?? known.find((preset) => keyByName(preset) === keyByName({ name }));
      const content = renamed?.content ?? presetOf(draft.state.content);
      const form = { place: 'preset', id: before?.id, content } as const;
      const was: NamedForm | null = before ? { ...form, name: before.name, content: before.content } : null;
      return (await put({ ...form, name }, was)) !== null;
    },
  };
}

function presetOf({ fileToken: _file, imageToken: _image, ...content }: DraftContent): PresetContent {
  return content;
}
