import { basename } from 'node:path';
import { z } from 'zod';
import { templateContent, templateName } from '../../../../contract/forms.ts';
import type { HandlersOf } from '../../../../contract/index.ts';
import type { PracticeSupervisor } from '../../connections/practice-supervisor.ts';
import type { Context } from '../../context.ts';
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts';
import { chooseTarget } from '../../files/target.ts';
import { type FormStore, namedForm } from './form-store.ts';

/** Form of an exported file. Connections exist on one computer only, so they are left out. */
const file = z.strictObject({
  sealdesk: z.literal('templates'),
  version: z.literal(1),
  templates: z.array(templateContent.extend({ name: templateName })).max(10_000),
});

/** Calls about stored forms, and about the templates that a service names. */
export function formCalls(
  context: Context,
  forms: FormStore,
  practice: PracticeSupervisor,
): HandlersOf<'forms' | 'templates'> {
  const { connections, files, ports, emit } = context;
  return {
    'forms.list': async ({ place, connectionId }) => forms.list(place, connectionId),
    'forms.open': ({ id }) => forms.open(id),
    'forms.save': async (form) => {
      if (form.place === 'draft') await connections.get(form.connectionId);
      return forms.save(form);
    },
    'forms.remove': async ({ id }) => forms.remove(id),
    'templates.offered': async ({ connectionId }) => {
      const { kind } = await connections.get(connectionId);
      if (kind !== 'practice') return [];
      return await practice.use(async ({ templates }) =>
        templates.map(({ id, title }) => ({ templateId: id, name: title })),
      );
    },
    'templates.export': async () => {
      const target = await chooseTarget(ports.dialogs, 'Sealdesk templates.json');
      if (target === null) return null;
      const all = context.store.forms.list('template').map(({ name, content }) => ({ name, ...JSON.parse(content) }));
      const path = await writeJsonFile(target, { sealdesk: 'templates', version: 1, templates: all });
      return { fileName: basename(path), count: all.length };
    },
    'templates.import': async ({ token }) => {
      const { templates } = await readJsonFile(await files.file(token), file);
      const added = importTemplates(context, templates);
      emit('forms.changed', null);
      return { added, changed: templates.length - added };
    },
  };
}

/** Changes the templates for every connection that have the same ID and adds the others, all in one transaction; answers how many were added. */
function importTemplates({ store }: Context, templates: z.output<typeof file>['templates']): number {
  return store.together(() => {
    const own = store.forms.list('template').filter(({ connectionId }) => connectionId === null);
    const ids = new Map<string, string>(own.map(({ id, content }) => [JSON.parse(content).templateId, id]));
    const before = ids.size;
    for (const { name, ...content } of templates) {
      const form = namedForm({ place: 'template', id: ids.get(content.templateId), connectionId: null, name, content });
      ids.set(content.templateId, form.id);
      if (!store.forms.change(form)) store.forms.add(form);
    }
    return ids.size - before;
  });
}
