import { unitsOf } from './text-readings.ts';

/** Characters that are looked up at once. */
const blockUnits = 3;
/** Of a form as many characters as this are looked for in the table; the rest is compared where they were found. */
const mostWindowUnits = 16;
const tableSize = 2 ** 15;

/** By character: as what it is compared at first, 0 for one that is passed over. */
export type Signs = Uint8Array;

/** Letters of both cases are the same, and so are both alphabets of base64. Beyond ASCII all count as one. */
export const everySign: Signs = new Uint8Array(2 ** 16).fill(127);
for (let code = 1; code < 127; code += 1) {
  const sign = String.fromCharCode(code);
  everySign[code] = (sign === '-' ? '+' : sign === '_' ? '/' : sign.toLowerCase()).charCodeAt(0);
}

const hashOf = (a: number, b: number, c: number): number => (a * 961 + b * 31 + c) & (tableSize - 1);

/** Of the characters at these places. */
function hashAt(units: Uint16Array, first: number, second: number, third: number): number {
  return hashOf(
    everySign[units[first] as number] as number,
    everySign[units[second] as number] as number,
    everySign[units[third] as number] as number,
  );
}

/** The text with one case and one alphabet of base64, and exactly as long. */
function foldText(text: string): string {
  const lower = text.toLowerCase();
  const same =
    lower.length === text.length ? lower : Array.from({ length: text.length }, (_, at) => foldUnit(text, at));
  return (typeof same === 'string' ? same : same.join('')).replaceAll('-', '+').replaceAll('_', '/');
}

/**
 * Makes a function that says where in a text the beginning of one of the forms stands that the text's end cuts off, of `leastUnits` at least; null if it ends with none.
 */
export function createFindCut(forms: readonly string[], leastUnits: number): (text: string) => number | null {
  const byBeginning = new Map<string, string[]>();
  let longest = 0;
  for (const form of new Set(forms.map(foldText))) {
    const beginning = form.slice(0, leastUnits);
    const same = byBeginning.get(beginning);
    if (same) same.push(form);
    else byBeginning.set(beginning, [form]);
    longest = Math.max(longest, form.length);
  }
  return (text) => {
    const from = Math.max(0, text.length - longest);
    const tail = foldText(text.slice(from));
    for (let at = 0; at <= tail.length - leastUnits; at += 1) {
      const candidates = byBeginning.get(tail.slice(at, at + leastUnits));
      if (candidates?.some((form) => form.startsWith(tail.slice(at)))) return from + at;
    }
    return null;
  };
}

function foldUnit(text: string, at: number): string {
  const lower = text.charAt(at).toLowerCase();
  return lower.length === 1 ? lower : text.charAt(at);
}

/** Calls `onFound` for each place among the characters of a text where one of the forms stands, from left to right and not overlapping; the longest form counts. */
export type FindAny = (units: Uint16Array, onFound: (from: number, to: number) => void) => void;

/** The place of the character before `at`, or behind it, that is not passed over; -1, or the length of the text, if there is none. */
function placeBefore(units: Uint16Array, signs: Signs, at: number): number {
  let place = at - 1;
  while (place >= 0 && signs[units[place] as number] === 0) place -= 1;
  return place;
}
function placeBehind(units: Uint16Array, signs: Signs, at: number): number {
  let place = at + 1;
  while (place < units.length && signs[units[place] as number] === 0) place += 1;
  return place;
}

/** What a search asks at each place: how far the next form can be, and which forms may stand there. */
function tablesOf(all: readonly string[], windowUnits: number) {
  const lastBlock = windowUnits - blockUnits;
  const shifts = new Uint8Array(tableSize).fill(lastBlock + 1);
  /** By hash: 1 if a form begins with such a block. */
  const begins = new Uint8Array(tableSize);
  const endingWith = new Map<number, string[]>();
  for (const form of all) {
    const units = unitsOf(form);
    let hash = 0;
    for (let at = 0; at <= lastBlock; at += 1) {
      hash = hashAt(units, at, at + 1, at + 2);
      if (at === 0) begins[hash] = 1;
      shifts[hash] = Math.min(shifts[hash] as number, lastBlock - at);
    }
    const same = endingWith.get(hash);
    if (same) same.push(form);
    else endingWith.set(hash, [form]);
  }
  return { shifts, begins, endingWith };
}

/**
 * Looks for many forms at once, in any case of their letters, among those characters of a text that `signs` does not pass over (Wu and Manber, 1994): a table says for each
 * three characters how far the next place can be where a form ends, so most of a text is never looked at, and its size does not depend on how many there are. What is
 * passed over puts that place only farther. Every form has at least three characters, and none that is passed over.
 */
export function createFindAny(forms: readonly string[], signs = everySign): FindAny {
  const all = [...new Set(forms.map(foldText))].sort((a, b) => b.length - a.length);
  if (all.length === 0) return () => undefined;
  const windowUnits = Math.min(mostWindowUnits, all.at(-1)?.length ?? 0);
  const { shifts, begins, endingWith } = tablesOf(all, windowUnits);
  const before = (units: Uint16Array, at: number) => placeBefore(units, signs, at);
  const behind = (units: Uint16Array, at: number) => placeBehind(units, signs, at);
  /** Of a block that ends at `at`, with something between; null if it does not begin in the text. */
  const hashAcross = (units: Uint16Array, at: number): number | null => {
    const second = before(units, at);
    const first = before(units, second);
    return first < 0 ? null : hashAt(units, first, second, at);
  };
  /** Where the longest form whose window ends at `at` begins and ends; null if none does. */
  const formAt = (units: Uint16Array, at: number, hash: number, least: number): [number, number] | null => {
    let from = at;
    for (let left = windowUnits; left > 1 && from >= least; left -= 1) from = before(units, from);
    if (from < least) return null;
    const second = behind(units, from);
    if (begins[hashAt(units, from, second, behind(units, second))] === 0) return null;
    const candidates = endingWith.get(hash) ?? [];
    const places: number[] = [];
    const longest = candidates[0]?.length ?? 0;
    for (let next = from; next < units.length && places.length < longest; next = behind(units, next)) places.push(next);
    const text = foldText(String.fromCharCode(...places.map((place) => units[place] as number)));
    const length = candidates.find((form) => text.startsWith(form))?.length;
    return length === undefined ? null : [from, (places[length - 1] as number) + 1];
  };
  return (units, onFound) => {
    /** The end of what was found. */
    let least = 0;
    for (let at = windowUnits - 1; at < units.length; ) {
      const c = signs[units[at] as number] as number;
      if (c === 0) {
        at += 1;
        continue;
      }
      const b = signs[units[at - 1] as number] as number;
      const a = signs[units[at - 2] as number] as number;
      const hash = a !== 0 && b !== 0 ? hashOf(a, b, c) : hashAcross(units, at);
      const shift = hash === null ? 1 : (shifts[hash] as number);
      const found = hash !== null && shift === 0 ? formAt(units, at, hash, least) : null;
      if (found) {
        onFound(...found);
        least = found[1];
        at = least + windowUnits - 1;
      } else at += shift || 1;
    }
  };
}
