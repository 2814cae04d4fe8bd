import { languageTags } from '../../../contract/languages.ts';
import {
  type ManagedConnection,
  managedConnection,
  type PersonalName,
  type PolicyProblem,
  personalNames,
  type SettingName,
  settingNames,
  settingTable,
} from '../../../contract/settings.ts';
import { elementNamesProblem } from '../../soap/service/element-names.ts';
import { isPem } from '../../soap/trust/trust.ts';

/** Problems that are kept; a policy full of mistakes must not fill log and window. */
const mostProblems = 50;

/** A policy as it is in force. */
export interface PolicyValues {
  readonly mandatory: ReadonlyMap<SettingName, unknown>;
  readonly recommended: ReadonlyMap<PersonalName, unknown>;
  /** Settings that the policy sets to something that cannot be read, or may set while it cannot be read itself. */
  readonly unreadable: ReadonlySet<SettingName>;
  readonly problems: readonly PolicyProblem[];
}

export const noPolicy: PolicyValues = {
  mandatory: new Map(),
  recommended: new Map(),
  unreadable: new Set(),
  problems: [],
};

/** What holds while the whole policy cannot be read: the last one of this run, or all settings as unreadable. */
export function brokenPolicy(before: PolicyValues | null, note: string): PolicyValues {
  const problems: readonly PolicyProblem[] = [{ kind: 'unusable', key: '', note }];
  return before ? { ...before, problems } : { ...noPolicy, unreadable: new Set(settingNames), problems };
}

/** Reads a written policy. A value that cannot be used leaves that of `before` in force, if there is one, and is locked in any case. */
export function readPolicy(written: Readonly<Record<string, unknown>>, before: PolicyValues): PolicyValues {
  const problems: PolicyProblem[] = [];
  const report = (kind: PolicyProblem['kind'], key: string, note: string) => {
    if (problems.length < mostProblems) problems.push({ kind, key, note });
  };
  const mandatory = new Map<SettingName, unknown>();
  const recommended = new Map<PersonalName, unknown>();
  const unreadable = new Set<SettingName>();
  for (const [key, value] of given(written)) {
    const name = known(settingNames, key);
    // Names the schema, for editors.
    if (key.toLowerCase() === '$schema') continue;
    if (key.toLowerCase() === 'recommended') readRecommended(value, recommended, report);
    else if (!name) report('unknown', key, 'is no setting of this version');
    else {
      const read = name === 'connections' ? readConnections(value, before, report) : readValue(name, value);
      if (read.ok) mandatory.set(name, read.value);
      else {
        report('wrong-value', name, read.why);
        if (before.mandatory.has(name)) mandatory.set(name, before.mandatory.get(name));
        else unreadable.add(name);
      }
    }
  }
  const [feed, key] = (['updateFeed', 'updateKey'] as const).map((name) => mandatory.has(name) || unreadable.has(name));
  if (feed && !key)
    report('missing', 'updateKey', 'is needed with updateFeed: without it the program never updates itself');
  if (key && !feed)
    report('missing', 'updateFeed', 'is needed with updateKey: without it the program never updates itself');
  return { mandatory, recommended, unreadable, problems };
}

type Report = (kind: PolicyProblem['kind'], key: string, note: string) => void;
type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/** JSON and the registry both write null or an empty text for what is not set. */
function given(written: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(written).filter(([, value]) => value !== null && value !== undefined && value !== '');
}

/** Names of the registry may be in any case. */
function known<N extends string>(names: readonly N[], key: string): N | undefined {
  return names.find((name) => name.toLowerCase() === key.toLowerCase());
}

function readRecommended(value: unknown, into: Map<PersonalName, unknown>, report: Report): void {
  if (!isObject(value)) report('wrong-value', 'recommended', 'must be an object of settings');
  for (const [key, one] of isObject(value) ? given(value) : []) {
    const name = known(personalNames, key);
    const place = `recommended.${name ?? key}`;
    const isOther = known(settingNames, key) !== undefined;
    if (!name) report('unknown', place, isOther ? 'can be set, but not recommended' : 'is no setting of this version');
    else {
      const read = readValue(name, one);
      if (read.ok) into.set(name, read.value);
      else report('wrong-value', place, read.why);
    }
  }
}

function readValue(name: SettingName, value: unknown): Read {
  let why = 'cannot be used';
  for (const form of formsOf(value)) {
    const parsed = settingTable[name].schema.safeParse(form);
    if (parsed.success) {
      const unusable = whyUnusable(name, parsed.data);
      return unusable === null ? { ok: true, value: parsed.data } : { ok: false, why: unusable };
    }
    why = parsed.error.issues[0]?.message ?? why;
  }
  return { ok: false, why };
}

/** The registry has no booleans and no lists: 0 and 1, and JSON in a text. */
function formsOf(value: unknown): unknown[] {
  if (value === 0 || value === 1) return [value === 1, value];
  if (typeof value !== 'string') return [value];
  try {
    return [JSON.parse(value), value];
  } catch {
    return [value];
  }
}

/** Each connection by itself: one that cannot be used does not take the others with it. */
function readConnections(value: unknown, before: PolicyValues, report: Report): Read {
  const list = formsOf(value)[0];
  if (!Array.isArray(list) || list.length > 100) return { ok: false, why: 'must be a list of at most 100 connections' };
  const earlier = (before.mandatory.get('connections') ?? []) as readonly ManagedConnection[];
  const read = list.flatMap((entry, at): readonly ManagedConnection[] => {
    const place = `connections[${at}]`;
    const parsed = managedConnection.safeParse(entry);
    const [issue] = parsed.error?.issues ?? [];
    const problem = parsed.success
      ? connectionProblem(parsed.data)
      : ([issue?.path.join('.') ?? '', issue?.message ?? 'cannot be used'] as const);
    if (problem || !parsed.success) {
      const [at = '', why = ''] = problem ?? [];
      report('wrong-value', [place, at].filter(Boolean).join('.'), why);
      return earlier.filter(({ id }) => isObject(entry) && entry.id === id);
    }
    for (const key of Object.keys(entry)) {
      if (!(key in managedConnection.unwrap().shape))
        report('unknown', `${place}.${key}`, 'is no setting of a connection');
    }
    // Only what the policy names: defaults are the person's to change.
    const named = Object.entries(parsed.data).filter(([key]) => key in entry);
    return [Object.fromEntries(named) as ManagedConnection];
  });
  const unique = read.filter(({ id, name }, at) => {
    const isFirst = read.findIndex((other) => other.id === id || other.name === name) === at;
    if (!isFirst) report('wrong-value', `connections.${id}`, 'has the id or the name of another connection');
    return isFirst;
  });
  return { ok: true, value: unique };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/*
 * What a value must be besides fitting its schema, asked of the code that uses it: a policy is checked before it is rolled out, and there is nobody in front of the
 * program who could mend it.
 */

const noCertificate = 'is no PEM certificate';

/** Why a setting's value cannot be used; null if it can. */
function whyUnusable(name: SettingName, value: unknown): string | null {
  if (name === 'extraCa') return isPem(String(value)) ? null : noCertificate;
  if (name !== 'language' || value === 'system') return null;
  const tag = String(value).toLowerCase().split('-', 1)[0];
  return languageTags.some((one) => one === tag) ? null : `must be system or one of ${languageTags.join(', ')}`;
}

/** The place and the reason of what cannot be used in a connection; null if all of it can. */
function connectionProblem({ extraCa, elementNames, team }: ManagedConnection): readonly [string, string] | null {
  if (extraCa && !isPem(extraCa)) return ['extraCa', noCertificate];
  if (team?.ca && !isPem(team.ca)) return ['team.ca', noCertificate];
  const problem = elementNamesProblem(elementNames ?? {});
  return problem && [`elementNames.${problem.element}`, problem.why];
}
