import { basename } from 'node:path';
import { z } from 'zod';
import type { HandlersOf } from '../../../../contract/index.ts';
import { lineOf, xmlText } from '../../../../contract/text.ts';
import type { PracticeSupervisor } from '../../connections/practice-supervisor.ts';
import type { Context } from '../../context.ts';
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts';
import { chooseTarget } from '../../files/target.ts';
import { appError } from '../../foundation/app-error.ts';

/** Form of an exported file. Connections exist on one computer only, so they are left out. */
const file = z.strictObject({
  sealdesk: z.literal('templates'),
  version: z.literal(1),
  templates: z
    .array(
      z.strictObject({
        templateId: lineOf(200),
        name: lineOf(200),
        note: xmlText(2000).default(''),
        use: z.enum(['template', 'elements', 'both']).default('template'),
      }),
    )
    .max(10_000),
});

/** Calls about the local library of template IDs, and about the templates that a service names. */
export function templateCalls(
  { store, connections, files, ports, emit, removals }: Context,
  practice: PracticeSupervisor,
): HandlersOf<'templates'> {
  const { templates } = store;
  const changed = () => emit('templates.changed', null);
  return {
    'templates.list': async ({ connectionId }) => templates.list(connectionId),
    'templates.offered': async ({ connectionId }) => {
      const { kind } = await connections.get(connectionId);
      if (kind !== 'practice') return [];
      return await practice.use(async ({ templates }) =>
        templates.map(({ id, title }) => ({ templateId: id, name: title })),
      );
    },
    'templates.save': async ({ id, ...template }) => {
      if (id !== undefined && !templates.get(id)) throw appError('not-found', 'no such template');
      const same = templates.find(template.connectionId, template.templateId);
      if (same && same.id !== id)
        throw appError('bad-input', 'this template is kept already', { fields: { templateId: 'is kept already' } });
      const kept = templates.put(id, template);
      changed();
      return kept;
    },
    'templates.remove': async ({ id }) => removals.keep(templates.remove(id), changed),
    'templates.export': async () => {
      const target = await chooseTarget(ports.dialogs, 'Sealdesk templates.json');
      if (target === null) return null;
      const all = templates.list().map(({ templateId, name, note, use }) => ({ templateId, name, note, use }));
      const path = await writeJsonFile(target, { sealdesk: 'templates', version: 1, templates: all });
      return { fileName: basename(path), count: all.length };
    },
    'templates.import': async ({ token }) => {
      const { templates: given } = await readJsonFile(await files.file(token), file);
      const counts = templates.putAll(given.map((template) => ({ ...template, connectionId: null })));
      changed();
      return counts;
    },
  };
}
