import type { Failure } from '../../../contract/failure.ts';
import { createFindAny, createFindCut } from './find-any.ts';
import { createLettersSearch, createQuickLook, formsOf } from './letters-search.ts';
import type { LeveledLog, LogFields } from './ports.ts';
import {
  asItIs,
  hasDump,
  hasReadings,
  hidden,
  levelsOf,
  partsOf,
  type Ranges,
  readingsOf,
  unitsOf,
  withoutRanges,
  withoutReferences,
} from './text-readings.ts';

/** Words in the names of secrets, as interfaces, headers and forms write them. */
const words =
  'api[-_ ]?(?:key|sig)|signature[-_ ]?key|secret|token|passw(?:or)?d|passphrase|credential|authorization|cookie|private[-_ ]?key';
const secretName = new RegExp(words, 'i');
/** The rest of a name, an end of its quotes or element, and what stands between it and its value. */
const named = new RegExp(
  String.raw`((?:${words})\w{0,20}(?:\\{0,4}["'])?\s{0,4}(?:[:=]|>)\s{0,4}(?:\\{0,4}["'])?(?:(?:Basic|Bearer|Negotiate|NTLM) )?)[^\s"'<>&,;\\]{3,}`,
  'gi',
);

/** True if a field of this name is never written, whatever it holds. */
function fieldIsSecret(name: string): boolean {
  return secretName.test(name);
}

/** Replaces values that a text names as secrets: `apiKey=…`, `"password": "…"`, `<apiSig>…</apiSig>`, `Authorization: Basic …`. */
export function redactNamed(text: string): string {
  return text.replace(named, '$1•••');
}

/** Longer values of secret words than an interface has. */
const overlapUnits = 4 * 1024;

/** The values that a text gives to this name: in elements, attributes, JSON and lines. What is not closed goes up to the end of the text. */
function valuesOf(name: string): RegExp {
  const tagName = String.raw`(?:[\w.-]{1,100}:)?(?:${name})`;
  const element = String.raw`<${tagName}(?:\s[^<>]{0,500})?(?<!/)>(?<element>[^]*?)(?:</${tagName}|$)`;
  const quoted = String.raw`(?<!\\)(?<quote>\\{0,8}["'])(?<quoted>[^]*?)(?:(?<!\\)\k<quote>(?=\s{0,8}(?:[,;}\]>/?&)]|[\w:.-]+\s{0,4}=|$))|$)`;
  const open = String.raw`(?:\\{0,8}["'])?(?<open>[^<>\r\n]*)`;
  return new RegExp(
    String.raw`${element}|(?:${name})(?:\\{0,8}["']\s{0,8}:\s{0,8}(?<bare>[^\s"'\\,}\]][^\s,}\]]*)|(?:\\{0,8}["'])?\s{0,8}[:=]\s{0,8}(?:${quoted}|${open}))`,
    'dgi',
  );
}

/** Makes a function that hides the values which a text calls secret words, or by this name that a service has for them: a raw answer may be a list of signers. */
export function secretWordsHidden(name: string): (text: string) => string {
  const values = valuesOf(`secret[-_ ]?word|${name.replace(/[^\w]/g, '\\$&')}`);
  return (text) => {
    const found: Ranges = [];
    for (const { at, part } of partsOf(text, overlapUnits)) {
      for (const reading of levelsOf(part)) {
        for (const { indices } of reading.text.matchAll(values)) {
          const { element, quoted, bare, open } = indices?.groups ?? {};
          const [from, to] = element ?? quoted ?? bare ?? open ?? [0, 0];
          if (to === from) continue;
          const [start, end] = reading.origin(from, to);
          found.push([at + start, at + end]);
        }
      }
    }
    return withoutRanges(text, found);
  };
}

/** Removes secrets from texts: the last safeguard, as no secret should get into them at all. The one redactor of log, reports and failures. */
export type Redactor = ReturnType<typeof createRedactor>;

/** Shorter secrets would match parts of ordinary words; no service issues them. */
const shortestSecret = 6;

/** An escaped character has as many characters at most. */
const mostUnitsEscaped = 24;

export interface Redact {
  (text: string): string;
  /** A quick look at much XML: false if no value in it that can be read in one way only, its references resolved, can hold a secret. */
  readonly isNeeded?: (text: string) => boolean;
}

/**
 * Makes a function that replaces every form of the secrets, in upper or lower case, and what of one is left where a text was cut. Secrets with fewer characters than `shortest` are not looked for.
 */
export function redactionOf(secrets: Iterable<string>, shortest = shortestSecret): Redact {
  const known = [...secrets].filter((secret) => secret.length >= shortest);
  if (known.length === 0) return Object.assign((text: string) => text, { isNeeded: () => false });
  const forms = known.flatMap(formsOf).filter((form) => form.length >= shortest);
  const find = createFindAny(forms);
  const findCut = createFindCut(forms, shortestSecret);
  const letters = createLettersSearch(known);
  const overlap = mostUnitsEscaped * Math.max(...known.map(({ length }) => length));
  /** Where the beginning of a secret stands that the end of the text, and maybe of an escape, cuts off. */
  const cutIn = (text: string) => {
    const from = Math.max(0, text.length - overlap);
    const tail = text.slice(from);
    for (const whole of new Set([tail, tail.replace(cutEscape, '')])) {
      for (const reading of hasReadings(whole) ? readingsOf(whole) : [asItIs(whole)]) {
        const begun = findCut(reading.text);
        const place = begun === null ? letters.findCut(reading) : reading.origin(begun, begun + 1)[0];
        if (place !== null) return from + place;
      }
    }
    return null;
  };
  const redact = (text: string) => {
    const found: Ranges = [];
    find(unitsOf(text), (from, to) => found.push([from, to]));
    const cut = cutIn(text);
    if (cut !== null) found.push([cut, text.length]);
    const isReadable = hasReadings(text);
    for (const { at, part } of partsOf(text, overlap)) {
      const onFound = (from: number, to: number) => found.push([at + from, at + to]);
      for (const reading of isReadable ? readingsOf(part) : [asItIs(part)]) {
        if (isReadable) find(unitsOf(reading.text), (from, to) => onFound(...reading.origin(from, to)));
        letters.find(reading, onFound);
      }
    }
    return withoutRanges(text, found);
  };
  const usually = (text: string) => {
    // Letters of other shapes, such as full-width ones, are read as the usual ones.
    const usual = beyondAscii.test(text) ? text.normalize('NFKC') : text;
    const clean = redact(usual);
    return clean !== usual || usual === text ? clean : redact(text);
  };
  const safely = (text: string) => {
    try {
      // What was cut and quoted: each part ends where a secret may have been cut. Before that as a whole, as the sign may be the service's own.
      const parts = text.includes(cutSign) ? redact(text).split(cutSign) : [text];
      return parts.map(usually).join(cutSign);
    } catch {
      // Whatever went wrong, neither the text nor the error is passed on: both may hold a secret.
      return hidden;
    }
  };
  return Object.assign(safely, { isNeeded: isNeededFor(forms) });
}

function isNeededFor(forms: readonly string[]): NonNullable<Redact['isNeeded']> {
  let mayHold: ReturnType<typeof createQuickLook> | null = null;
  return (text) => {
    const read = withoutReferences(text);
    mayHold ??= createQuickLook(forms);
    const units = unitsOf(read);
    return mayHold(units) || hasDump(read, units);
  };
}

const cutSign = '…';
const cutEscape =
  /(?:<[^<>]{0,200}|\n[\w.-]{0,100}|\\{1,4}[0-9a-z{]{0,8}|[\s:,;-]{1,2}[0-9]{0,3}|&#?[0-9a-z]{0,12}|(?:[%=][0-9a-f]{0,2}){1,4})$/i;
const beyondAscii = /[^\0-\x7f]/;

export function createRedactor() {
  const secrets = new Set<string>();
  let redact: ((text: string) => string) | null = null;
  return {
    learn: (secret: string): void => {
      if (secrets.has(secret)) return;
      secrets.add(secret);
      redact = null;
    },
    /** Replaces every form of the secrets that are known in this run. */
    redact: (text: string): string => {
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
