import { resolve } from 'node:path';
import type { PolicyProblem } from '../../../contract/settings.ts';
import { knownFailure } from '../../../electron/core/foundation/app-error.ts';
import type { PolicySource } from '../../../electron/core/foundation/ports.ts';
import { brokenPolicy, noPolicy, type PolicyValues, readPolicy } from '../../../electron/core/settings/read-policy.ts';
import type { KnownSignerPlaces, ReadSigners } from '../../../electron/core/verify/known-signer-files.ts';
import { uncheckedPolicyFile } from '../../../electron/host-kit/policy-file.ts';
import { systemPolicy } from '../../../electron/host-kit/system-policy.ts';
import type { PlainCommand } from '../command.ts';
import { exitCodes } from '../output/exit-code.ts';
import { nameOnLine } from '../output/printer.ts';
import { t } from '../output/texts.ts';

export const policyCommand: PlainCommand = {
  kind: 'plain',
  name: 'policy',
  summary: t('commands.policy.summary'),
  arguments: ['[FILE]'],
  options: [],
  remarks: [t('commands.policy.file')],
  examples: [
    ['', t('commands.policy.summary')],
    ['policy.json', t('commands.policy.check')],
  ],
  run: async ({ args: [file], printer }) => {
    const source = file === undefined ? systemPolicy() : uncheckedPolicyFile(resolve(file));
    const values = await policyValuesOf(source);
    const { mandatory, recommended } = values ?? noPolicy;
    const { readKnownSigners } = await import('../../../electron/core/verify/known-signer-files.ts');
    const signers = await readKnownSigners(knownSignerPlaces(mandatory));
    const problems = [...(values?.problems ?? []), ...signers.problems.map(toProblem)];
    const ok = problems.length === 0;
    printer.result(
      {
        operation: 'policy',
        ok,
        details: {
          source: source.name,
          isPresent: values !== null,
          set: Object.fromEntries(mandatory),
          recommended: Object.fromEntries(recommended),
          problems,
        },
      },
      `${nameOnLine(source.name)}: ${values ? policyText({ ...values, problems }) : t('results.policy.none')}`,
    );
    return ok ? exitCodes.fine : exitCodes.refused;
  },
};

/** The policy as the program would read it at its start; null if there is none. */
export async function policyValuesOf(source: Pick<PolicySource, 'read'>): Promise<PolicyValues | null> {
  try {
    const written = await source.read();
    return written && readPolicy(written, noPolicy);
  } catch (error) {
    return brokenPolicy(noPolicy, knownFailure(error).note);
  }
}

/** What the files lack that a policy names. Without them signers are not known, and nothing else. */
function toProblem({ key, note }: ReadSigners['problems'][number]): PolicyProblem {
  return { kind: 'wrong-value', key, note };
}

export function knownSignerPlaces(set: PolicyValues['mandatory']): KnownSignerPlaces {
  const placeOf = (name: 'trustedCertificates' | 'trustList') => (set.get(name) as string | undefined) ?? null;
  return { folder: placeOf('trustedCertificates'), list: placeOf('trustList') };
}

/** Values of a policy contain no secrets, so all are shown. */
function policyText({ mandatory, recommended, problems }: PolicyValues): string {
  const rows = (values: ReadonlyMap<string, unknown>) =>
    [...values].map(([name, value]) => `  ${name} = ${nameOnLine(JSON.stringify(value))}`);
  const wrong = problems.map(({ key, note }) => `  ${nameOnLine(`${key || t('results.policy.whole')}: ${note}`)}`);
  return [
    problems.length === 0 ? t('results.policy.valid') : '',
    ...(mandatory.size > 0 ? [t('results.policy.set'), ...rows(mandatory)] : []),
    ...(recommended.size > 0 ? [t('results.policy.recommended'), ...rows(recommended)] : []),
    ...(wrong.length > 0 ? [t('results.policy.errors'), ...wrong] : []),
  ]
    .join('\n')
    .trim();
}
