import { useTranslation } from 'react-i18next';
import { Counters } from '../chip.tsx';
import { dayBefore, useToday } from './today.ts';

/** Days of this computer's calendar, YYYY-MM-DD, both included; null: no bound. */
export interface Days {
  readonly from: string | null;
  readonly to: string | null;
}

const presetKeys = ['today', 'yesterday', 'lastDays', 'thisMonth', 'older'] as const;
type Preset = (typeof presetKeys)[number];

/** Days after which something is old: as on Home. */
const oldAfterDays = 14;

/** The days that people ask for, each one press away; `isAgeAsked`: also what is older than two weeks. */
export function DayPresets(props: {
  readonly label: string;
  readonly days: Days;
  readonly onChange: (days: Days) => void;
  readonly isAgeAsked?: boolean;
}) {
  const { t } = useTranslation();
  const { days } = props;
  // What is today is yesterday after midnight.
  useToday();
  const presets = presetDays();
  const keys = presetKeys.filter((key) => key !== 'older' || props.isAgeAsked);
  return (
    <Counters
      label={props.label}
      wraps
      counters={keys.map((key) => ({ key, text: t(`common.days.${key}`) }))}
      selected={presetOf(days)}
      onSelect={(key) => props.onChange(key === null ? { from: null, to: null } : presets[key])}
    />
  );
}

/** The days that people ask for which these are; null: others, or all. */
export function presetOf(days: Days): Preset | null {
  const presets = presetDays();
  return presetKeys.find((key) => presets[key].from === days.from && presets[key].to === days.to) ?? null;
}

function presetDays(): Record<Preset, Days> {
  const today = dayBefore(0);
  return {
    today: { from: today, to: today },
    yesterday: { from: dayBefore(1), to: dayBefore(1) },
    lastDays: { from: dayBefore(7), to: null },
    thisMonth: { from: `${today.slice(0, 8)}01`, to: null },
    older: { from: null, to: dayBefore(oldAfterDays + 1) },
  };
}
