import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { Envelope, Failure } from '../../../contract/failure.ts';
import { type Bridge, type CallName, calls, type Handlers } from '../../../contract/index.ts';
import { appError, failureOf, shortageOf } from '../foundation/app-error.ts';
import type { Log } from '../foundation/ports.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { whyNotPlainJson } from './plain-json.ts';

/** Of one answer about bad input. */
const maxFields = 20;
const maxFieldText = 200;

/**
 * The input gate: only names of the contract (own keys), only input that passes the call's schema. Never rejects.
 * Who may ask at all is the host's gate (the sender).
 */
export function createCallRouter(handlers: Handlers, log: Log, redact: (text: string) => string): Bridge['call'] {
  return async (name: unknown, input: unknown): Promise<Envelope<unknown>> => {
    try {
      const repeat = typeof name === 'string' && isSafeToRepeat(name) ? { limitMs: 20_000 } : { limitMs: 0 };
      return { ok: true, value: await retryWhileBusy(() => answer(handlers, name, input), repeat) };
    } catch (error) {
      return { ok: false, failure: redacted(asFailure(error, isCallName(name) ? name : 'unknown call', log), redact) };
    }
  };
}

/**
 * Calls that have changed nothing, or nothing that doing it again would change once more, where another program has the database. They wait for it; others
 * answer storage-busy, and a person tries again.
 */
function isSafeToRepeat(name: string): boolean {
  return /^(jobs|app|views)\./.test(name) && name !== 'jobs.reconcile';
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
  // The one place where the link between a name and its types, which the contract guarantees, is lost on the compiler.
  const handler = handlers[name] as (parsed: unknown) => Promise<unknown>;
  return await handler(parsed.data);
}

function plainProblem(input: unknown): string | null {
  try {
    return whyNotPlainJson(input);
  } catch {
    // A proxy whose traps throw.
    return 'cannot be read';
  }
}

/** Errors by path with dots. Never the value itself: it may be a secret in the wrong field. */
function fieldsOf(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const entries = issues
    .slice(0, maxFields)
    .map((issue) => [clip(issue.path.map(String).join('.')), clip(messageOf(issue))] as const);
  // First one wins; fromEntries makes own keys of names like __proto__.
  return Object.fromEntries([...entries].reverse());
}

function messageOf(issue: z.core.$ZodIssue): string {
  // Names of keys come from outside and could be anything, a pasted secret too.
  if (issue.code === 'unrecognized_keys') return `has ${issue.keys.length} unknown key(s)`;
  if (issue.code === 'invalid_key') return 'has a key that is not allowed';
  return issue.message;
}

function clip(text: string): string {
  return text.length > maxFieldText ? `${text.slice(0, maxFieldText)}…` : text;
}

function asFailure(error: unknown, name: string, log: Log): Failure {
  const known = failureOf(error) ?? systemFailure(error);
  if (known) {
    if (known.code !== 'bad-input') log.info('call failed', { call: name, code: known.code, note: known.note });
    return known;
  }
  const reference = randomBytes(4).toString('hex');
  log.error('unexpected error', { call: name, reference, ...traceOf(error) });
  return { code: 'bug', note: `unexpected error in ${name}`, retryable: false, reference };
}

/** A full disk, too many open files or a database that cannot be used is no bug of ours. */
function systemFailure(error: unknown): Failure | null {
  const shortage = shortageOf(error);
  if (shortage) return shortage.failure;
  const code = codeOf(error);
  if (code === 'SQLITE_FULL') return appError('storage-full', `no space left (${code})`).failure;
  if (code?.startsWith('SQLITE_BUSY'))
    return appError('storage-busy', 'another program writes to the database').failure;
  if (code?.startsWith('SQLITE_')) return appError('storage-unusable', `the database answered ${code}`).failure;
  return null;
}

function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : null;
}

/** Name, code and places only: messages of libraries may quote a request, which holds the credentials. */
function traceOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { thrown: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { error: error.name, code: codeOf(error), at: frames.slice(0, 12).map((line) => line.trim()) };
}

function redacted(failure: Failure, redact: (text: string) => string): Failure {
  const { raw } = failure;
  return { ...failure, note: redact(failure.note), ...(raw === undefined ? {} : { raw: redact(raw) }) };
}
