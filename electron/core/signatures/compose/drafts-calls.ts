import { type Preset, presetContent } from '../../../../contract/compose.ts';
import { fieldReasons } from '../../../../contract/field-reasons.ts';
import type { HandlersOf } from '../../../../contract/index.ts';
import type { StoredPreset } from '../../../store/signatures/drafts.ts';
import type { Context } from '../../context.ts';
import { appError } from '../../foundation/app-error.ts';
import type { DraftStore } from './draft-store.ts';

/** Calls about drafts and presets. */
export function draftCalls(
  { connections, store, emit, removals }: Context,
  drafts: DraftStore,
): HandlersOf<'drafts' | 'presets'> {
  const changed = () => emit('drafts.changed', null);
  return {
    'drafts.list': async ({ connectionId }) => drafts.list(connectionId),
    'drafts.get': ({ id }) => drafts.get(id),
    'drafts.save': async ({ id, connectionId, content, secretWord }) => {
      await connections.get(connectionId);
      return drafts.save({ id, connectionId, content, secretWord });
    },
    'drafts.remove': async ({ id }) => drafts.remove(id),
    'presets.list': async () => store.drafts.presets().map(presetOf),
    'presets.save': async ({ id, name, content }) => {
      const presets = store.drafts.presets();
      if (id !== undefined && !presets.some((one) => one.id === id)) throw appError('not-found', 'no such preset');
      if (presets.some((one) => one.id !== id && one.name.toLowerCase() === name.toLowerCase()))
        throw appError('bad-input', 'a preset has this name', { fields: { name: fieldReasons.isTaken } });
      const preset = presetOf(store.drafts.putPreset(id, name, JSON.stringify(content)));
      changed();
      return preset;
    },
    'presets.remove': async ({ id }) => removals.keep(store.drafts.removePreset(id), changed),
  };
}

function presetOf({ content, ...preset }: StoredPreset): Preset {
  return { ...preset, content: presetContent.parse(JSON.parse(content)) };
}
