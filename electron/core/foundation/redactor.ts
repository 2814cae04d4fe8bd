import type { Failure } from '../../../contract/failure.ts';
import { fieldIsSecret, redactNamed } from './named-secrets.ts';
import type { LeveledLog, LogFields } from './ports.ts';
import { base64Twice, invisible, literalForms, mixedForm } from './secret-forms.ts';

/** Removes secrets from texts: the last safeguard, as no secret should get into them at all. The one redactor of log, reports and failures. */
export interface Redactor {
  learn(secret: string): void;
  /** Replaces every form of the secrets that are known in this run. */
  readonly redact: (text: string) => string;
}

/** Shorter secrets would match parts of ordinary words; no service issues them. */
const shortestSecret = 6;
export const hidden = '•••';

/** Signs without which no text is escaped sign by sign, broken into lines, or mixed with what nobody sees: most texts have none. */
const escapes = new RegExp(
  String.raw`[%\\\0\r\n\t\u00a0${invisible}]|\p{M}|&(?:#|amp;)|=[0-9a-f]{2}|(?:[0-9a-f]{2,3}[\s:,;-]{1,2}){5}`,
  'iu',
);

const beyondAscii = /[^\0-\x7f]/;

/** Makes a function that replaces every form of the secrets, in upper or lower case. Secrets of fewer than six characters are not looked for. */
export function redactionOf(secrets: Iterable<string>): (text: string) => string {
  const known = [...secrets].filter((secret) => secret.length >= shortestSecret);
  if (known.length === 0) return (text) => text;
  // The longest first: a form may be the beginning of another.
  const forms = known.flatMap((secret) => literalForms(secret, shortestSecret)).sort((a, b) => b.length - a.length);
  const literal = new RegExp(forms.join('|'), 'gi');
  // Made when it is first needed: it is large.
  let mixed: RegExp | null = null;
  const withoutTwice = twiceRemover(known);
  const redact = (text: string) => {
    const clean = withoutTwice(text.replace(literal, hidden));
    if (!escapes.test(clean)) return clean;
    mixed ??= new RegExp(known.map((secret) => mixedForm(secret, shortestSecret)).join('|'), 'giu');
    return clean.replace(mixed, hidden);
  };
  return (text) => {
    // Letters of other shapes, such as full-width ones, are read as the usual ones.
    if (beyondAscii.test(text)) {
      const usual = text.normalize('NFKC');
      const clean = redact(usual);
      if (clean !== usual) return clean;
    }
    return redact(text);
  };
}

/** Looks for base64 of base64 only in texts with a word that is long enough for it: few have one. */
function twiceRemover(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.flatMap(base64Twice).sort((a, b) => b.length - a.length);
  const longWord = new RegExp(`[a-z0-9]{${forms.at(-1)?.length}}`, 'i');
  let pattern: RegExp | null = null;
  return (text) => {
    if (!longWord.test(text)) return text;
    pattern ??= new RegExp([...new Set(forms)].join('|'), 'gi');
    return text.replace(pattern, hidden);
  };
}

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  let redact: ((text: string) => string) | null = null;
  return {
    learn: (secret) => {
      if (secrets.has(secret)) return;
      secrets.add(secret);
      redact = null;
    },
    redact: (text) => {
      redact ??= redactionOf(secrets);
      return redact(text);
    },
  };
}

/** The same failure without secrets in what a service may have written. */
export function redactedFailure(failure: Failure, redact: (text: string) => string): Failure {
  const { raw, serviceCode } = failure;
  return {
    ...failure,
    note: redact(failure.note),
    ...(raw === undefined ? {} : { raw: redact(raw) }),
    ...(serviceCode === undefined ? {} : { serviceCode: redact(serviceCode) }),
  };
}

/** The same log without secrets: by the names of fields, by the names that texts give to values, and by the values that are known. */
export function redactingLog(log: LeveledLog, redact: (text: string) => string): LeveledLog {
  const cleanText = (text: string) => redact(redactNamed(text));
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return cleanText(value);
    if (Array.isArray(value)) return value.map(clean);
    return value !== null && typeof value === 'object' ? cleanFields(value) : value;
  };
  const cleanFields = (fields: object): LogFields =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [cleanText(name), fieldIsSecret(name) ? hidden : clean(value)]),
    );
  const level =
    (name: keyof LeveledLog) =>
    (message: string, fields: LogFields = {}) =>
      log[name](cleanText(message), cleanFields(fields));
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') };
}
