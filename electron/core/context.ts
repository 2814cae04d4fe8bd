import type { Store } from '../store/store.ts';
import type { AnswerRegistry } from './answers/answer-book.ts';
import type { CallBudgets } from './connections/call-budget.ts';
import type { ConnectionRegistry } from './connections/connection-access.ts';
import type { FileRegistry } from './files/local-file.ts';
import type { TargetNotes } from './files/target-notes.ts';
import type { Emit } from './foundation/event-emitter.ts';
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
  readonly emit: Emit;
}
