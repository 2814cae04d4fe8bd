import { longestPassedText } from '../../../contract/text.ts';

/** Limits for one input, checked before its schema. The largest call of the contract, a request with two passed texts, stays below them. */
const limits = { depth: 20, nodes: 100_000, characters: 2 * longestPassedText + 4_000_000 };

/**
 * Returns why a value is not plain JSON within the limits, or null if it is. Undefined counts as an absent key. Getters, functions, classes and
 * cycles never reach a schema: IPC cannot carry them, so a sender that uses them is probing.
 */
export function whyNotPlainJson(value: unknown): string | null {
  const left = { nodes: limits.nodes, characters: limits.characters };
  return findProblem(value, 0, left);
}

function findProblem(value: unknown, depth: number, left: { nodes: number; characters: number }): string | null {
  left.nodes -= 1;
  if (left.nodes < 0) return 'has too many parts';
  if (value === null || value === undefined || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'holds a number that JSON cannot carry';
  if (typeof value === 'string') return spend(value.length, left);
  if (typeof value !== 'object') return `holds a ${typeof value}`;
  if (depth >= limits.depth) return 'is nested too deeply';
  return lookInside(value, depth, left);
}

function spend(characters: number, left: { characters: number }): string | null {
  left.characters -= characters;
  return left.characters < 0 ? 'is too long' : null;
}

function lookInside(value: object, depth: number, left: { nodes: number; characters: number }): string | null {
  if (Array.isArray(value)) {
    // Checked before the keys are listed, because listing takes time in proportion to the length.
    if (value.length > left.nodes) return 'has too many parts';
  } else {
    const prototype = Object.getPrototypeOf(value);
    // Compared by shape, not identity: an object from another realm (structured clone, test runner) has its own Object.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
      return 'holds something else than plain objects';
  }
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === 'symbol') return 'has a symbol as a key';
    if (Array.isArray(value) && key === 'length') continue;
    if (!Array.isArray(value)) {
      const tooLong = spend(key.length, left);
      if (tooLong) return tooLong;
    }
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (!property || !('value' in property)) return 'has a computed property';
    const inside = findProblem(property.value, depth + 1, left);
    if (inside) return inside;
  }
  return null;
}
