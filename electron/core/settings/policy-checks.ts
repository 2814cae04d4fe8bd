import { languageTags } from '../../../contract/languages.ts';
import type { ManagedConnection, SettingName } from '../../../contract/settings.ts';
import { elementNamesProblem } from '../../soap/service/element-names.ts';
import { isPem } from '../../soap/trust/trust.ts';

/*
 * What a value must be besides fitting its schema, asked of the code that uses it: a policy is checked before it is rolled out, and there is nobody in front of the
 * program who could mend it.
 */

const noCertificate = 'is no PEM certificate';

/** Why a setting's value cannot be used; null if it can. */
export function whyUnusable(name: SettingName, value: unknown): string | null {
  if (name === 'extraCa') return isPem(String(value)) ? null : noCertificate;
  if (name !== 'language' || value === 'system') return null;
  const tag = String(value).toLowerCase().split('-', 1)[0];
  return languageTags.some((one) => one === tag) ? null : `must be system or one of ${languageTags.join(', ')}`;
}

/** The place and the reason of what cannot be used in a connection; null if all of it can. */
export function connectionProblem({
  extraCa,
  elementNames,
  team,
}: ManagedConnection): readonly [string, string] | null {
  if (extraCa && !isPem(extraCa)) return ['extraCa', noCertificate];
  if (team?.ca && !isPem(team.ca)) return ['team.ca', noCertificate];
  const problem = elementNamesProblem(elementNames ?? {});
  return problem && [`elementNames.${problem.element}`, problem.why];
}
