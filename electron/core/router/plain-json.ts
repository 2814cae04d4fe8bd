import { longestPassedText } from '../../../contract/text.ts';

/** Bounds on one input before any schema sees it. The largest call of the contract, a request with two passed texts, stays below. */
const limits = { depth: 20, nodes: 100_000, characters: 2 * longestPassedText + 4_000_000 };

/**
 * Says why a value is not plain bounded JSON, or null where it is. Undefined counts as an absent key. Getters,
 * functions, classes and cycles never reach a schema: a wire cannot carry them, so whoever sends them is probing.
 */
export function whyNotPlainJson(value: unknown): string | null {
  const left = { nodes: limits.nodes, characters: limits.characters };
  return look(value, 0, left);
}

function look(value: unknown, depth: number, left: { nodes: number; characters: number }): string | null {
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
    // Before its keys are listed, which takes as long as it is.
    if (value.length > left.nodes) return 'has too many parts';
  } else {
    const prototype = Object.getPrototypeOf(value);
    // By shape, not identity: an object from another realm (structured clone, test runner) has its own Object.
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
    const inside = look(property.value, depth + 1, left);
    if (inside) return inside;
  }
  return null;
}
