import type { TemplateContent } from '../../../contract/forms.ts';
import type { CallInput } from '../../../contract/index.ts';
import { ask } from '../../bridge/client.ts';
import { useCall } from '../../bridge/use-call.ts';
import { type FormOf, useForms } from '../signature-queries.ts';
import { type Listed, listTogether, type SharedOf, useSharedItems } from '../team/sharing.ts';
import { useOfferBefore, useRemoval } from '../undo.tsx';

/** A preset or a template to save. */
export type NamedForm = Extract<CallInput<'forms.save'>, { readonly name: string }>;

/** Saves, changes and removes stored forms. */
export function useFormChanges() {
  const save = useCall('forms.save');
  const remove = useRemoval('forms.remove');
  const offerBefore = useOfferBefore();
  return {
    save,
    remove,
    /** Saves a form in place of what it was before, which can be undone; answers its ID, null if that failed. `before`: null for a new one. */
    put: async (form: NamedForm, before: NamedForm | null): Promise<string | null> => {
      const saved = await save.run(form);
      if (saved.ok && before) offerBefore(form.name, () => ask('forms.save', before));
      return saved.ok ? saved.value.id : null;
    },
  } as const;
}

export type TemplateValue = SharedOf<'template'>['value'];
export type KnownTemplate = Listed<FormOf<'template'>, SharedOf<'template'>>;

/** Templates that a person saved and that the team shares, each once: one's own name wins. */
export function useKnownTemplates(connectionId: string) {
  const saved = useForms('template', connectionId);
  const shared = useSharedItems(connectionId, 'template');
  return {
    templates: listTogether(saved.data ?? [], shared, (one) => contentOf(one).templateId),
    failure: saved.error?.failure ?? null,
  };
}

const contentOf = (one: FormOf<'template'> | TemplateValue): TemplateContent => ('content' in one ? one.content : one);

/** The fields that both kinds of template have. */
export function fieldsOf({ own, shared }: KnownTemplate): TemplateValue {
  return own ? { kind: 'template', name: own.name, ...own.content } : shared.value;
}
