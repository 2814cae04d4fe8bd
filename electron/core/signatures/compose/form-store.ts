import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Removed } from '../../../../contract/call.ts';
import { type PresetContent, presetContent, type RequestKind } from '../../../../contract/compose.ts';
import { fieldReasons } from '../../../../contract/failure.ts';
import type { FileToken } from '../../../../contract/files.ts';
import {
  type Draft,
  type DraftSummary,
  type FormPlace,
  type FormToSave,
  isCorrectable,
  type StoredForm,
} from '../../../../contract/forms.ts';
import type { JobState } from '../../../../contract/jobs.ts';
import { requestOperations } from '../../../../contract/operation.ts';
import type { StoredJob } from '../../../store/jobs/job-rows.ts';
import type { FormTable, KeptFile, NewForm, StoredFormRow } from '../../../store/signatures/forms.ts';
import type { Store } from '../../../store/store.ts';
import type { ConnectionRegistry } from '../../connections/connections.ts';
import type { Files } from '../../files/file-tokens.ts';
import { removeOld } from '../../files/left-behind.ts';
import { durablePath, type FileLocation } from '../../files/own-files.ts';
import { appError, orNotFound } from '../../foundation/app-error.ts';
import type { Removals } from '../../foundation/removals.ts';
import { fileOfJob } from '../../jobs/corrections.ts';
import type { SpoolPart } from '../../jobs/spool.ts';
import type { Jobs } from '../../jobs/start-jobs.ts';
import type { SecretVault } from '../../secrets/secret-vault.ts';

/**
 * Stores requests in every place. They survive a restart: files of a draft by their path, or as a copy if they have no path of their own.
 */
export interface FormStore {
  /** Without drafts in which nothing is filled in: a bulk needs a form, and a form can be emptied again. */
  list(place: FormPlace, connectionId?: string): StoredForm[];
  /** A draft with its files. Rejects with not-found. */
  open(id: string): Promise<Draft>;
  /** See `forms.save`. */
  save(form: FormToSave): Promise<StoredForm>;
  /**
   * Throws bad-input while a draft is being sent. It can be put back as it was, a draft with its files and its secret word, unless that was sent meanwhile or
   * another one has its name or its ID.
   */
  remove(id: string): Removed;
  /**
   * The draft of a request that was not accepted: the draft it was sent from, else a new one made from its arguments.
   * Rejects with not-found if its connection was removed.
   */
  ofJob(job: StoredJob): Promise<string>;
  /**
   * Binds a draft to the job that sends it. Call within the transaction that writes the job. Returns the earlier job
   * of the draft, which was not accepted and is replaced, or null. Throws not-found, and bad-input while the draft is
   * being sent.
   */
  send(id: string, jobId: string): string | null;
  /** Follows the state of jobs: if a draft's job was accepted, the draft is gone and its copies are removed. */
  follow(jobs: readonly { readonly id: string; readonly state: JobState }[]): void;
  /** Removes drafts that were sent as a bulk or have nothing filled in, and copies that no longer belong to a draft. */
  sweep(): Promise<void>;
}

interface Needs {
  readonly store: Pick<Store, 'forms' | 'bulks' | 'jobs'>;
  readonly connections: Pick<ConnectionRegistry, 'get'>;
  readonly jobs: Pick<Jobs, 'copyOf' | 'secretWordOf'>;
  readonly files: Files;
  readonly vault: SecretVault;
  readonly dataDir: string;
  readonly removals: Removals;
  /** Emits `forms.changed`. */
  readonly changed: () => void;
}

/** Copies without a draft belong to corrected registrations, which the queue copied long before: a copy is small, and a lost file is worse. */
const keptAfterMs = 7 * 24 * 3_600_000;

/** Opens the forms in the store; copies of their files are in the folder `drafts` of the data folder. */
export function createFormStore(needs: Needs): FormStore {
  const { files, dataDir, changed } = needs;
  const { forms } = needs.store;
  const folder = join(dataDir, 'drafts');
  const copies = (id: string) => join(folder, id);
  const forgetCopies = (id: string) => void rm(copies(id), { recursive: true, force: true }).catch(() => undefined);
  const known = (id: string): StoredFormRow => {
    const form = forms.get(id);
    if (form?.place !== 'draft') throw appError('not-found', 'no such draft');
    return form;
  };
  /** Sent drafts by job id, with the last known state of the job. */
  const sent = new Map(forms.list('draft').flatMap(({ id, job }) => (job ? [[job.id, { id, state: job.state }]] : [])));
  return {
    list: (place, connectionId) =>
      forms
        .list(place, connectionId)
        .filter((row) => !isEmptyDraft(row))
        .map(formOf),
    open: async (id) => openDraft(files, await withFiles(needs, known(id), copies(id))),
    save: async (form) => {
      const row = form.place === 'draft' ? await saveDraft(needs, form, known, copies) : saveNamed(forms, form);
      changed();
      return formOf(forms.get(row.id) ?? row);
    },
    remove: (id) => removeForm(needs, id, () => forgetCopies(id)),
    ofJob: async (job) => {
      const draft = forms.ofJob(job.id) ?? (await draftOfJob(needs, job, copies));
      changed();
      return draft.id;
    },
    send: (id, jobId) => {
      const { job } = known(id);
      if (job && !isCorrectable(job.state)) throw underWay({ job });
      forms.bind(id, jobId);
      if (job) sent.delete(job.id);
      sent.set(jobId, { id, state: 'prepared' });
      return job?.id ?? null;
    },
    follow: (jobs) => {
      const moved = jobs.filter(({ id, state }) => (sent.get(id)?.state ?? state) !== state);
      for (const { id: jobId, state } of moved) {
        const { id } = sent.get(jobId) ?? {};
        if (id === undefined) continue;
        if (state !== 'done') sent.set(jobId, { id, state });
        else {
          sent.delete(jobId);
          forgetCopies(id);
        }
      }
      if (moved.length > 0) changed();
    },
    sweep: async () => {
      forms.removeSent();
      for (const { id } of forms.list('draft').filter(isEmptyDraft)) forms.remove(id);
      await removeOld(folder, keptAfterMs, (id) => forms.get(id) !== null);
    },
  };
}

function removeForm({ store, removals, changed }: Needs, id: string, forget: () => void): Removed {
  const { forms, jobs } = store;
  const form = forms.get(id);
  const removed = forms.remove(id);
  if (!removed) throw underWay(forms.get(id));
  const isSent = () => jobs.get(form?.job?.id ?? '')?.state === 'done';
  const isTaken = () => form !== null && (isSent() || isTakenByOther(forms, form));
  return removals.keep({ putBack: () => (isTaken() ? 0 : removed.putBack()) }, changed, forget);
}

type Named = Exclude<FormToSave, { readonly place: 'draft' }>;

/** Adds a preset or a template, or changes one. */
function saveNamed(forms: FormTable, given: Named): StoredFormRow {
  if (given.id !== undefined && forms.get(given.id)?.place !== given.place)
    throw appError('not-found', `no such ${given.place}`);
  const form = namedForm(given);
  if (isTakenByOther(forms, form)) {
    const field = form.place === 'preset' ? 'name' : 'content.templateId';
    throw appError('bad-input', `another ${form.place} has it`, { fields: { [field]: fieldReasons.isTaken } });
  }
  if (!forms.change(form)) forms.add(form);
  return form;
}

/** A preset or a template as it is stored; without an ID it gets a new one. */
export function namedForm({ id = randomUUID(), ...given }: Named): StoredFormRow {
  return {
    id,
    place: given.place,
    name: given.name,
    content: JSON.stringify(given.content),
    connectionId: given.place === 'template' ? given.connectionId : null,
    file: null,
    image: null,
    secret: null,
    updatedAt: new Date().toISOString(),
    usedAt: null,
    job: null,
  };
}

/** Whether another one has what only one of its place may have: a preset its name, a template its ID on its connection. Drafts may be alike. */
function isTakenByOther(forms: FormTable, form: NewForm): boolean {
  const keyOf = ({ place, name, connectionId, content }: NewForm) =>
    place === 'preset' ? name.toLowerCase() : `${connectionId ?? ''} ${JSON.parse(content).templateId}`;
  return (
    form.place !== 'draft' && forms.list(form.place).some((one) => one.id !== form.id && keyOf(one) === keyOf(form))
  );
}

/** Adds a draft (without id) or changes one. Chosen files without a lasting path are copied beside the draft. */
async function saveDraft(
  { store, files, vault, dataDir }: Needs,
  { id: given, connectionId, content, secretWord }: Extract<FormToSave, { readonly place: 'draft' }>,
  known: (id: string) => StoredFormRow,
  copies: (id: string) => string,
): Promise<StoredFormRow> {
  const before = given === undefined ? null : known(given);
  const id = given ?? randomUUID();
  const { fileToken, imageToken, ...kept } = content;
  const keep = (part: string, token: string | null, earlier: KeptFile | null) =>
    keepFile({ dataDir, into: copies(id) }, files, part, token, earlier);
  const file = await keep('document', fileToken, before?.file ?? null);
  const image = await keep('image', imageToken, before?.image ?? null);
  const secret = secretWord === undefined ? (before?.secret ?? null) : secretWord && (await vault.seal(secretWord));
  const draft: NewForm = {
    id,
    place: 'draft',
    connectionId,
    name: kept.documentName || file?.name || kept.templateId,
    content: JSON.stringify(kept),
    file,
    image,
    secret: secret || null,
    updatedAt: new Date().toISOString(),
  };
  if (before === null) store.forms.add(draft);
  else if (!store.forms.change(draft)) throw underWay(known(id));
  return known(id);
}

function underWay(draft: Pick<StoredFormRow, 'job'> | null) {
  return appError('bad-input', `the draft is ${draft?.job?.state ?? 'gone'}`, { fields: { id: 'is being sent' } });
}

/**
 * Makes a draft of a request that was not sent from a draft (but by a bulk or the command line). Two calls at the
 * same time make one draft.
 */
async function draftOfJob(
  { store, connections, jobs, vault, dataDir }: Needs,
  job: StoredJob,
  copies: (id: string) => string,
): Promise<Pick<StoredFormRow, 'id'>> {
  const { separator } = await connections.get(job.connectionId);
  const id = randomUUID();
  const lasting = async (part: SpoolPart) => {
    const file = await fileOfJob(job, part, jobs);
    if (!file) return null;
    // If the file no longer exists, the draft still tells its path and name.
    const path = await durablePath({ dataDir, into: copies(id) }, file.path, part).catch(() => file.path);
    return { ...file, path };
  };
  const content = contentOfJob(job, separator);
  const word = job.hasSecret ? await jobs.secretWordOf(job.id) : null;
  const draft: NewForm = {
    id,
    place: 'draft',
    connectionId: job.connectionId,
    name: content.documentName || job.title,
    content: JSON.stringify(content),
    file: await lasting('document'),
    image: await lasting('image'),
    secret: word === null ? store.bulks.secretOfJob(job.id) : await vault.seal(word),
    updatedAt: new Date().toISOString(),
  };
  if (store.forms.add(draft, job.id)) return draft;
  await rm(copies(id), { recursive: true, force: true });
  return orNotFound(store.forms.ofJob(job.id), 'the draft was removed meanwhile');
}

/** Replaces files of a sent request that are no longer at their path with the queue's copies. */
async function withFiles({ store, jobs, dataDir }: Needs, draft: StoredFormRow, into: string): Promise<StoredFormRow> {
  const job = draft.job && isCorrectable(draft.job.state) ? store.jobs.get(draft.job.id) : null;
  if (!job) return draft;
  const found = async (part: SpoolPart, kept: KeptFile | null) => {
    const source = part === 'document' ? job.sourcePath : job.imagePath;
    const file = kept?.path === source ? await fileOfJob(job, part, jobs) : null;
    if (!kept || !file || file.path === kept.path) return kept;
    return { path: await durablePath({ dataDir, into }, file.path, part), name: kept.name };
  };
  const file = await found('document', draft.file);
  const image = await found('image', draft.image);
  if (file === draft.file && image === draft.image) return draft;
  store.forms.change({ ...draft, file, image });
  return { ...draft, file, image };
}

async function openDraft(files: Files, draft: StoredFormRow): Promise<Draft> {
  const [file, image] = [await tokenOf(files, draft.file), await tokenOf(files, draft.image)];
  const missing = [
    [draft.file, file],
    [draft.image, image],
  ] as const;
  return {
    ...draftOf(draft),
    content: {
      ...presetContent.parse(JSON.parse(draft.content)),
      fileToken: file?.token ?? null,
      imageToken: image?.token ?? null,
    },
    file,
    image,
    missingFiles: missing.flatMap(([kept, token]) => (kept && !token ? [kept.name] : [])),
    hasSecretWord: draft.secret !== null,
  };
}

async function tokenOf(files: Files, kept: KeptFile | null): Promise<FileToken | null> {
  if (!kept) return null;
  return files.accept(kept.path, { name: kept.name }).catch(() => null);
}

/** A row as a window gets it. Contents of presets and drafts get the fields that were added since they were stored. */
function formOf(row: StoredFormRow): StoredForm {
  const { id, place, name, updatedAt, connectionId } = row;
  if (place === 'draft') return draftOf(row);
  const content = JSON.parse(row.content);
  return place === 'preset'
    ? { place, id, name, updatedAt, content: presetContent.parse(content) }
    : { place, id, name, updatedAt, connectionId, content, lastUsedAt: row.usedAt };
}

function draftOf({ id, name, updatedAt, connectionId, content, job }: StoredFormRow): DraftSummary {
  const { kind, recipients } = presetContent.parse(JSON.parse(content));
  const recipientCount = recipients.filter(hasInput).length;
  return { place: 'draft', id, name, updatedAt, connectionId: connectionId ?? '', kind, recipientCount, job };
}

/** The kind of request alone is nothing: it is that of the button with which the form was opened. */
function isEmptyDraft({ place, file, image, secret, content }: StoredFormRow): boolean {
  if (place !== 'draft' || file || image || secret) return false;
  const { kind, recipients, ccEmails, ...rest } = presetContent.parse(JSON.parse(content));
  const people = [...recipients, ...ccEmails.map((email) => ({ name: '', email }))];
  const nothing = presetContent.parse({ kind });
  return !people.some(hasInput) && isDeepStrictEqual({ ...nothing, ...rest }, nothing);
}

const hasInput = (one: PresetContent['recipients'][number]) => one.name !== '' || one.email !== '';

/** Stores a chosen file. If it no longer exists, the earlier path and name are kept. */
async function keepFile(
  place: FileLocation,
  files: Files,
  part: string,
  token: string | null,
  before: KeptFile | null,
): Promise<KeptFile | null> {
  if (token === null) return null;
  const file = await files.file(token).catch(() => null);
  return file ? { path: await durablePath(place, file.path, part), name: file.name } : before;
}

const kinds = Object.keys(requestOperations) as readonly RequestKind[];

/** Kind of request of a job; undefined if the operation is no signature request. */
export function kindOfJob({ operation }: Pick<StoredJob, 'operation'>): RequestKind | undefined {
  return kinds.find((kind) => requestOperations[kind] === operation);
}

/**
 * The form content of a request, read from the arguments it was sent with. The inverse of signature-order.ts, with
 * the separator that was used then.
 */
export function contentOfJob(job: Pick<StoredJob, 'operation' | 'args'>, separator: string): PresetContent {
  const { args } = job;
  const text = (name: string) => String(args[name] ?? '');
  const list = (name: string) => (args[name] === undefined ? [] : text(name).split(separator));
  const said = (name: string) => (typeof args[name] === 'boolean' ? args[name] : null);
  const names = list('Names');
  return presetContent.parse({
    kind: kindOfJob(job),
    documentName: text('DocumentName'),
    description: text('Description'),
    clientId: text('ClientID'),
    recipients: list('Emails').map((email, index) => ({ email, name: names[index] ?? '' })),
    ccEmails: list('CCEmails'),
    ownerSigns: args.ReqOwnerESign === true,
    ownerFirst: args.OwnerESignFirst === true,
    creditType: typeof args.creditType === 'number' ? args.creditType : null,
    templateId: text('TemplateID'),
    elementsFromTemplateId: text('ElementsFromTemplateID'),
    uniqueId: text('UniqueID'),
    xmlData: text('XMLData'),
    messageToSigners: text('MessageToSigners'),
    customSubject: text('CustomSubject'),
    allowSignerElementAdd: said('AllowSignerElementAdd'),
    enforceSigClick: said('EnforceSigClick'),
    idVerify: said('IDVerify'),
  });
}
