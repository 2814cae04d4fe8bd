import { type Failure, type FailureCode, isOfStorage } from '../../../contract/failure.ts';
import type { OperationName } from '../../../contract/operation.ts';
import { AppError, appError } from '../../../electron/core/foundation/app-error.ts';
import { teamFailures } from '../../../locales/en/shared/team-failures.ts';
import { UsageError } from './exit-code.ts';
import type { Output } from './output.ts';
import { t } from './texts.ts';

/** One result as `--json` prints it: exactly these keys, one object per line. */
export interface Line {
  readonly operation: OperationName | 'doctor' | 'jobs' | 'policy' | 'practice' | 'support' | 'team';
  /** True if the exit code of this one result is 0. */
  readonly ok: boolean;
  /** The service's answer as it came; printed as null without one. */
  readonly raw?: string | null;
  readonly documentId?: string;
  readonly answer?: { readonly group: string; readonly meaning: string };
  readonly entries?: readonly unknown[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly file?: string;
  readonly failure?: Pick<Failure, 'code' | 'note' | 'serviceCode' | 'heldBy'>;
}

export type Printer = ReturnType<typeof createPrinter>;

/** Prints results on `out` and remarks on `err`. */
export function createPrinter(json: boolean, out: Output, err: { write(text: string): unknown }) {
  return {
    json,
    /** A result: the object with `--json`, else the text for a person. */
    result: (line: Line, text: string) => out.write(json ? `${jsonLine(line)}\n` : `${printable(text)}\n`),
    /** A result that is no answer of a service, with keys of its own. */
    record: (line: Readonly<Record<string, unknown>>, text: string) =>
      out.write(`${json ? escaped(JSON.stringify(line)) : printable(text)}\n`),
    /** A result with entries of any number, piece by piece. `empty` stands for none. */
    list: async <T>(
      { operation }: Pick<Line, 'operation'>,
      entries: AsyncIterable<readonly T[]>,
      row: (entry: T) => string,
      empty: string,
    ) => {
      let isEmpty = true;
      if (json) out.write(jsonLine({ operation, ok: true, entries: [] }).replace(/\]\}$/, ''));
      for await (const piece of entries) {
        if (piece.length === 0) continue;
        const text = json
          ? piece.map((entry) => escaped(JSON.stringify(entry))).join(',')
          : printable(piece.map(row).join('\n'));
        out.write(json ? `${isEmpty ? '' : ','}${text}` : `${text}\n`);
        isEmpty = false;
        await out.drained();
      }
      if (json) out.write(']}\n');
      else if (isEmpty) out.write(`${printable(empty)}\n`);
    },
    /** A remark for a person, on stderr in both forms. */
    remark: (text: string) => err.write(`${printable(text)}\n`),
  };
}

/** A failure as `--json` prints it. */
export function failureOnLine(failure: Failure): NonNullable<Line['failure']> {
  const { code, note, fields, serviceCode, heldBy } = failure;
  const parts = Object.entries(fields ?? {}).map(([field, text]) => `${field} ${text}`);
  const full = parts.length > 0 ? `${note} (${parts.join('; ')})` : note;
  return {
    code,
    note: full,
    ...(serviceCode === undefined ? {} : { serviceCode }),
    ...(heldBy === undefined ? {} : { heldBy }),
  };
}

/** Fixed order of keys; absent ones are left out. */
function jsonLine(line: Line): string {
  const { operation, ok, raw = null, documentId, answer, entries, details, file, failure } = line;
  return escaped(JSON.stringify({ operation, ok, raw, documentId, answer, entries, details, file, failure }));
}

/** JSON that controls no terminal. */
function escaped(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A line about a file or another named thing. */
export function lineText(name: string, text: string): string {
  return t('results.line', { subject: nameOnLine(name), text });
}

/** A cell of a column that is as wide as the longest of these texts. */
export function inColumn(text: string, all: readonly string[]): string {
  return text.padEnd(Math.max(...all.map(({ length }) => length)));
}

/** A name in a text for a person, on one line: a line end in a name could forge the line of another file. */
export function nameOnLine(name: string): string {
  return printable(name).replace(/[\t\n\u2028\u2029]/g, '\ufffd');
}

/** Text of a service must not control the terminal: escape and other control characters become a replacement character. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

const teamDetails = Object.keys(teamFailures) as readonly (keyof typeof teamFailures)[];

/** A failure that the command line itself finds. */
export function ownFailure(code: FailureCode, note: string, more: Pick<Failure, 'detail'> = {}): Failure {
  return appError(code, note, more).failure;
}

/** The error for what a command cannot begin without: a UsageError in these words, but what keeps the register from being used stays that. */
export function startError(failure: Failure, text: string): Error {
  return isOfStorage(failure) ? new AppError(failure) : new UsageError(text);
}

/** What happened, for people: the note, but what concerns the team register in the window's words. */
export function failureText(failure: Failure): string {
  const { note } = failureOnLine(failure);
  const team = teamDetails.find((detail) => detail === failure.detail);
  if (!team) return note;
  // Documents wait for a register that is away in the window only.
  const advice = team === 'team-away' ? note : t(`results.teamFailures.${team}.advice`);
  const { heldBy } = failure;
  const what = heldBy ? t('results.teamHeld', { who: nameOnLine(heldBy) }) : t(`results.teamFailures.${team}.heading`);
  return t('results.inBrief', { what, advice });
}
