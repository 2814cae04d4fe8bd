import { uptime } from 'node:os';
import type { Installation } from '../../../contract/app.ts';
import type { Failure } from '../../../contract/failure.ts';

/** Services that a host provides to the core. Tests pass simple real ones. */
export interface Ports {
  readonly host: 'desktop' | 'preview' | 'command-line';
  readonly version: string;
  readonly installation: Installation;
  /** False if the installed program runs without the browser engine's sandbox; then the window says so. */
  readonly isSandboxed: boolean;
  /** Whether the system shows icons of programs in a tray. Never rejects. */
  readonly hasTray: Promise<boolean>;
  /** Absolute path of the file that `log` writes; the one before it has `.old` after its name. Null without a file. */
  readonly logFile: string | null;
  /** Logs of the other programs that work on the same data, for reports. */
  readonly otherLogFiles?: readonly string[];
  /** Absent where nothing watches the program's end. */
  readonly crashes?: Crashes;
  /** Folder for the database, the settings file and the spool; made if missing, mode 0700. */
  readonly dataDir: string;
  /** Folder with `samples/` and `wsdl/`. */
  readonly assetsDir: string;
  /** Written by the build: the licences of what is bundled (scripts/licences.ts). */
  readonly licencesFile: string;
  readonly keychain: Keychain;
  readonly dialogs: Dialogs;
  readonly desktop: Desktop;
  readonly notifications: Notifications;
  readonly network: Network;
  /** BCP 47 tags of the system's languages, as the person ordered them. */
  readonly systemLanguages: () => readonly string[];
  readonly practice: PracticePort;
  readonly policy: PolicySource;
  /** Absent where the program cannot replace itself. */
  readonly updater?: Updater;
  readonly log: LeveledLog;
}

/** Replaces the program by a newer version of itself. */
export interface Updater {
  /** The file that an update replaces, where the program is one file (AppImage); null where the system has installers. */
  readonly program: string | null;
  /** The folder in which an installer replaces the program. */
  readonly folder: string;
  /** Loads what is needed, for one feed. */
  open(source: UpdateSource): Promise<OpenUpdater>;
}

/** What a signed feed offers to this system. */
export interface UpdateOffer {
  readonly version: string;
  /** A name in the feed's folder. */
  readonly fileName: string;
  /** In base64. */
  readonly sha512: string;
  readonly size: number;
  /** Share of the installations that get it by now. */
  readonly stagingPercentage: number | undefined;
  readonly minimumSystemVersion: string | undefined;
  /** When the list was signed, and until when it holds: ISO 8601, UTC. */
  readonly issuedAt: string;
  readonly expiresAt: string;
}

/** The connections that an updater may make. */
export interface UpdateSource {
  /** Name in the signature of a Windows installer; null: not compared. */
  readonly publisher: string | null;
  /** `parse` reads YAML; it gets a text only after its signature was checked. */
  offer(parse: (text: string) => unknown): Promise<UpdateOffer>;
  /** Writes the offered file to a path, checked. */
  fetch(path: string): Promise<void>;
}

export interface OpenUpdater {
  /** `none`: the same version, or one that is not for this installation yet. */
  check(): Promise<{ readonly kind: 'newer' | 'older' | 'none'; readonly version: string }>;
  /** Resolves with the path of the file. */
  download(): Promise<string>;
  /** The last step before the process ends. Throws if nothing could be begun. */
  install(startsAgain: boolean): void;
  /** Ends the program as a person does. */
  quit(): void;
}

/** Where the organisation puts its policy. Given by the host alone: no option and no variable of a person names another place. */
export interface PolicySource {
  /** For people: a path, or keys of the registry. */
  readonly name: string;
  /**
   * The policy as it is written, bounded in size and time: settings by name, and `recommended` with those that a person may change. Null if there is
   * none. Rejects with an AppError (policy-broken) whose note says what to do.
   */
  read(): Promise<Readonly<Record<string, unknown>> | null>;
  /** Calls `onChange` when the policy may have changed, until the answered function is called. Keeps no process alive. */
  watch(onChange: () => void): () => void;
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
  /**
   * Asks whether documents and credentials may go to this origin (http on another computer), where they can be read on
   * the way. Asked outside of the page, so that no page can answer it.
   */
  confirmInClear(origin: string): Promise<boolean>;
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

/** An end that nobody asked for: of the whole program, of its window, or of another process of it. `reason`: a word of the system or of the program. */
export interface Crash {
  readonly at: string;
  readonly part: string;
  readonly reason: string;
}

/** The unexpected ends that this computer remembers. Nothing of it is sent anywhere. */
export interface Crashes {
  /** The oldest first, a few at most. */
  all(): readonly Crash[];
  /** Number of memory images on disk. They may hold anything that was in memory. */
  dumps(): number;
  /** True from an unexpected end until `markSeen`, also over restarts. */
  isUnseen(): boolean;
  markSeen(): void;
  onCrash(listener: () => void): void;
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
  /** The service's library of templates, which the interface of real services does not list. */
  readonly templates: readonly { readonly id: string; readonly title: string }[];
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

/** What a line of the log may carry besides its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * The structured log, in English, without secrets: names and numbers, never a request or a reply. `error`: work ended that should not have; `warn`: work goes
 * on without something; `info`: what a reader needs to follow the program; `debug`: single calls, written only if a person asked for it.
 */
export interface LeveledLog extends Log {
  debug(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
}

/** The levels that all parts of the program need. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/**
 * Two clocks that nobody can set. `steadyMs` may stand still while the computer sleeps; `sinceBootMs` counts that time too, so that their distance grows by each
 * sleep. Only differences mean something.
 */
export type SteadyClock = () => { readonly steadyMs: number; readonly sinceBootMs: number };

export const steadyClock: SteadyClock = () => ({ steadyMs: performance.now(), sinceBootMs: uptime() * 1_000 });
