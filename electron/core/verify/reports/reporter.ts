import type { Reporter } from '../../../../contract/verify.ts';
import type { SettingTable } from '../../../store/settings/settings.ts';

const key = 'report.reporter';

/** Who makes reports with this program; null as long as nobody was named. */
export function reporterOf(settings: SettingTable): Reporter | null {
  const text = settings.get(key);
  return text === null ? null : JSON.parse(text);
}

export function keepReporter(settings: SettingTable, reporter: Reporter): void {
  settings.put(key, JSON.stringify(reporter));
}
