import type { Failure } from '../../contract/failure.ts';
import type { OperationName } from '../../contract/operation.ts';

/** One result as `--json` prints it: exactly these keys, one object per line. */
export interface Line {
  readonly operation: OperationName | 'doctor' | 'jobs' | 'practice';
  /** True if the exit code of this one result is 0. */
  readonly ok: boolean;
  /** The service's answer as it came; null without one. */
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

/** A failure as `--json` prints it. */
export function failureOnLine(failure: Failure): NonNullable<Line['failure']> {
  const { code, note, fields, serviceCode } = failure;
  const parts = Object.entries(fields ?? {}).map(([field, text]) => `${field} ${text}`);
  const full = parts.length > 0 ? `${note} (${parts.join('; ')})` : note;
  return { code, note: full, ...(serviceCode === undefined ? {} : { serviceCode }) };
}

/** Fixed order of keys; absent ones are left out. */
function jsonLine(line: Line): string {
  const { operation, ok, raw, documentId, answer, entries, details, file, failure } = line;
  const text = JSON.stringify({ operation, ok, raw, documentId, answer, entries, details, file, failure });
  return text.replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A name in a text for a person, on one line: a line end in a name could forge the line of another file. */
export function nameOnLine(name: string): string {
  return printable(name).replace(/[\t\n\u2028\u2029]/g, '\ufffd');
}

/** Text of a service must not control the terminal: escape and other control characters become a replacement character. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
