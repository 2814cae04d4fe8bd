import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account, Credits, JournalRecord, Permissions, SignEntry, StoredDocument } from './records.ts';

export const plentyOfCredits: Credits = {
  document: 100_000,
  prepaid: 100_000,
  eSign: 100_000,
  note: 10_000,
  idVerify: 1_000,
};
const allPermitted: Permissions = {
  apiAccess: true,
  easySign: true,
  subscription: 'active',
  prepaidLocked: false,
  idVerify: true,
  placement: true,
};
const ownerEmail = 'owner@practice.example';

/** Accounts, documents and signatures: completely in memory, on disk as journal and files. */
export class Store {
  readonly accounts = new Map<string, Account>();
  readonly #documents = new Map<string, StoredDocument>();
  readonly #entries: SignEntry[] = [];
  readonly #signedCopies = new Map<string, string>();
  readonly #shares = new Map<string, Set<string>>();
  readonly #hashes = new Set<string>();
  readonly #usedBytes = new Map<string, number>();
  readonly #dataDir: string;
  readonly #incomingDir: string;
  #journal: Journal<JournalRecord> | null = null;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
    // The app and a command line may share a folder: each service has its own folder for uploads.
    this.#incomingDir = join(dataDir, `incoming-${process.pid}-${randomUUID().slice(0, 8)}`);
  }

  async open(): Promise<void> {
    await mkdir(join(this.#dataDir, 'documents'), { recursive: true, mode: 0o700 });
    await this.#removeOldUploads();
    await mkdir(this.#incomingDir, { mode: 0o700 });
    this.#journal = await openJournal<JournalRecord>(join(this.#dataDir, 'journal.jsonl'), (record) =>
      this.#apply(record),
    );
    if (this.accounts.size === 0) await this.addAccount(ownerEmail);
  }

  async close(): Promise<void> {
    await this.#journal?.close();
    await rm(this.#incomingDir, { recursive: true, force: true });
  }

  /** The account whose credentials the service issues at the start. */
  get owner(): Account {
    const [first] = this.accounts.values();
    if (!first) throw new Error('the store is not open');
    return first;
  }

  newUploadPath(): string {
    return join(this.#incomingDir, randomUUID());
  }

  documentPath(id: string): string {
    return join(this.#dataDir, 'documents', `${id.toUpperCase()}.pdf`);
  }

  document(id: string): StoredDocument | undefined {
    return this.#documents.get(id.toUpperCase());
  }

  documents(): Iterable<StoredDocument> {
    return this.#documents.values();
  }

  /** By the hash of a document as received or as sealed. */
  knowsHash(sha256: string): boolean {
    return this.#hashes.has(sha256);
  }

  usedBytes(accountId: string): number {
    return this.#usedBytes.get(accountId) ?? 0;
  }

  mayRead(account: Account, document: StoredDocument): boolean {
    return document.ownerId === account.id || (this.#shares.get(document.id)?.has(account.id) ?? false);
  }

  entries(): readonly SignEntry[] {
    return this.#entries;
  }

  entriesOf(documentId: string): readonly SignEntry[] {
    return this.#entries.filter((entry) => entry.documentId === documentId.toUpperCase());
  }

  signedCopyOf(documentId: string): string | undefined {
    return this.#signedCopies.get(documentId);
  }

  addsByHash(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { sha256, signedCopyOf } of this.#documents.values())
      if (signedCopyOf === null) counts.set(sha256, (counts.get(sha256) ?? 0) + 1);
    return counts;
  }

  /** Takes effect immediately, so that no other request can spend the same credit; resolves when it is in the journal. */
  async record(record: JournalRecord): Promise<void> {
    this.#apply(record);
    await this.#journal?.append(record);
  }

  async addAccount(email: string): Promise<Account> {
    const account: Account = { id: randomUUID(), email, credits: plentyOfCredits, permissions: allPermitted };
    await this.record({ event: 'account', account });
    return account;
  }

  /** Adds entries without writing them to the journal, to test long lists. */
  addEntries(entries: readonly SignEntry[]): void {
    for (const entry of entries) this.#entries.push(entry);
  }

  #apply(record: JournalRecord): void {
    if (record.event === 'account') this.accounts.set(record.account.id, record.account);
    else if (record.event === 'document') this.#applyDocument(record.document, record.cost);
    else if (record.event === 'signed') this.#applySigned(record.documentId, record.email, record.atMs);
    else if (record.event === 'note') this.#charge(record.accountId, { note: 1 });
    else {
      const readers = this.#shares.get(record.documentId) ?? new Set();
      this.#shares.set(record.documentId, readers.add(record.accountId));
    }
  }

  #applyDocument(document: StoredDocument, cost: Partial<Credits>): void {
    this.#documents.set(document.id, document);
    this.#charge(document.ownerId, cost);
    this.#usedBytes.set(document.ownerId, this.usedBytes(document.ownerId) + document.sizeBytes);
    this.#hashes.add(document.sha256).add(document.sealedSha256);
    if (document.signedCopyOf) this.#signedCopies.set(document.signedCopyOf, document.id);
    for (const signer of document.request?.signers ?? [])
      this.#entries.push({
        documentId: document.id,
        ownerId: document.ownerId,
        documentName: document.name,
        signer,
        secretWord: document.request?.secretWord ?? '',
        createdMs: document.createdMs,
        signedMs: null,
      });
  }

  #applySigned(documentId: string, email: string, atMs: number): void {
    const at = this.#entries.findIndex((entry) => entry.documentId === documentId && entry.signer.email === email);
    const entry = this.#entries[at];
    if (entry) this.#entries[at] = { ...entry, signedMs: atMs };
  }

  #charge(accountId: string, cost: Partial<Credits>): void {
    const account = this.accounts.get(accountId);
    if (!account) return;
    const credits = { ...account.credits };
    for (const name of Object.keys(cost) as (keyof Credits)[]) credits[name] -= cost[name] ?? 0;
    this.accounts.set(accountId, { ...account, credits });
  }

  /** Of services that did not end properly. */
  async #removeOldUploads(): Promise<void> {
    for (const name of await readdir(this.#dataDir)) {
      const pid = /^incoming-(\d+)-/.exec(name)?.[1];
      if (pid && !isRunning(Number(pid))) await rm(join(this.#dataDir, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** An append-only file of JSON lines. A crash may truncate the last line; all lines before it count. */
interface Journal<T> {
  /** Resolves when the system has taken the line. Lines are in the order of the calls. */
  append(record: T): Promise<void>;
  close(): Promise<void>;
}

/** Replays existing records, removes a truncated last line and appends after it. Skips a damaged line in the middle. */
async function openJournal<T>(path: string, replay: (record: T) => void): Promise<Journal<T>> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const whole = bytes.lastIndexOf(0x0a) + 1;
  for (const line of bytes.toString('utf8', 0, whole).split('\n')) {
    const record = line === '' ? null : parsed<T>(line);
    if (record) replay(record);
  }
  if (whole < bytes.length) await truncate(path, whole);
  const file: FileHandle = await open(path, 'a', 0o600);
  let last: Promise<unknown> = Promise.resolve();
  return {
    append(record) {
      const written = last.then(() => file.appendFile(`${JSON.stringify(record)}\n`));
      last = written.catch(() => undefined);
      return written;
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

function parsed<T>(line: string): T | null {
  try {
    return JSON.parse(line) as T;
  } catch {
    return null;
  }
}
