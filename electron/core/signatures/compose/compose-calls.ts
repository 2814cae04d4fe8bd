import { basename } from 'node:path';
import { SaxesParser } from 'saxes';
import { z } from 'zod';
import type { XmlCheck } from '../../../../contract/compose.ts';
import { templateContent, templateName } from '../../../../contract/forms.ts';
import type { HandlersOf } from '../../../../contract/index.ts';
import { longestPassedText } from '../../../../contract/text.ts';
import { createTextDecoding } from '../../../soap/reply/decode-text.ts';
import type { StoredJob } from '../../../store/jobs/job-rows.ts';
import type { PracticeSupervisor } from '../../connections/practice-supervisor.ts';
import type { Context } from '../../context.ts';
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts';
import { readWhole } from '../../files/open-file.ts';
import { chooseTarget } from '../../files/target.ts';
import { appError, orNotFound } from '../../foundation/app-error.ts';
import { asRead } from '../../foundation/fs-errors.ts';
import { requestSentBefore } from '../signature-order.ts';
import { type FormStore, namedForm } from './form-store.ts';
import { prepareRequest, previewOf, secretOf } from './prepare-request.ts';
import { checkRecipients } from './recipients.ts';

/** Calls that help to write a signature request, and that open the result of a sent one. */
export function composeCalls(context: Context): HandlersOf<'compose'> {
  const { connections, files, store, ports } = context;
  return {
    'compose.preview': async (request) => {
      const prepared = await prepareRequest(context, request);
      const { connection, order } = prepared;
      const hasSecretWord = (await secretOf(context, request)) !== undefined;
      const before = await requestSentBefore(context, connection, order, request.emails);
      return previewOf({ ...prepared, hasSecretWord, sentBefore: before });
    },
    'compose.checkRecipients': async ({ connectionId, ...given }) =>
      checkRecipients(given, await connections.get(connectionId)),
    'compose.parsePeople': async ({ text }) => (await import('./parse-people.ts')).parsePeople(text),
    'compose.checkXml': async ({ text }) => checkXml(text),
    'compose.readXml': async ({ token }) => ({ text: await readXml(await files.file(token)) }),
    'compose.openAnswer': async ({ jobId }) => {
      const job = orNotFound(store.sent.get(jobId), 'no such job');
      const url = signingPage(job);
      if (url === null) throw appError('bad-input', 'the answer is no https address');
      await ports.desktop.openInBrowser(url);
    },
  };
}

async function readXml({ path }: { readonly path: string }): Promise<string> {
  const tooLong = () =>
    appError('bad-input', 'the XML is too long', {
      fields: { token: `has more than ${longestPassedText} characters` },
    });
  const bytes = await asRead(readWhole(path, 4 * longestPassedText));
  if (!bytes) throw tooLong();
  const text = decoded(bytes);
  if (text.length > longestPassedText) throw tooLong();
  return text;
}

function decoded(bytes: Buffer): string {
  try {
    const decoding = createTextDecoding(null);
    return decoding.write(bytes) + decoding.end();
  } catch {
    throw appError('bad-input', 'the XML is not in the encoding it says', {
      fields: { token: 'is not in the encoding that it says' },
    });
  }
}

const mostDepth = 200;
/** The five entities that XML predefines. Others would need a declaration, and declarations are refused. */
const ownEntities = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

class Refused extends Error {
  readonly reason: 'doctype' | 'entity' | 'too-deep';

  constructor(reason: Refused['reason'], note: string) {
    super(note);
    this.reason = reason;
  }
}

/**
 * Checks whether a text is well-formed XML, and reports the first error's place. Declares and expands nothing. Never
 * throws.
 */
export function checkXml(text: string): XmlCheck {
  if (text.trim() === '') return { ok: false, reason: 'empty', line: 1, column: 1, note: 'there is nothing' };
  const entity = firstEntity(text);
  const parser = new SaxesParser({ xmlns: true, position: true });
  let depth = 0;
  let elementCount = 0;
  let rootElement = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Refused('doctype', 'a document type declaration is not accepted');
  });
  parser.on('opentag', ({ name }) => {
    if (depth === 0) rootElement = name;
    depth += 1;
    elementCount += 1;
    if (depth > mostDepth) throw new Refused('too-deep', `more than ${mostDepth} elements inside each other`);
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  try {
    parser.write(text).close();
    return { ok: true, rootElement, elementCount };
  } catch (error) {
    const note = (error instanceof Error ? error.message : 'not readable').replace(/^\d+:\d+: /, '');
    const reason = error instanceof Refused ? error.reason : /entity/i.test(note) ? 'entity' : 'not-well-formed';
    // saxes reports an entity at its end; people look for its beginning.
    if (reason === 'entity' && entity !== null) return { ok: false, reason, ...placeOf(text, entity), note };
    return { ok: false, reason, line: parser.line, column: Math.max(1, parser.columnIndex), note };
  }
}

function firstEntity(text: string): number | null {
  for (const match of text.matchAll(/&([\p{L}_:][\p{L}\p{N}_:.-]*);/gu))
    if (!ownEntities.has(match[1] ?? '')) return match.index;
  return null;
}

function placeOf(text: string, index: number): { line: number; column: number } {
  const before = text.slice(0, index).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The signing page: only an https address that the service itself returned for this job. */
export function signingPage({ raw, answer }: Pick<StoredJob, 'raw' | 'answer'>): string | null {
  const text = (raw ?? '').trim();
  if (answer?.kind !== 'url' || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}

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
