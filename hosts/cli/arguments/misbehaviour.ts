import { type OperationName, operationNames } from '../../../contract/operation.ts';
import type { FaultInjector, FaultRule } from '../../../practice/misbehave.ts';
import { UsageError } from '../output/exit-code.ts';
import { t } from '../output/texts.ts';
import { type NamedOption, option } from './options.ts';
import { isSet, numberOf, textOf, type Values } from './values.ts';

const kinds: readonly FaultRule['kind'][] = [
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

export const misbehaviourOptions: readonly NamedOption[] = [
  option('--misbehave <KIND>', kinds.join(', ')),
  option('--misbehave-operation <NAME>', t('options.misbehaveOperation')),
  option('--misbehave-every <N>', t('options.misbehaveEvery')),
  option('--misbehave-times <N>', t('options.misbehaveTimes')),
  option('--misbehave-value <VALUE>', t('options.misbehaveValue')),
  option('--misbehave-taken', t('options.misbehaveTaken')),
];

/** The fault that the options ask the practice service to simulate. Throws a UsageError. */
export function misbehaviourOf(values: Values): FaultInjector | undefined {
  const kind = textOf(values, 'misbehave');
  if (kind === undefined) {
    const alone = misbehaviourOptions.map((one) => one.name()).find((name) => values[name] !== undefined);
    if (alone) throw new UsageError(t('errors.misbehaveAlone', { option: alone }));
    return undefined;
  }
  const operation = textOf(values, 'misbehave-operation');
  if (operation !== undefined && !isOperation(operation)) {
    throw new UsageError(t('errors.takesOneOf', { option: 'misbehave-operation', values: operationNames.join(', ') }));
  }
  return {
    mischief: mischiefOf(kind, values),
    operation,
    every: numberOf(values, 'misbehave-every'),
    times: numberOf(values, 'misbehave-times'),
  };
}

function mischiefOf(kind: string, values: Values): FaultRule {
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
        throw new UsageError(t('errors.misbehaveEarly'));
      }
      return { kind, status: number ?? 413 };
    case 'answer':
      return { kind, text: text ?? '-100', taken };
    default:
      throw new UsageError(t('errors.takesOneOf', { option: 'misbehave', values: kinds.join(', ') }));
  }
}

const isOperation = (name: string): name is OperationName => operationNames.some((known) => known === name);
