import type { KeptTemplate } from '../../../contract/templates.ts';
import type { SharedOf } from '../../features/shared-items.ts';
import { useSharedItems } from '../../features/shared-items.ts';
import { type Listed, listTogether } from '../../features/sharing.ts';
import { useTemplates } from '../../features/signature-queries.ts';

export type TemplateValue = SharedOf<'template'>['value'];
export type KnownTemplate = Listed<KeptTemplate, SharedOf<'template'>>;

/** Templates that a person saved and that the team shares, each once: one's own name wins. */
export function useKnownTemplates(connectionId: string) {
  const saved = useTemplates(connectionId);
  const shared = useSharedItems(connectionId, 'template');
  return {
    templates: listTogether(saved.data ?? [], shared, ({ templateId }) => templateId),
    failure: saved.error?.failure ?? null,
  };
}

/** The fields that both kinds of template have. */
export function fieldsOf({ own, shared }: KnownTemplate): TemplateValue {
  if (!own) return shared.value;
  const { templateId, name, note, use } = own;
  return { kind: 'template', templateId, name, note, use };
}
