import type { Connection } from '../../contract/connections.ts';
import type { SkippedFile } from '../../contract/files.ts';
import type { EventName, EventValue } from '../../contract/index.ts';
import type { SoapClient } from '../soap/client.ts';
import type { Store } from '../store/store.ts';
import type { AnswerRegistry } from './answers/answer-book.ts';
import type { CallBudgets } from './connections/call-budget.ts';
import type { TargetNotes } from './files/target-notes.ts';
import type { Ports } from './foundation/ports.ts';
import type { SecretVault } from './secrets/secret-vault.ts';

/** What every call gets to work with. Made once by createCore, passed on, never module state. */
export interface Context {
  readonly ports: Ports;
  readonly store: Store;
  readonly connections: ConnectionRegistry;
  readonly files: FileRegistry;
  /** What answers mean. */
  readonly answers: AnswerRegistry;
  /** How often the program may ask by itself. */
  readonly budget: CallBudgets;
  readonly vault: SecretVault;
  /** Told of each file that is to be written for a person, where no dialog asked for its place. */
  readonly targets: Pick<TargetNotes, 'note'>;
  /** Tells every listener; never throws. */
  readonly emit: <N extends EventName>(name: N, value: EventValue<N>) => void;
}

/** The connections and what is needed to speak through one. */
export interface ConnectionRegistry {
  /** Rejects with not-found. */
  get(id: string): Promise<Connection>;
  /**
   * A client with the connection's credentials, proxy and address; for the practice connection the practice service is
   * started first. Rejects with not-connected where credentials are missing. One client per connection is kept
   * until settings or credentials change.
   */
  client(id: string): Promise<SoapClient>;
}

/** A real file behind a token or an intake. Only the core knows paths. */
export interface LocalFile {
  readonly path: string;
  readonly name: string;
  /** Folder below the dropped one, with `/`. */
  readonly folder: string;
  readonly sizeBytes: number;
}

export interface FileRegistry {
  /** The file behind a token. Rejects with not-found or file-unreadable. */
  file(token: string): Promise<LocalFile>;
  /** All usable files of an intake, in order. Rejects with not-found. */
  intake(intakeId: string): Promise<readonly LocalFile[]>;
  /** What an intake left out, in order. Rejects with not-found. */
  leftOut(intakeId: string): Promise<readonly SkippedFile[]>;
  /** The folder behind a token. Rejects with not-found, or file-unreadable where it is none. */
  folder(token: string): Promise<{ readonly path: string; readonly name: string }>;
}
