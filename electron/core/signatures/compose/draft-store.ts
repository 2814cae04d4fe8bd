import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Draft, type DraftContent, type DraftSummary, presetContent } from '../../../../contract/compose.ts';
import { isCorrectable } from '../../../../contract/corrections.ts';
import type { FileToken } from '../../../../contract/files.ts';
import type { JobState } from '../../../../contract/jobs.ts';
import type { Removed } from '../../../../contract/removals.ts';
import type { StoredJob } from '../../../store/jobs/job-rows.ts';
import type { KeptFile, NewDraft, StoredDraft } from '../../../store/signatures/drafts.ts';
import type { Store } from '../../../store/store.ts';
import type { ConnectionRegistry } from '../../connections/connections.ts';
import type { Files } from '../../files/file-tokens.ts';
import { durablePath, type FileLocation } from '../../files/own-files.ts';
import { appError } from '../../foundation/app-error.ts';
import type { Removals } from '../../foundation/removals.ts';
import { fileOfJob } from '../../jobs/corrections.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { SpoolPart } from '../../jobs/spool.ts';
import type { SecretVault } from '../../secrets/secret-vault.ts';
import { contentOfJob } from './content-of-job.ts';

/**
 * Stores unfinished requests. They survive a restart: files by their path, or as a copy if they have no path of their
 * own.
 */
export interface DraftStore {
  list(connectionId?: string): DraftSummary[];
  /** Rejects with not-found. */
  get(id: string): Promise<Draft>;
  /** `secretWord`: undefined keeps the stored one, an empty text removes it. */
  save(given: {
    readonly id: string | undefined;
    readonly connectionId: string;
    readonly content: DraftContent;
    readonly secretWord: string | undefined;
  }): Promise<DraftSummary>;
  /** Throws bad-input while the draft is being sent. It can be put back with its files and its secret word, unless it was sent meanwhile. */
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
  /** Removes drafts that were sent as a bulk, and copies that no longer belong to a draft. */
  sweep(): Promise<void>;
}

interface Needs {
  readonly store: Pick<Store, 'drafts' | 'bulks' | 'jobs'>;
  readonly connections: Pick<ConnectionRegistry, 'get'>;
  readonly jobs: Pick<Jobs, 'copyOf' | 'secretWordOf'>;
  readonly files: Files;
  readonly vault: SecretVault;
  readonly dataDir: string;
  readonly removals: Removals;
  /** Emits `drafts.changed`. */
  readonly changed: () => void;
}

/**
 * Copies without a draft belong to corrected registrations, which the queue copied long before. They are kept this
 * long because a copy is small and a lost file is worse.
 */
const keptAfterMs = 7 * 24 * 3_600_000;

/** Opens the drafts in the store; copies of their files are in the folder `drafts` of the data folder. */
export function createDraftStore(needs: Needs): DraftStore {
  const { store, files, dataDir, removals, changed } = needs;
  const folder = join(dataDir, 'drafts');
  const copies = (id: string) => join(folder, id);
  const forgetCopies = (id: string) => void rm(copies(id), { recursive: true, force: true }).catch(() => undefined);
  const known = (id: string): StoredDraft => {
    const draft = store.drafts.get(id);
    if (!draft) throw appError('not-found', 'no such draft');
    return draft;
  };
  /** Sent drafts by job id, with the last known state of the job. */
  const sent = new Map(store.drafts.list().flatMap(({ id, job }) => (job ? [[job.id, { id, state: job.state }]] : [])));
  return {
    list: (connectionId) => store.drafts.list(connectionId).map(summaryOf),
    get: async (id) => openDraft(files, await withFiles(needs, known(id), copies(id))),
    save: async (given) => {
      const id = await saveDraft(needs, given, known, copies);
      changed();
      return summaryOf(known(id));
    },
    remove: (id) => {
      const jobId = store.drafts.get(id)?.job?.id;
      const removed = store.drafts.remove(id);
      if (!removed) throw underWay(known(id));
      const isSent = () => jobId !== undefined && store.jobs.get(jobId)?.state === 'done';
      return removals.keep({ putBack: () => (isSent() ? 0 : removed.putBack()) }, changed, () => forgetCopies(id));
    },
    ofJob: async (job) => {
      const draft = store.drafts.ofJob(job.id) ?? (await draftOfJob(needs, job, copies));
      changed();
      return draft.id;
    },
    send: (id, jobId) => {
      const { job } = known(id);
      if (job && !isCorrectable(job.state)) throw underWay({ job });
      store.drafts.bind(id, jobId);
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
      store.drafts.removeSent();
      await sweep(folder, (id) => store.drafts.get(id) !== null);
    },
  };
}

/**
 * Adds a draft (without id) or changes one; returns its id. Chosen files without a lasting path are copied beside the
 * draft.
 */
async function saveDraft(
  { store, files, vault, dataDir }: Needs,
  { id: given, connectionId, content, secretWord }: Parameters<DraftStore['save']>[0],
  known: (id: string) => StoredDraft,
  copies: (id: string) => string,
): Promise<string> {
  const before = given === undefined ? null : known(given);
  const id = given ?? randomUUID();
  const { fileToken, imageToken, ...kept } = content;
  const keep = (part: string, token: string | null, earlier: KeptFile | null) =>
    keepFile({ dataDir, into: copies(id) }, files, part, token, earlier);
  const file = await keep('document', fileToken, before?.file ?? null);
  const image = await keep('image', imageToken, before?.image ?? null);
  const secret = secretWord === undefined ? (before?.secret ?? null) : secretWord && (await vault.seal(secretWord));
  const draft: NewDraft = {
    id,
    connectionId,
    title: kept.documentName || file?.name || kept.templateId,
    content: JSON.stringify(kept),
    file,
    image,
    secret: secret || null,
    updatedAt: new Date().toISOString(),
  };
  if (before === null) store.drafts.add(draft);
  else if (!store.drafts.change(draft)) throw underWay(known(id));
  return id;
}

function underWay({ job }: Pick<StoredDraft, 'job'>) {
  return appError('bad-input', `the draft is ${job?.state ?? 'gone'}`, { fields: { id: 'is being sent' } });
}

/**
 * Makes a draft of a request that was not sent from a draft (but by a bulk or the command line). Two calls at the
 * same time make one draft.
 */
async function draftOfJob(
  { store, connections, jobs, vault, dataDir }: Needs,
  job: StoredJob,
  copies: (id: string) => string,
): Promise<Pick<StoredDraft, 'id'>> {
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
  const draft: NewDraft = {
    id,
    connectionId: job.connectionId,
    title: content.documentName || job.title,
    content: JSON.stringify(content),
    file: await lasting('document'),
    image: await lasting('image'),
    secret: word === null ? store.bulks.secretOfJob(job.id) : await vault.seal(word),
    updatedAt: new Date().toISOString(),
  };
  if (store.drafts.add(draft, job.id)) return draft;
  await rm(copies(id), { recursive: true, force: true });
  const other = store.drafts.ofJob(job.id);
  if (!other) throw appError('not-found', 'the draft was removed meanwhile');
  return other;
}

/** Replaces files of a sent request that are no longer at their path with the queue's copies. */
async function withFiles({ store, jobs, dataDir }: Needs, draft: StoredDraft, into: string): Promise<StoredDraft> {
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
  store.drafts.change({ ...draft, file, image });
  return { ...draft, file, image };
}

async function openDraft(files: Files, draft: StoredDraft): Promise<Draft> {
  const [file, image] = [await tokenOf(files, draft.file), await tokenOf(files, draft.image)];
  const missing = [
    [draft.file, file],
    [draft.image, image],
  ] as const;
  return {
    ...summaryOf(draft),
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

function summaryOf(draft: StoredDraft): DraftSummary {
  const { kind, recipients } = presetContent.parse(JSON.parse(draft.content));
  return {
    id: draft.id,
    connectionId: draft.connectionId,
    title: draft.title,
    kind,
    recipientCount: recipients.filter(({ name, email }) => name !== '' || email !== '').length,
    updatedAt: draft.updatedAt,
    job: draft.job,
  };
}

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

async function sweep(folder: string, isNeeded: (id: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const id of names) {
    const path = join(folder, id);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (!isNeeded(id) && age > keptAfterMs) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
