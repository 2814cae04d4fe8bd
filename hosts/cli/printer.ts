import type { Failure } from '../../contract/failure.ts';
import type { OperationName } from '../../contract/operation.ts';

/** One result as `--json` prints it: exactly these keys, one object a line. */
export interface Line {
  readonly operation: OperationName | 'doctor' | 'jobs' | 'practice';
  /** True where the exit code of this one piece of work is 0. */
  readonly ok: boolean;
  /** The service's own words; null where none came. */
  readonly raw: string | null;
  readonly documentId?: string;
  readonly answer?: { readonly group: string; readonly meaning: string };
  readonly entries?: readonly unknown[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly file?: string;
  readonly failure?: { readonly code: string; readonly note: string; readonly serviceCode?: string };
}

export interface Printer {
  readonly json: boolean;
  /** A result: the object with `--json`, else the text for a person. */
  result(line: Line, human: string): void;
  /** A remark for a person, on stderr in both forms. */
  remark(text: string): void;
}

interface Sink {
  write(text: string): unknown;
}

/** Prints results on `out` and remarks on `err`. */
export function createPrinter(json: boolean, out: Sink, err: Sink): Printer {
  return {
    json,
    result: (line, human) => out.write(json ? `${jsonLine(line)}\n` : `${printable(human)}\n`),
    remark: (text) => err.write(`${printable(text)}\n`),
  };
}

/** What a failure says in `--json`. */
export function failureOnLine(failure: Failure): NonNullable<Line['failure']> {
  const { code, note, fields, serviceCode } = failure;
  const parts = Object.entries(fields ?? {}).map(([field, text]) => `${field} ${text}`);
  const full = parts.length > 0 ? `${note} (${parts.join('; ')})` : note;
  return { code, note: full, ...(serviceCode === undefined ? {} : { serviceCode }) };
}

/** Keys in one order, absent ones left out. */
function jsonLine(line: Line): string {
  const { operation, ok, raw, documentId, answer, entries, details, file, failure } = line;
  const text = JSON.stringify({ operation, ok, raw, documentId, answer, entries, details, file, failure });
  return text.replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A name in a text for a person: on one line, whatever it is. A line end in it could tell of a file that nobody sent. */
export function nameOnLine(name: string): string {
  return printable(name).replace(/[\t\n\u2028\u2029]/g, '\ufffd');
}

/** A service's words must not drive the terminal: escape sequences and other control characters become a replacement sign. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
