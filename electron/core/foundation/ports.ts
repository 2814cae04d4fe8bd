import type { Failure } from '../../../contract/failure.ts';

/** Services that a host provides to the core. Tests pass simple real ones. */
export interface Ports {
  readonly host: 'desktop' | 'preview' | 'command-line';
  readonly version: string;
  /** Folder for the database, the settings file and the spool; made if missing, mode 0700. */
  readonly dataDir: string;
  /** Folder with `samples/` and `wsdl/`. */
  readonly assetsDir: string;
  readonly keychain: Keychain;
  readonly dialogs: Dialogs;
  readonly desktop: Desktop;
  readonly notifications: Notifications;
  readonly network: Network;
  /** BCP 47 tags of the system's languages, as the person ordered them. */
  readonly systemLanguages: () => readonly string[];
  readonly practice: PracticePort;
  readonly log: Log;
}

/** The system's keychain. Every function may reject; then the secret is kept for this run only and the app says so. */
export interface Keychain {
  get(account: string): Promise<string | null>;
  set(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

/** Paths stay in the main process. Null means that the person cancelled. */
export interface Dialogs {
  chooseFiles(kind: 'documents' | 'any' | 'folder'): Promise<readonly string[] | null>;
  chooseTarget(suggestedName: string): Promise<string | null>;
}

export interface Desktop {
  /** Selects the file in the system's file manager. */
  showInFolder(path: string): Promise<void>;
  /** An https address, or a mailto one (opens a draft in the mail program). */
  openInBrowser(url: string): Promise<void>;
  /** Opens a file in the system's program for it. The caller must make sure that it is not executable. */
  openFile(path: string): Promise<void>;
}

/** Notifications of the desktop. A host without any shows nothing. */
export interface Notifications {
  /** `onClick`: called when the person clicked it, after the host has brought its window to the front. Never throws. */
  show(notification: { readonly title: string; readonly body: string }, onClick: () => void): void;
}

export interface Network {
  /** Answers as a PAC script does: `DIRECT` or `PROXY host:port; DIRECT`. */
  resolveProxy(url: string): Promise<string>;
}

/** Starts the practice service on 127.0.0.1; it listens until `close`. */
export interface PracticePort {
  start(dataDir: string): Promise<RunningPractice>;
}

export interface RunningPractice {
  readonly baseUrl: string;
  readonly mainPath: string;
  readonly easySignPath: string;
  readonly namespaceUri: string;
  readonly apiKey: string;
  readonly apiSig: string;
  /** Signs a request as one of its signers. Rejects with a plain sentence if there is nothing to sign. */
  sign(documentId: string, email: string): Promise<void>;
  close(): Promise<void>;
}

/** Questions that an interactive host asks a person before the database is opened. Other hosts refuse to start instead. */
export interface LedgerQuestions {
  /** The database is unusable. `set-aside`, only with `maySetAside`: it is moved away as a whole, and an empty one is begun. */
  trouble(failure: Failure, maySetAside: boolean): Promise<'quit' | 'retry' | 'set-aside'>;
  /** A database that was set aside can be used again: true restores it. `name`: name of its folder, the time at which it was set aside. */
  mended(name: string): Promise<boolean>;
}

/** The structured log, in English, without secrets: names and numbers, never a request or a reply. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
