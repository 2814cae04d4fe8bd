import { z } from 'zod';
import { call, event, type Removed } from './call.ts';
import { draftContent, type PresetContent, presetContent, type RequestKind } from './compose.ts';
import type { Failure } from './failure.ts';
import type { ExportedFile, FileToken, ImportedFile } from './files.ts';
import type { JobState } from './jobs.ts';
import { lineOf, localId, xmlText } from './text.ts';

/**
 * Where a form is stored: `draft` is an unfinished request, or one that was not taken and is corrected; `preset` has a name and can be used for many
 * requests; `template` is a template ID with a name, because the interface cannot list templates.
 */
export const formPlaces = ['draft', 'preset', 'template'] as const;
export type FormPlace = (typeof formPlaces)[number];

interface Stored<P extends FormPlace> {
  readonly place: P;
  readonly id: string;
  /** As the person named it; of a draft the name of its document, file or template, empty if there is none yet. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

export interface DraftSummary extends Stored<'draft'> {
  readonly connectionId: string;
  readonly kind: RequestKind;
  readonly recipientCount: number;
  /**
   * The job that sent the draft. While it is under way (`prepared`, `waiting`, `sending`) the draft can be neither changed nor sent; when the service
   * has taken it, the draft is removed. Null if the draft was not sent, or its job was taken off the list.
   */
  readonly job: FormJob | null;
}

/** `isBesideDoubt`: as `Job.isBesideDoubt`. */
export interface FormJob {
  readonly id: string;
  readonly state: JobState;
  readonly failure: Failure | null;
  readonly isBesideDoubt?: boolean;
}

export interface Draft extends DraftSummary {
  /** `fileToken` and `imageToken` are valid until the program ends; null if there is no file, or it does not exist any more. */
  readonly content: z.output<typeof draftContent>;
  readonly file: FileToken | null;
  readonly image: FileToken | null;
  /** Names of the draft's files that do not exist any more. */
  readonly missingFiles: readonly string[];
  /** The word itself stays in the core; see `secretWord` in `forms.save` and `secretOfDraft` in a request. */
  readonly hasSecretWord: boolean;
}

export interface Preset extends Stored<'preset'> {
  readonly content: PresetContent;
}

/** `use`: `template` is for TemplateID, `elements` for ElementsFromTemplateID. */
export const templateContent = z.strictObject({
  templateId: lineOf(200),
  note: xmlText(2000).default(''),
  use: z.enum(['template', 'elements', 'both']).default('template'),
});
export type TemplateContent = z.output<typeof templateContent>;

export interface Template extends Stored<'template'> {
  /** Null: for every connection. */
  readonly connectionId: string | null;
  readonly content: TemplateContent;
  /** When a request with it was last sent; null if never. */
  readonly lastUsedAt: string | null;
}

export type StoredForm = DraftSummary | Preset | Template;

export const templateName = lineOf(200);

/** What is stored: without `id` a new one, else in place of the one that has it. */
const saved = { id: localId.optional() };
export const formToSave = () =>
  z.discriminatedUnion('place', [
    z.strictObject({
      place: z.literal('draft'),
      ...saved,
      connectionId: localId,
      content: draftContent,
      /** A secret: if absent it stays unchanged, if empty it is removed. Kept encrypted; the key is in the keychain, or in memory for this run. */
      secretWord: xmlText(200).optional(),
    }),
    z.strictObject({ place: z.literal('preset'), ...saved, name: lineOf(80), content: presetContent }),
    z.strictObject({
      place: z.literal('template'),
      ...saved,
      connectionId: localId.nullable().default(null),
      name: templateName,
      content: templateContent,
    }),
  ]);
export type FormToSave = z.output<ReturnType<typeof formToSave>>;

/** A template that the service itself names. */
export interface OfferedTemplate {
  readonly templateId: string;
  readonly name: string;
}

export const forms = {
  /** Drafts by their last change, others by name. With a connection: its own and those for every connection. */
  'forms.list': call(() => ({ place: z.enum(formPlaces), connectionId: localId.optional() })).answers<
    readonly StoredForm[]
  >(),
  /** Opens a draft. Rejects with not-found. */
  'forms.open': call(() => ({ id: localId })).answers<Draft>(),
  /**
   * Adds or changes one. Files of a draft without a permanent location (from a mail client) are copied. Rejects with not-found, and with bad-input while the
   * draft is being sent, if another preset has the name, or if another template of the same connection has the ID.
   */
  'forms.save': call(formToSave).answers<StoredForm>(),
  /** Rejects with bad-input while a draft is being sent. */
  'forms.remove': call(() => ({ id: localId })).answers<Removed>(),
  /**
   * Templates that the service itself names: those of the practice service; none on other connections, as the interface cannot list them. Rejects with
   * not-found.
   */
  'templates.offered': call(() => ({ connectionId: localId })).answers<readonly OfferedTemplate[]>(),
  /** Exports into a JSON file that the person chooses; null if the person cancelled. */
  'templates.export': call(() => ({})).answers<ExportedFile | null>(),
  /** Imports an exported file: existing templates are changed, others are added. Imported ones are for every connection. */
  'templates.import': call(() => ({ token: localId })).answers<ImportedFile>(),
};

export const formEvents = {
  'forms.changed': event<null>(),
};

/** States of a job that can be corrected and sent as a new one: the service did not take it, or this is unknown (`in-doubt`). */
const correctable = [
  'refused',
  'failed',
  'passed-over',
  'cancelled',
  'in-doubt',
] as const satisfies readonly JobState[];
export type Correctable = (typeof correctable)[number];

export function isCorrectable(state: JobState): state is Correctable {
  return correctable.some((one) => one === state);
}

interface OfJob {
  readonly jobId: string;
  readonly connectionId: string;
  readonly state: Correctable;
  readonly failure: Failure | null;
  /** As `Job.isBesideDoubt`. */
  readonly isBesideDoubt?: boolean;
}

/** The input of a job, for its form. */
export type Correction =
  /** A signature request, also of a bulk's row, as a draft for `drafts.get`. */
  | { readonly kind: 'request'; readonly draftId: string }
  | (OfJob & {
      readonly kind: 'register';
      /** The file in its place, or the queue's copy; null if neither exists. */
      readonly file: FileToken | null;
      readonly fileName: string;
      readonly name: string;
      readonly description: string;
      readonly clientId: string;
      readonly creditType: number | null;
    })
  | (OfJob & { readonly kind: 'note'; readonly message: string; readonly description: string });

export const corrections = {
  /**
   * Returns the input of a job that the service did not take. It is sent by the call that sent it first (`signatures.request` with the draft,
   * `documents.register` or `service.addQuickNote` with `corrects`) as a new job, which takes the old one off the list in the same step, so that
   * never both are sent. Rejects with not-found, and with bad-input if the job is under way or was taken.
   */
  'corrections.open': call(() => ({ jobId: localId })).answers<Correction>(),
};
