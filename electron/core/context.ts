import type { Store } from '../store/store.ts';
import type { AnswerRegistry } from './answers/answer-registry.ts';
import type { CallBudgets } from './connections/call-budget.ts';
import type { ConnectionRegistry } from './connections/connections.ts';
import type { FileRegistry } from './files/local-file.ts';
import type { TargetNotes } from './files/target-notes.ts';
import type { Emit } from './foundation/event-emitter.ts';
import type { Pauses } from './foundation/pauses.ts';
import type { Ports } from './foundation/ports.ts';
import type { Removals } from './foundation/removals.ts';
import type { CircuitBreakers } from './lasting-work/circuit-breaker.ts';
import type { SecretVault } from './secrets/secret-vault.ts';
import type { Policy } from './settings/policy.ts';
import type { SettingsFile } from './settings/settings-file.ts';
import type { Tasks } from './tasks/tasks.ts';
import type { Teams } from './team/teams.ts';

/** Services that every call handler works with. Made once by createCore, passed on, never module state. */
export interface Context {
  readonly ports: Ports;
  readonly store: Store;
  readonly settings: Pick<SettingsFile, 'preferences' | 'onChange'>;
  /** What the organisation sets and forbids. */
  readonly policy: Pick<Policy, 'state' | 'organisation'>;
  readonly connections: ConnectionRegistry;
  readonly files: FileRegistry;
  /** Meaning of the service's answer codes. */
  readonly answers: AnswerRegistry;
  /** Limits on the calls that the program makes by itself. */
  readonly budget: CallBudgets;
  readonly vault: SecretVault;
  /** The right to send adds, the requests to take care of, and the lists that are read together, for connections that have joined a team. */
  readonly team: Pick<Teams, 'asks' | 'claim' | 'report' | 'assignedToMe' | 'connected' | 'countCall' | 'onCopies'>;
  /** Notes the target of each file that is written for a person without a dialog. */
  readonly targets: Pick<TargetNotes, 'note'>;
  /** Background tasks. */
  readonly tasks: Tasks;
  /** What a person removed just now. */
  readonly removals: Removals;
  readonly pauses: Pauses;
  /** Hold back work on connections whose service is away. */
  readonly breakers: CircuitBreakers;
  readonly emit: Emit;
}
