import { z } from 'zod';
import { call, event } from './call.ts';
import type { Removed } from './removals.ts';
import { lineOf, localId, xmlText } from './text.ts';

/** A template ID that a person saved: the interface cannot list templates, so the list is kept here. */
export interface KeptTemplate {
  readonly id: string;
  /** Null: for every connection. */
  readonly connectionId: string | null;
  readonly templateId: string;
  readonly name: string;
  readonly note: string;
  /** `template`: for TemplateID. `elements`: for ElementsFromTemplateID. */
  readonly use: 'template' | 'elements' | 'both';
  /** When a request with it was last sent; null if never. */
  readonly lastUsedAt: string | null;
}

/** A template that the service itself names. */
export interface OfferedTemplate {
  readonly templateId: string;
  readonly name: string;
}

export const templates = {
  /** Sorted by name. With a connection: its own templates and those for every connection. */
  'templates.list': call(z.strictObject({ connectionId: localId.optional() })).answers<readonly KeptTemplate[]>(),
  /**
   * Templates that the service itself names: those of the practice service; none on other connections, as the interface cannot list them. Rejects with
   * not-found.
   */
  'templates.offered': call(z.strictObject({ connectionId: localId })).answers<readonly OfferedTemplate[]>(),
  /** Adds a template (without id) or changes it (with id). Rejects with bad-input if the same ID is already saved for the same connection. */
  'templates.save': call(
    z.strictObject({
      id: localId.optional(),
      connectionId: localId.nullable().default(null),
      templateId: lineOf(200),
      name: lineOf(200),
      note: xmlText(2000).default(''),
      use: z.enum(['template', 'elements', 'both']).default('template'),
    }),
  ).answers<KeptTemplate>(),
  'templates.remove': call(z.strictObject({ id: localId })).answers<Removed>(),
  /** Exports into a JSON file that the person chooses; null if the person cancelled. */
  'templates.export': call(z.strictObject({})).answers<{ readonly fileName: string; readonly count: number } | null>(),
  /** Imports an exported file: existing templates are changed, others are added. Imported ones are for every connection. */
  'templates.import': call(z.strictObject({ token: localId })).answers<{
    readonly added: number;
    readonly changed: number;
  }>(),
};

export const templateEvents = {
  'templates.changed': event<null>(),
};
