import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftContent, Preset, PresetContent } from '../../../contract/compose.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useRemoval } from '../../features/removal.ts';
import { type SharedOf, useSharedItems } from '../../features/shared-items.ts';
import { keyByName, type Listed, listTogether, type Sharing, useSharing } from '../../features/sharing.ts';
import { ShareButtons, SharedBy, SharingState } from '../../features/sharing-parts.tsx';
import { UndoStrip } from '../../features/undo-strip.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, TextField } from '../../parts/field.tsx';
import css from './compose.module.css';
import { withPreset } from './draft-state.ts';
import type { DraftForm } from './use-draft.ts';

type KnownPreset = Listed<Preset, SharedOf<'preset'>>;

/** Named settings of a request, saved here or shared by the team: everything but files and secret word. */
export function PresetsDialog(props: {
  readonly draft: DraftForm;
  readonly connectionId: string;
  readonly onClose: () => void;
}) {
  const { draft, connectionId } = props;
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const presets = useQuery({ queryKey: ['presets'], queryFn: () => askValue('presets.list', {}) });
  const shared = useSharedItems(connectionId, 'preset');
  const sharing = useSharing(connectionId);
  const save = useCall('presets.save');
  const remove = useRemoval('presets.remove');
  const failure = presets.error?.failure ?? save.failure ?? remove.failure;
  const known = presets.data ?? [];

  async function saveNow() {
    const same = known.find((preset) => preset.name === name.trim());
    const content = presetOf(draft.state.content);
    const saved = await save.run({ ...(same ? { id: same.id } : {}), name, content });
    if (saved.ok) setName('');
  }

  async function copy(preset: Pick<Preset, 'name' | 'content'>) {
    const saved = await save.run(preset);
    if (saved.ok) sharing.announceCopy(preset.name);
  }

  return (
    <Dialog wide title={t('compose.presetsTitle')} onClose={props.onClose}>
      <p>{[t('compose.presetsText'), ...(sharing.isJoined ? [t('team.sharing.presetText')] : [])].join(' ')}</p>
      {failure ? <FailureView failure={failure} /> : null}
      <SharingState sharing={sharing} />
      <Presets
        presets={listTogether(known, shared, keyByName)}
        sharing={sharing}
        onUse={(content) => {
          draft.change((now) => withPreset(now, content));
          props.onClose();
        }}
        onCopy={(preset) => void copy(preset)}
        onRemove={({ id, name }) => void remove.run({ id }, name)}
      />
      <UndoStrip />
      <Form className={css.stack} onSubmit={() => void saveNow()}>
        <TextField label={t('compose.presetName')} value={name} onChange={setName} maxLength={80} />
        <div>
          <Button type="submit" isDisabled={name.trim() === ''} isPending={save.busy}>
            {t('compose.savePreset')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface PresetsProps {
  readonly sharing: Sharing;
  readonly onUse: (content: PresetContent) => void;
  /** Saves a colleague's preset as one's own. */
  readonly onCopy: (preset: Pick<Preset, 'name' | 'content'>) => void;
  readonly onRemove: (preset: Preset) => void;
}

function Presets(props: PresetsProps & { readonly presets: readonly KnownPreset[] }) {
  const { t } = useTranslation();
  return (
    <ul className={css.list} aria-label={t('compose.presets')}>
      {props.presets.map((one) => (
        <PresetItem key={keyByName(one.own ?? one.shared.value)} {...props} one={one} />
      ))}
    </ul>
  );
}

function PresetItem(props: PresetsProps & { readonly one: KnownPreset }) {
  const { t } = useTranslation();
  const { own, shared } = props.one;
  const { name, content } = own ?? shared.value;
  return (
    <li className={css.item}>
      <div>
        <strong>{name}</strong>
        {t(`compose.kinds.${content.kind}`)}
        <SharedBy item={shared} />
      </div>
      <div className={css.itemActions}>
        <Button of={name} onPress={() => props.onUse(content)}>
          {t('compose.usePreset')}
        </Button>
        {own ? null : (
          <Button kind="quiet" of={name} onPress={() => props.onCopy({ name, content })}>
            {t('team.sharing.copy')}
          </Button>
        )}
        <ShareButtons sharing={props.sharing} own={own ? { kind: 'preset', name, content } : null} shared={shared} />
        {own ? (
          <Button kind="quiet" of={name} onPress={() => props.onRemove(own)}>
            {t('common.remove')}
          </Button>
        ) : null}
      </div>
    </li>
  );
}

function presetOf({ fileToken: _file, imageToken: _image, ...content }: DraftContent): PresetContent {
  return content;
}
