import { createFindAny, createFindCut, type FindAny } from './find-any.ts';
import { looseFormsOf } from './secret-forms.ts';
import { derive, markup, type Reading } from './text-readings.ts';
import { unitsOf } from './text-units.ts';

/**
 * Looks for the letters and digits of secrets alone: a service may break lines, put elements or dashes between, write other signs or names for signs, and a
 * character that XML forbids is replaced by another.
 */
export interface LettersSearch {
  /** Calls `onFound` for each place of the reading's text, from left to right by each way of comparing. */
  find(reading: Reading, onFound: (from: number, to: number) => void): void;
  /** Where the beginning of a secret stands that the text's end cuts off; null if it ends with none. */
  findCut(reading: Reading): number | null;
  /** True if a text with these characters, read in one way only, may hold one. */
  isIn(units: Uint16Array): boolean;
}

/** Fewer letters and digits may stand one after the other in ordinary sentences. */
const shortestLetters = 8;

/** By character, one for those that are compared. */
type Compared = Uint8Array;
const asciiLetters: Compared = new Uint8Array(2 ** 16);
for (const sign of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')
  asciiLetters[sign.charCodeAt(0)] = 1;

/** Of all alphabets; halves of a character beyond 16 bits count as letters. Made when it is needed: most secrets have ASCII only. */
let ofAllAlphabets: Compared | null = null;
function allLetters(): Compared {
  ofAllAlphabets ??= Uint8Array.from({ length: 2 ** 16 }, (_, code) =>
    (code >= 0xd800 && code < 0xe000) || /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? 1 : 0,
  );
  return ofAllAlphabets;
}

/** The letters of most texts share one memory. */
const shared = new Uint16Array(64 * 1024);

/** Those of the characters that are compared, valid until the next call; `places` gets where each stood. */
function lettersOf(units: Uint16Array, compared: Compared, places?: Uint32Array): Uint16Array {
  const letters = units.length <= shared.length ? shared : new Uint16Array(units.length);
  let count = 0;
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at] as number;
    if (places) places[count] = at;
    letters[count] = unit;
    count += compared[unit] as number;
  }
  return letters.subarray(0, count);
}

const textOf = (units: Uint16Array) => Buffer.from(units.buffer, 0, units.length * 2).toString('utf16le');

interface Way {
  readonly compared: Compared;
  readonly find: FindAny;
  readonly findCut: (text: string) => number | null;
}

function wayOf(forms: readonly string[], compared: Compared): Way | null {
  const letters = forms
    .flatMap((form) => [form, form.replace(markup, '')])
    .map((form) => textOf(lettersOf(unitsOf(form), compared)))
    .filter((form) => form.length >= shortestLetters);
  if (letters.length === 0) return null;
  return { compared, find: createFindAny(letters), findCut: createFindCut(letters, shortestLetters) };
}

/** The reading as it is, and without elements, names of lines and names of signs, whose letters are none of a secret. */
function withoutMarkup(reading: Reading): Reading[] {
  const without = derive(reading, markup, () => '');
  return without ? [reading, without] : [reading];
}

export function createLettersSearch(secrets: readonly string[]): LettersSearch {
  const forms = secrets.flatMap(looseFormsOf);
  const foreign = forms.filter((form) => /[^\0-\x7f]/.test(form));
  const ways = [wayOf(forms, asciiLetters), foreign.length > 0 ? wayOf(foreign, allLetters()) : null].filter(
    (way) => way !== null,
  );
  return {
    find(first, onFound) {
      if (ways.length === 0) return;
      for (const reading of withoutMarkup(first)) {
        for (const { compared, find } of ways) {
          const places = new Uint32Array(reading.text.length);
          find(lettersOf(unitsOf(reading.text), compared, places), (from, to) =>
            onFound(...reading.origin(places[from] as number, (places[to - 1] as number) + 1)),
          );
        }
      }
    },
    findCut(first) {
      for (const reading of ways.length === 0 ? [] : withoutMarkup(first)) {
        for (const { compared, findCut } of ways) {
          const places = new Uint32Array(reading.text.length);
          const begun = findCut(textOf(lettersOf(unitsOf(reading.text), compared, places)));
          if (begun === null) continue;
          const place = places[begun] as number;
          return reading.origin(place, place + 1)[0];
        }
      }
      return null;
    },
    isIn(units) {
      let isFound = false;
      const onFound = () => {
        isFound = true;
      };
      for (const { compared, find } of ways) find(lettersOf(units, compared), onFound);
      return isFound;
    },
  };
}
