import { useTranslation } from 'react-i18next';
import type { Connection, ConnectionSettings } from '../../contract/connections.ts';
import { type ExportCall, exportOf } from '../../contract/exports.ts';
import type { SettingName } from '../../contract/settings.ts';
import { useLive } from './live.tsx';

/** The reason why something cannot be changed or done here; undefined if it can. */
type Reason = string | undefined;

/** For each setting, why it cannot be changed. */
export function useLocked(): (name: SettingName) => Reason {
  const { t } = useTranslation();
  const { locked } = useLive().info.policy;
  return (name) => (locked.includes(name) ? t('settings.managed') : undefined);
}

/** Why this call may not write its file. */
export function useForbidden(call: ExportCall): Reason {
  const { t } = useTranslation();
  const { forbidden } = useLive().info.policy;
  return forbidden.includes(exportOf[call]) ? t('settings.notAllowed') : undefined;
}

export type LockedAt = (field: keyof ConnectionSettings) => Reason;

/** For each setting of a connection, why it cannot be changed. Of a new one, what is set for all connections. */
export function useLockedAt(connection: Connection | null): LockedAt {
  const { t } = useTranslation();
  const { locked } = useLive().info.policy;
  const isForAll = (field: string) => locked.some((name) => name === field);
  const fields: readonly string[] = connection?.managed?.locked ?? [];
  return (field) =>
    fields.includes(field) || (connection === null && isForAll(field)) ? t('settings.managed') : undefined;
}
