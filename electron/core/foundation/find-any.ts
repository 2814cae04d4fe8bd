import { unitsOf } from './text-units.ts';

/** Characters that are looked up at once. */
const blockUnits = 3;
/** Of a form as many characters as this are looked for in the table; the rest is compared where they were found. */
const mostWindowUnits = 16;
const tableSize = 2 ** 15;

/** By character: letters of both cases are the same, and so are both alphabets of base64. Beyond ASCII all count as one. */
const folded = new Uint8Array(2 ** 16).fill(127);
for (let code = 0; code < 127; code += 1) {
  const sign = String.fromCharCode(code);
  folded[code] = (sign === '-' ? '+' : sign === '_' ? '/' : sign.toLowerCase()).charCodeAt(0);
}

function hashAt(units: Uint16Array, at: number): number {
  const a = folded[units[at] as number] as number;
  const b = folded[units[at + 1] as number] as number;
  const c = folded[units[at + 2] as number] as number;
  return (a * 961 + b * 31 + c) & (tableSize - 1);
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

/** Calls `onFound` for each place among the characters of a text where one of the forms begins, from left to right and not overlapping; the longest form counts. */
export type FindAny = (units: Uint16Array, onFound: (from: number, to: number) => void) => void;

/**
 * Looks for many forms at once, in any case of their letters (Wu and Manber, 1994): a table says for each three characters how far the next place can be where
 * a form begins, so most of a text is never looked at, and its size does not depend on how many there are. Every form has at least three characters.
 */
export function createFindAny(forms: readonly string[]): FindAny {
  const all = [...new Set(forms.map(foldText))].sort((a, b) => b.length - a.length);
  const windowUnits = Math.min(mostWindowUnits, all.at(-1)?.length ?? 0);
  const lastBlock = windowUnits - blockUnits;
  const shifts = new Uint8Array(tableSize).fill(lastBlock + 1);
  /** By hash: 1 if a form begins with such a block. */
  const begins = new Uint8Array(tableSize);
  const endingWith = new Map<number, string[]>();
  for (const form of all) {
    const units = unitsOf(form);
    for (let at = 0; at <= lastBlock; at += 1) {
      const hash = hashAt(units, at);
      shifts[hash] = Math.min(shifts[hash] as number, lastBlock - at);
    }
    begins[hashAt(units, 0)] = 1;
    const hash = hashAt(units, lastBlock);
    const same = endingWith.get(hash);
    if (same) same.push(form);
    else endingWith.set(hash, [form]);
  }
  const lengthAt = (units: Uint16Array, hash: number, at: number): number => {
    const candidates = endingWith.get(hash) ?? [];
    const longest = foldText(String.fromCharCode(...units.subarray(at, at + (candidates[0]?.length ?? 0))));
    return candidates.find((form) => longest.startsWith(form))?.length ?? 0;
  };
  return (units, onFound) => {
    const last = units.length - blockUnits;
    for (let at = lastBlock; at <= last; ) {
      const hash = hashAt(units, at);
      const shift = shifts[hash] as number;
      const from = at - lastBlock;
      const length = shift === 0 && begins[hashAt(units, from)] === 1 ? lengthAt(units, hash, from) : 0;
      if (length > 0) onFound(from, from + length);
      at += length > 0 ? length : shift || 1;
    }
  };
}
