import type { z } from 'zod';
import type { Envelope, Failure } from '../../../contract/failure.ts';
import { type Bridge, type CallName, calls, type Handlers } from '../../../contract/index.ts';
import { longestPassedText } from '../../../contract/text.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import type { LeveledLog } from '../foundation/ports.ts';
import { redactedFailure } from '../foundation/redactor.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { unexpectedFailure } from '../foundation/unexpected.ts';

/** Limit of fields named in one bad-input failure. */
const maxFields = 20;
const maxFieldText = 200;

/**
 * Checks the input of every call: only names of the contract (own keys) and only input that passes the call's schema reach a handler. Never rejects.
 * Checking the sender is the host's task.
 */
export function createCallRouter(
  handlers: Handlers,
  log: LeveledLog,
  redact: (text: string) => string,
): Bridge['call'] {
  const ask = async (name: unknown, input: unknown): Promise<Envelope<unknown>> => {
    try {
      const repeat = isCallName(name) && calls[name].repeatable ? { limitMs: 20_000 } : { limitMs: 0 };
      return { ok: true, value: await retryWhileBusy(() => answer(handlers, name, input), repeat) };
    } catch (error) {
      return {
        ok: false,
        failure: redactedFailure(failureFor(error, isCallName(name) ? name : 'unknown call', log), redact),
      };
    }
  };
  return async (name: unknown, input: unknown): Promise<Envelope<unknown>> => {
    const from = performance.now();
    const answered = await ask(name, input);
    const code = answered.ok ? {} : { code: answered.failure.code };
    log.debug('call', { call: isCallName(name) ? name : 'unknown', ms: Math.round(performance.now() - from), ...code });
    return answered;
  };
}

function isCallName(name: unknown): name is CallName {
  return typeof name === 'string' && Object.hasOwn(calls, name);
}

async function answer(handlers: Handlers, name: unknown, input: unknown): Promise<unknown> {
  if (!isCallName(name) || !Object.hasOwn(handlers, name)) throw appError('bad-input', 'there is no such call');
  const notPlain = plainProblem(input);
  if (notPlain) throw appError('bad-input', `${name}: the input ${notPlain}`);
  const parsed = calls[name].input.safeParse(input);
  if (!parsed.success) {
    throw appError('bad-input', `${name}: the input does not fit`, { fields: fieldsOf(parsed.error.issues) });
  }
  // The contract guarantees that the handler fits its name; the compiler cannot follow this here.
  const handler = handlers[name] as (parsed: unknown) => Promise<unknown>;
  return (await handler(parsed.data)) ?? null;
}

function plainProblem(input: unknown): string | null {
  try {
    return whyNotPlainJson(input);
  } catch {
    // For example a proxy whose traps throw.
    return 'cannot be read';
  }
}

/** Errors by dotted path. They never contain the value, which may be a secret in the wrong field. */
function fieldsOf(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const entries = issues
    .slice(0, maxFields)
    .map((issue) => [clip(issue.path.map(String).join('.')), clip(messageOf(issue))] as const);
  // The first error of a path wins; fromEntries creates own keys even for names like __proto__.
  return Object.fromEntries([...entries].reverse());
}

function messageOf(issue: z.core.$ZodIssue): string {
  // The names of unknown keys come from outside and may contain anything, even a pasted secret.
  if (issue.code === 'unrecognized_keys') return `has ${issue.keys.length} unknown key(s)`;
  if (issue.code === 'invalid_key') return 'has a key that is not allowed';
  return issue.message;
}

function clip(text: string): string {
  return text.length > maxFieldText ? `${text.slice(0, maxFieldText)}…` : text;
}

function failureFor(error: unknown, name: string, log: LeveledLog): Failure {
  const known = failureOf(error);
  if (!known) return unexpectedFailure(error, { call: name }, log);
  if (known.code !== 'bad-input') log.warn('call failed', { call: name, code: known.code, note: known.note });
  return known;
}

/** Limits for one input, checked before its schema. The largest call of the contract, a request with two passed texts, stays below them. */
const limits = { depth: 20, nodes: 100_000, characters: 2 * longestPassedText + 4_000_000 };

/**
 * Returns why a value is not plain JSON within the limits, or null if it is. Undefined counts as an absent key. Getters, functions, classes and
 * cycles never reach a schema: IPC cannot carry them, so a sender that uses them is probing.
 */
function whyNotPlainJson(value: unknown): string | null {
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
