/** Characters that are looked up at once. */
const blockUnits = 3;
/** Of a form as many characters as this are looked for in the table; the rest is compared where they were found. */
const mostWindowUnits = 16;
const tableSize = 2 ** 15;

/** Letters of both cases are the same, and so are both alphabets of base64. */
const folded = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  return (sign === '-' ? '+' : sign === '_' ? '/' : sign.toLowerCase()).charCodeAt(0);
});
const beyondAscii = 127;

function hashAt(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  const third = text.charCodeAt(at + 2);
  const a = first < 128 ? (folded[first] as number) : beyondAscii;
  const b = second < 128 ? (folded[second] as number) : beyondAscii;
  const c = third < 128 ? (folded[third] as number) : beyondAscii;
  return (a * 961 + b * 31 + c) & (tableSize - 1);
}

/** The text with one case and one alphabet of base64, and exactly as long. */
function foldText(text: string): string {
  const lower = text.toLowerCase();
  const same =
    lower.length === text.length ? lower : Array.from({ length: text.length }, (_, at) => foldUnit(text, at));
  return (typeof same === 'string' ? same : same.join('')).replaceAll('-', '+').replaceAll('_', '/');
}

function foldUnit(text: string, at: number): string {
  const lower = text.charAt(at).toLowerCase();
  return lower.length === 1 ? lower : text.charAt(at);
}

/** Calls `onFound` for each place of a text where one of the forms begins, from left to right and not overlapping; the longest form counts. */
export type FindAny = (text: string, onFound: (from: number, to: number) => void) => void;

/**
 * Looks for many forms at once, in any case of their letters (Wu and Manber, 1994): a table says for each three characters how far the next place can be where
 * a form begins, so most of a text is never looked at, and its size does not depend on how many there are. Every form has at least three characters.
 */
export function createFindAny(forms: readonly string[]): FindAny {
  const all = [...new Set(forms.map(foldText))].sort((a, b) => b.length - a.length);
  const windowUnits = Math.min(mostWindowUnits, all.at(-1)?.length ?? 0);
  const lastBlock = windowUnits - blockUnits;
  const shifts = new Uint8Array(tableSize).fill(lastBlock + 1);
  const endingWith = new Map<number, string[]>();
  for (const form of all) {
    for (let at = 0; at <= lastBlock; at += 1) {
      const hash = hashAt(form, at);
      shifts[hash] = Math.min(shifts[hash] as number, lastBlock - at);
    }
    const hash = hashAt(form, lastBlock);
    const same = endingWith.get(hash);
    if (same) same.push(form);
    else endingWith.set(hash, [form]);
  }
  const lengthAt = (text: string, hash: number, at: number): number => {
    const candidates = endingWith.get(hash) ?? [];
    const longest = foldText(text.slice(at, at + (candidates[0]?.length ?? 0)));
    return candidates.find((form) => longest.startsWith(form))?.length ?? 0;
  };
  return (text, onFound) => {
    const last = text.length - blockUnits;
    for (let at = lastBlock; at <= last; ) {
      const hash = hashAt(text, at);
      const shift = shifts[hash] as number;
      const from = at - lastBlock;
      const length = shift === 0 ? lengthAt(text, hash, from) : 0;
      if (length > 0) onFound(from, from + length);
      at += length > 0 ? length : shift || 1;
    }
  };
}
