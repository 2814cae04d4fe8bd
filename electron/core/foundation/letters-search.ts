import { createFindAny, createFindCut, everySign, type Signs } from './find-any.ts';
import { derive, markup, type Reading, readAsText, unitsOf } from './text-readings.ts';

/** Fewer letters and digits may stand one after the other in ordinary sentences. */
const shortestLetters = 8;

/** Of the letters of all alphabets, or of those that stand in ASCII; halves of a character beyond 16 bits count as letters. */
function lettersAmong(most: number): Signs {
  const signs = new Uint8Array(everySign.length);
  const isLetter = (code: number) => /[\p{L}\p{N}]/u.test(String.fromCharCode(code));
  for (let code = 0; code < most; code += 1)
    if ((code >= 0xd800 && code < 0xe000) || isLetter(code)) signs[code] = everySign[code] as number;
  return signs;
}
const asciiLetters = lettersAmong(128);
/** Made when it is needed: most secrets have ASCII only. */
let ofAllAlphabets: Signs | null = null;

/** The letters of a text; `places` gets where each stands. */
function lettersOf(text: string, signs: Signs, places?: Uint32Array): string {
  const units = unitsOf(text);
  const letters = new Uint16Array(units.length);
  let count = 0;
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at] as number;
    if (signs[unit] === 0) continue;
    if (places) places[count] = at;
    letters[count] = unit;
    count += 1;
  }
  return Buffer.from(letters.buffer, 0, count * 2).toString('utf16le');
}

type Way = ReturnType<typeof wayOf>;

function wayOf(forms: readonly string[], signs: Signs) {
  /** Forms that have as many as are looked for. */
  const covered = new Set<string>();
  const letters = forms.flatMap((form) => {
    const all = lettersOf(form, signs);
    if (all.length >= shortestLetters) covered.add(form);
    const bare = form.replace(markup, '');
    return (bare === form ? [all] : [all, lettersOf(bare, signs)]).filter((one) => one.length >= shortestLetters);
  });
  return { signs, letters, covered };
}

/** The letters of all forms, and by all alphabets those of forms with others. */
function waysOf(forms: readonly string[]): readonly Way[] {
  const foreign = forms.filter((form) => /[^\0-\x7f]/.test(form));
  if (foreign.length === 0) return [wayOf(forms, asciiLetters)];
  ofAllAlphabets ??= lettersAmong(2 ** 16);
  return [wayOf(forms, asciiLetters), wayOf(foreign, ofAllAlphabets)];
}

/** Makes a quick look: true if among a text's characters stands one of the forms, or its letters with whatever between. A form with letters enough needs no other look. */
export function createQuickLook(forms: readonly string[]): (units: Uint16Array) => boolean {
  const ways = waysOf(forms);
  const others = forms.filter((form) => !ways.some(({ covered }) => covered.has(form)));
  const finds = [createFindAny(others), ...ways.map(({ signs, letters }) => createFindAny(letters, signs))];
  return (units) => {
    let isFound = false;
    for (const find of finds)
      find(units, () => {
        isFound = true;
      });
    return isFound;
  };
}

/** The reading as it is, and without elements, names of lines and names of signs, whose letters are none of a secret. */
function withoutMarkup(reading: Reading): Reading[] {
  const without = derive(reading, markup, () => '');
  return without ? [reading, without] : [reading];
}

/**
 * Looks for the letters and digits of secrets alone: a service may break lines, put elements or dashes between, write other signs or names for signs, and a
 * character that XML forbids is replaced by another.
 */
export function createLettersSearch(secrets: readonly string[]) {
  const ways = waysOf(secrets.flatMap(looseFormsOf)).map(({ signs, letters }) => ({
    signs,
    find: createFindAny(letters, signs),
    findCut: createFindCut(letters, shortestLetters),
  }));
  return {
    /** Calls `onFound` for each place of the reading's text, from left to right by each way of comparing. */
    find(first: Reading, onFound: (from: number, to: number) => void) {
      for (const reading of ways.length === 0 ? [] : withoutMarkup(first))
        for (const { find } of ways) find(unitsOf(reading.text), (from, to) => onFound(...reading.origin(from, to)));
    },
    /** Where the beginning of a secret stands that the text's end cuts off; null if it ends with none. */
    findCut(first: Reading): number | null {
      for (const reading of ways.length === 0 ? [] : withoutMarkup(first)) {
        for (const { signs, findCut } of ways) {
          const places = new Uint32Array(reading.text.length);
          const begun = findCut(lettersOf(reading.text, signs, places));
          if (begun === null) continue;
          const place = places[begun] as number;
          return reading.origin(place, place + 1)[0];
        }
      }
      return null;
    },
  };
}

/** How a secret may be written in a text, when the text's own escapes are resolved (text-readings.ts). */

/** The secret in both cases, too: what is compressed from its bytes has no case of its own. */
const casesOf = (secret: string) => [...new Set([secret, secret.toLowerCase(), secret.toUpperCase()])];

function bytesOf(secret: string): Buffer[] {
  const low = Buffer.from(secret, 'utf16le');
  return [Buffer.from(secret), low, Buffer.from(low).swap16()];
}

/** Base64 of bytes wherever they begin in what was encoded: without the characters at both ends, which depend on their neighbours. */
function base64Of(secret: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), secret]);
    const whole = bytes.toString('base64').replace(/=+$/, '');
    return whole.slice(Math.ceil((offset * 8) / 6), whole.length - (bytes.length % 3 === 0 ? 0 : 1));
  });
}

/** Base64 that was encoded once more, in both alphabets. It has letters and digits only. */
function base64Twice(secret: string): string[] {
  return base64Of(Buffer.from(secret))
    .flatMap((once) => [once, once.replaceAll('+', '-').replaceAll('/', '_')])
    .flatMap((form) => base64Of(Buffer.from(form)));
}

/** The secret itself, and as hex and base64 of UTF-8 and UTF-16 write it. */
function looseFormsOf(secret: string): string[] {
  const bytes = casesOf(secret).flatMap(bytesOf);
  // As it is; as bytes of UTF-8 that are read one by one; as forms of the Web write spaces.
  const plain = [secret, Buffer.from(secret).toString('latin1'), secret.replace(/\s/g, '+')];
  return [...plain.flatMap(readAsText), ...bytes.map((one) => one.toString('hex')), ...bytes.flatMap(base64Of)];
}

/** The same, and as base64 that was encoded once more. */
export function formsOf(secret: string): string[] {
  return [...looseFormsOf(secret), ...casesOf(secret).flatMap(base64Twice)];
}
