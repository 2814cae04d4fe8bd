import type { ExitCode } from './exit-code.ts';
import type { OptionSpecs } from './options.ts';
import type { Line, Printer } from './printer.ts';
import type { Session } from './session.ts';
import type { Values } from './values.ts';

/** What a command gets to work with. */
export interface Run {
  readonly args: readonly string[];
  readonly values: Values;
  readonly printer: Printer;
  readonly env: NodeJS.ProcessEnv;
  /** Ctrl-C: let go of what waits, end what can be ended. */
  readonly interrupted: AbortSignal;
}

interface Described {
  readonly name: string;
  readonly summary: string;
  /** Positional arguments for the help, for example `FILE…`. */
  readonly usage: string;
  readonly minArgs: number;
  readonly maxArgs: number;
  readonly options: OptionSpecs;
  /** What follows `sealdesk NAME `, with a remark for each. */
  readonly examples: readonly (readonly [line: string, remark: string])[];
  /** Anything a person must know, as paragraphs below the options. */
  readonly remarks?: readonly string[];
}

/** A command that asks a service: a session is opened for it and closed after it. */
export interface ServiceCommand extends Described {
  readonly kind: 'service';
  /** For a failure before the command could say more. */
  readonly operation: Line['operation'];
  /** Of some commands it depends on their arguments. */
  readonly needsCredentials: boolean | ((args: readonly string[]) => boolean);
  run(session: Session, run: Run): Promise<ExitCode>;
}

/** A command that needs no core. */
export interface PlainCommand extends Described {
  readonly kind: 'plain';
  run(run: Run): Promise<ExitCode>;
}

export type Command = ServiceCommand | PlainCommand;
