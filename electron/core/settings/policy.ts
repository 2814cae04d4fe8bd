import { type ExportName, exportNames } from '../../../contract/exports.ts';
import {
  type organisationTable,
  type PersonalName,
  type PolicyState,
  type SettingName,
  type SettingValue,
  settingNames,
  settingTable,
} from '../../../contract/settings.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import type { Log, PolicySource } from '../foundation/ports.ts';
import { brokenPolicy, noPolicy, type PolicyValues, readPolicy } from './read-policy.ts';

/** The organisation's policy. What it sets is locked; what it recommends gives way to the person's choice. */
export type Policy = Awaited<ReturnType<typeof openPolicy>>;

/** Reads the policy, and reads it again whenever it changes. Never rejects: a policy that cannot be used locks what it may lock. */
export async function openPolicy(source: PolicySource, log: Log) {
  const onChange = new Set<() => void>();
  let values: PolicyValues = noPolicy;
  /** The last policy that could be read as a whole; null while there was none in this run. */
  let usable: PolicyValues | null = null;
  let isPresent = false;
  const load = async () => {
    try {
      const written = await source.read();
      isPresent = written !== null;
      values = written ? readPolicy(written, usable ?? noPolicy) : noPolicy;
      usable = values;
    } catch (error) {
      isPresent = true;
      values = brokenPolicy(usable, failureOf(error)?.note ?? 'the policy cannot be read');
    }
    if (isPresent) log.info('policy read', { locked: lockedIn(values).length, problems: values.problems.length });
    for (const { kind, key, note } of values.problems) log.error('policy problem', { kind, key, note });
  };
  // One after the other, so that an older policy never comes after a newer one. Watched before it is read: neither would see what is written between the two.
  let last: Promise<unknown> = Promise.resolve();
  const stop = source.watch(() => {
    last = last.then(load).then(() => {
      for (const listener of onChange) listener();
    });
  });
  last = load();
  await last;
  return {
    ...readers(() => values),
    state: (): PolicyState => stateOf(source.name, isPresent, values),
    /** Called after each change of the policy. */
    onChange,
    close: () => {
      stop();
      onChange.clear();
    },
  };
}

const lockedIn = ({ mandatory, unreadable }: PolicyValues) =>
  settingNames.filter((name) => mandatory.has(name) || unreadable.has(name));

function stateOf(source: string, isPresent: boolean, values: PolicyValues): PolicyState {
  return {
    source,
    isPresent,
    locked: lockedIn(values),
    forbidden: exportNames.filter((name) => !rightIn(values, name)),
    mayAddConnections: rightIn(values, 'ownConnections'),
    requestWaitAtLeast: secondsIn(values, 'requestWaitAtLeast'),
    registerWaitAtLeast: secondsIn(values, 'registerWaitAtLeast'),
    problems: values.problems,
  };
}

function rightIn({ mandatory, unreadable }: PolicyValues, name: ExportName | 'ownConnections'): boolean {
  return !unreadable.has(name) && mandatory.get(name) !== false;
}

function secondsIn({ mandatory }: PolicyValues, name: 'requestWaitAtLeast' | 'registerWaitAtLeast'): number {
  return (mandatory.get(name) as number | undefined) ?? settingTable[name].builtIn;
}

function readers(values: () => PolicyValues) {
  const isLocked = (name: SettingName) => values().mandatory.has(name) || values().unreadable.has(name);
  const builtIn = <N extends SettingName>(name: N) => settingTable[name].builtIn as SettingValue<N>;
  return {
    /** By precedence: what the policy sets, what the person chose, what the policy recommends, what is built in. */
    personal: <N extends PersonalName>(name: N, chosen: SettingValue<N> | undefined): SettingValue<N> => {
      const { mandatory, recommended } = values();
      // Both were parsed by the schema of this setting.
      if (mandatory.has(name)) return mandatory.get(name) as NonNullable<typeof chosen>;
      return chosen ?? (recommended.get(name) as typeof chosen) ?? builtIn(name);
    },
    /** A setting of the organisation alone: as the policy sets it, else as it is built in. A right that cannot be read is not given. */
    organisation: <N extends keyof typeof organisationTable>(name: N): SettingValue<N> => {
      const { mandatory, unreadable } = values();
      if (unreadable.has(name) && typeof builtIn(name) === 'boolean')
        return false as ReturnType<typeof builtIn<typeof name>>;
      return (mandatory.get(name) as SettingValue<typeof name> | undefined) ?? builtIn(name);
    },
    isLocked,
    /** True if the policy sets this to something that cannot be read. */
    isUnreadable: (name: SettingName): boolean => values().unreadable.has(name),
    /** Throws bad-input (managed) if one of the settings is locked. */
    assertFree: (names: readonly SettingName[]) => {
      const locked = names.find(isLocked);
      if (locked !== undefined) throw managed(`${locked} is set by the organisation's policy`);
    },
    /** Throws bad-input (managed) if the policy forbids this export. */
    assertExport: (name: ExportName) => {
      if (!rightIn(values(), name)) throw managed(`${name} is not allowed by the organisation's policy`);
    },
  };
}

/** A failure for what the policy does not allow. */
export function managed(note: string) {
  return appError('bad-input', note, { detail: 'managed' });
}
