import type { Option } from 'commander';
import { type OperationName, operationNames } from '../../contract/operation.ts';
import type { Misbehave, Mischief } from '../../practice/misbehave.ts';
import { option } from './options.ts';
import { UsageError } from './usage-error.ts';
import { isSet, numberOf, textOf, type Values } from './values.ts';

const kinds: readonly Mischief['kind'][] = [
  'delay',
  'drop-before',
  'drop-after',
  'drop-in-answer',
  'fault',
  'html',
  'garbage',
  'truncated',
  'slow',
  'early',
  'answer',
];

export const misbehaviourOptions: readonly Option[] = [
  option('--misbehave <KIND>', kinds.join(', ')),
  option('--misbehave-operation <NAME>', 'only at this operation, such as AddNewDocument'),
  option('--misbehave-every <N>', 'only at every n-th request'),
  option('--misbehave-times <N>', 'so often, then never again'),
  option(
    '--misbehave-value <VALUE>',
    'delay: milliseconds; drop-before: bytes; html, early: status; fault, answer: text',
  ),
  option('--misbehave-taken', 'fault, html, garbage, answer: the request is carried out nevertheless'),
];

/** The fault that the options ask the practice service to simulate. Throws a UsageError. */
export function misbehaviourOf(values: Values): Misbehave | undefined {
  const kind = textOf(values, 'misbehave');
  if (kind === undefined) {
    const alone = misbehaviourOptions.map((one) => one.name()).find((name) => values[name] !== undefined);
    if (alone) throw new UsageError(`--${alone} goes with --misbehave KIND.`);
    return undefined;
  }
  const operation = textOf(values, 'misbehave-operation');
  if (operation !== undefined && !isOperation(operation)) {
    throw new UsageError(`--misbehave-operation takes one of ${operationNames.join(', ')}.`);
  }
  return {
    mischief: mischiefOf(kind, values),
    operation,
    every: numberOf(values, 'misbehave-every'),
    times: numberOf(values, 'misbehave-times'),
  };
}

function mischiefOf(kind: string, values: Values): Mischief {
  const text = textOf(values, 'misbehave-value');
  const number =
    text === undefined || kind === 'answer' || kind === 'fault' ? undefined : numberOf(values, 'misbehave-value');
  const taken = isSet(values, 'misbehave-taken') || undefined;
  switch (kind) {
    case 'delay':
      return { kind, ms: number ?? 5000 };
    case 'drop-before':
      return { kind, afterBytes: number };
    case 'drop-after':
    case 'drop-in-answer':
    case 'truncated':
    case 'slow':
      return { kind };
    case 'fault':
      return { kind, text, taken };
    case 'html':
      return { kind, status: number, taken };
    case 'garbage':
      return { kind, taken };
    case 'early':
      if (number !== undefined && number !== 302 && number !== 401 && number !== 413) {
        throw new UsageError('--misbehave-value for early is 302, 401 or 413.');
      }
      return { kind, status: number ?? 413 };
    case 'answer':
      return { kind, text: text ?? '-100', taken };
    default:
      throw new UsageError(`--misbehave takes one of ${kinds.join(', ')}.`);
  }
}

const isOperation = (name: string): name is OperationName => operationNames.some((known) => known === name);
