import type { Failure } from '../../contract/failure.ts';
import type { NamedOption } from './arguments/options.ts';
import type { Values } from './arguments/values.ts';
import type { ExitCode } from './output/exit-code.ts';
import type { Line, Printer } from './output/printer.ts';
import type { Session } from './session.ts';

/** The input of a command. */
export interface Run {
  readonly args: readonly string[];
  readonly values: Values;
  readonly printer: Printer;
  readonly env: NodeJS.ProcessEnv;
  /** Aborts at Ctrl-C: what waits is withdrawn, what can be stopped is stopped. */
  readonly interrupted: AbortSignal;
}

interface Described {
  readonly name: string;
  readonly summary: string;
  /** In commander's notation: `<ID>` is required, `[MESSAGE]` may be left out, `...` repeats. */
  readonly arguments: readonly string[];
  readonly options: readonly NamedOption[];
  /** The words after `sealdesk-cli NAME`, with a remark for each line. */
  readonly examples: readonly (readonly [line: string, remark: string])[];
  /** Paragraphs below the summary in the help. */
  readonly remarks?: readonly string[];
}

/** A command that asks a service: a session is opened for it and closed after it. */
export interface ServiceCommand extends Described {
  readonly kind: 'service';
  /** The operation in the result if the session cannot be opened. */
  readonly operation: Line['operation'];
  /** A function if it depends on the arguments. */
  readonly needsCredentials: boolean | ((args: readonly string[]) => boolean);
  run(session: Session, run: Run): Promise<ExitCode>;
  /** What is done where the register cannot be used; without it the command ends with that failure. */
  runWithoutRegister?(failure: Failure, run: Run): Promise<ExitCode>;
}

/** A command that opens no session. */
export interface PlainCommand extends Described {
  readonly kind: 'plain';
  run(run: Run): Promise<ExitCode>;
}

export type Command = ServiceCommand | PlainCommand;
