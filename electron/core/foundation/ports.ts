import type { Failure } from '../../../contract/failure.ts';

/** What a host provides to the core. Tests pass simple real ones. */
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
  /** Opens a file in the program that the system has for it. The caller has made sure that it is nothing that runs. */
  openFile(path: string): Promise<void>;
}

/** Notifications of the desktop. A host without any shows nothing. */
export interface Notifications {
  /** `onClick`: the person clicked it; the host has brought its window to the front by then. Never rejects. */
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
  /** Plays a signer of a request. Rejects with a plain sentence where there is nothing to sign. */
  sign(documentId: string, email: string): Promise<void>;
  close(): Promise<void>;
}

/** What a host with a person in front of it asks before the ledger is opened. A host without refuses to work instead. */
export interface LedgerQuestions {
  /** The ledger cannot be worked with. `set-aside` is only taken where `maySetAside`: it is moved away, whole, and an empty one is begun. */
  trouble(failure: Failure, maySetAside: boolean): Promise<'quit' | 'retry' | 'set-aside'>;
  /** One that was set aside can be used again: true takes it back. `name`: of its folder, the time when it was set aside. */
  mended(name: string): Promise<boolean>;
}

/** Structured, in English, without secrets: names and numbers, never a request or a reply. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
