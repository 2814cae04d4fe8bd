import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Draft, type DraftContent, type DraftSummary, presetContent } from '../../../contract/compose.ts';
import type { FileToken } from '../../../contract/files.ts';
import type { KeptFile, StoredDraft } from '../../store/drafts.ts';
import type { Store } from '../../store/store.ts';
import { failing } from '../failing.ts';
import type { Files } from '../file-book.ts';
import { type FilePlace, lastingPath } from '../lasting-path.ts';
import type { SecretVault } from '../secret-vault.ts';

/** Unfinished requests. They survive the program: their files by their place, or as a copy where they have none. */
export interface DraftBook {
  list(connectionId?: string): DraftSummary[];
  /** Rejects with not-found. */
  get(id: string): Promise<Draft>;
  /** `secretWord`: undefined leaves it, empty removes it. */
  save(given: {
    readonly id: string | undefined;
    readonly connectionId: string;
    readonly content: DraftContent;
    readonly secretWord: string | undefined;
  }): Promise<DraftSummary>;
  remove(id: string): Promise<void>;
  /** It was sent: the row goes, its copies stay until the queue has certainly read them. */
  sent(id: string): void;
  /** Removes copies that belong to no draft any more. Never rejects. */
  sweep(): Promise<void>;
}

interface Needs {
  readonly store: Pick<Store, 'drafts'>;
  readonly files: Files;
  readonly vault: SecretVault;
  readonly dataDir: string;
  /** Tells `drafts.changed`. */
  readonly changed: () => void;
}

/** The queue has copied what it sends long before; a copy is small and a lost file is not. */
const keptAfterMs = 7 * 24 * 3_600_000;

export function createDraftBook({ store, files, vault, dataDir, changed }: Needs): DraftBook {
  const folder = join(dataDir, 'drafts');
  const copies = (id: string) => join(folder, id);
  const known = (id: string): StoredDraft => {
    const draft = store.drafts.get(id);
    if (!draft) throw failing('not-found', 'no such draft');
    return draft;
  };
  const keep = (id: string, part: string, token: string | null, before: KeptFile | null) =>
    keepFile({ dataDir, into: copies(id) }, files, part, token, before);
  return {
    list: (connectionId) => store.drafts.list(connectionId).map(summaryOf),
    get: (id) => openDraft(files, known(id)),
    save: async ({ id: given, connectionId, content, secretWord }) => {
      const before = given === undefined ? null : known(given);
      const id = given ?? randomUUID();
      const { fileToken, imageToken, ...kept } = content;
      const file = await keep(id, 'document', fileToken, before?.file ?? null);
      const image = await keep(id, 'image', imageToken, before?.image ?? null);
      const secret = secretWord === undefined ? (before?.secret ?? null) : secretWord && (await vault.seal(secretWord));
      const draft: StoredDraft = {
        id,
        connectionId,
        title: kept.documentName || file?.name || kept.templateId,
        content: JSON.stringify(kept),
        file,
        image,
        secret: secret || null,
        updatedAt: new Date().toISOString(),
      };
      store.drafts.put(draft);
      changed();
      return summaryOf(draft);
    },
    remove: async (id) => {
      store.drafts.remove(id);
      await rm(copies(id), { recursive: true, force: true });
      changed();
    },
    sent: (id) => {
      store.drafts.remove(id);
      changed();
    },
    sweep: () => sweep(folder, (id) => store.drafts.get(id) !== null),
  };
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
    recipientCount: recipients.length,
    updatedAt: draft.updatedAt,
  };
}

/** A file that is gone by now stays remembered by the name it had. */
async function keepFile(
  place: FilePlace,
  files: Files,
  part: string,
  token: string | null,
  before: KeptFile | null,
): Promise<KeptFile | null> {
  if (token === null) return null;
  const file = await files.file(token).catch(() => null);
  return file ? { path: await lastingPath(place, file.path, part), name: file.name } : before;
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
