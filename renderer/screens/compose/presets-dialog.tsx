import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftContent, PresetContent } from '../../../contract/compose.ts';
import type { CallOutput } from '../../../contract/index.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import css from './compose.module.css';
import type { DraftForm } from './use-draft.ts';

type Preset = CallOutput<'presets.list'>[number];

/** Named settings of a request: everything but files and secret word. */
export function PresetsDialog(props: { readonly draft: DraftForm; readonly onClose: () => void }) {
  const { draft } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const presets = useQuery({ queryKey: ['presets'], queryFn: () => askValue('presets.list', {}) });
  const save = useCall('presets.save');
  const remove = useCall('presets.remove');
  const again = () => client.invalidateQueries({ queryKey: ['presets'] });
  const failure = presets.error?.failure ?? save.failure ?? remove.failure;
  const known = presets.data ?? [];

  async function saveNow() {
    const same = known.find((preset) => preset.name === name.trim());
    const content = presetOf(draft.state.content);
    const saved = await save.run({ ...(same ? { id: same.id } : {}), name, content });
    if (!saved.ok) return;
    setName('');
    await again();
  }

  return (
    <Dialog
      title={t('compose.presetsTitle')}
      onClose={props.onClose}
      actions={<Button onPress={props.onClose}>{t('common.close')}</Button>}
    >
      <p>{t('compose.presetsText')}</p>
      {failure ? <FailureView failure={failure} /> : null}
      <Presets
        presets={known}
        onUse={(preset) => {
          draft.set(preset.content);
          props.onClose();
        }}
        onRemove={(id) => void remove.run({ id }).then(again)}
      />
      <form
        className={css.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void saveNow();
        }}
      >
        <TextField label={t('compose.presetName')} value={name} onChange={setName} maxLength={80} />
        <div>
          <Button type="submit" isDisabled={name.trim() === ''} isPending={save.busy}>
            {t('compose.savePreset')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Presets(props: {
  readonly presets: readonly Preset[];
  readonly onUse: (preset: Preset) => void;
  readonly onRemove: (id: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <ul className={css.list} aria-label={t('compose.presets')}>
      {props.presets.map((preset) => (
        <li key={preset.id} className={css.item}>
          <div>
            <strong>{preset.name}</strong>
            {t(`compose.kinds.${preset.content.kind}`)}
          </div>
          <Button aria-label={`${t('compose.usePreset')}: ${preset.name}`} onPress={() => props.onUse(preset)}>
            {t('compose.usePreset')}
          </Button>
          <Button
            kind="quiet"
            aria-label={`${t('common.remove')}: ${preset.name}`}
            onPress={() => props.onRemove(preset.id)}
          >
            {t('common.remove')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function presetOf({ fileToken: _file, imageToken: _image, ...content }: DraftContent): PresetContent {
  return content;
}
