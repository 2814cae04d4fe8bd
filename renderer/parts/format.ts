import { useMemo } from 'react';
import { useLocale } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { daysFromToday, useHour } from './days/today.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

const isDayOnly = /^\d{4}-\d\d-\d\d$/;

/** Numbers, sizes and times in the language of the window. */
export function useFormat() {
  const { t } = useTranslation();
  // The system's region for the language of the window: 10:44 or 10:44 AM as elsewhere on this computer.
  const { locale: language } = useLocale();
  // Not used inside, but what is today is yesterday after midnight, and has waited for a day after 24 hours.
  const hour = useHour();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts depend on the hour
  return useMemo(() => {
    const { whole, clock, exact, day, dayAndYear, full, dayAndTime, list, amounts, relative, comma } =
      formatsOf(language);
    const at = (iso: string, say: (date: Date) => string) => {
      // A day without a time is one of this computer's calendar, not of UTC.
      const date = new Date(isDayOnly.test(iso) ? `${iso}T00:00` : iso);
      return Number.isNaN(date.getTime()) ? iso : say(date);
    };
    const isToday = (date: Date) => date.toDateString() === new Date().toDateString();
    const dateOf = (date: Date) => (date.getFullYear() === new Date().getFullYear() ? day : dayAndYear).format(date);
    const dayAndClockOf = (date: Date) => {
      const days = daysFromToday(date);
      if (Math.abs(days) > 1) return `${dateOf(date)}${comma}${clock.format(date)}`;
      return `${relative.format(days, 'day')} ${clock.format(date)}`;
    };
    const capitalized = (text: string) =>
      /^\d/.test(text) ? text : text.charAt(0).toLocaleUpperCase(language) + text.slice(1);

    return {
      number: (value: number) => whole.format(value),
      /** For texts with a plural: the number, and as it is written. */
      counted: (count: number) => ({ count, shown: whole.format(count) }),
      /** 1.8 MB: decimal units, as file managers and networks count. */
      bytes: (value: number) => bytesText(language, value),
      rate: (bytesPerSecond: number) => t('common.perSecond', { size: bytesText(language, bytesPerSecond) }),
      time: (iso: string) => at(iso, (date) => clock.format(date)),
      /** By itself: 10:44 today, Yesterday 10:44, otherwise 21 Nov, 10:44. */
      moment: (iso: string) =>
        at(iso, (date) => (isToday(date) ? clock.format(date) : capitalized(dayAndClockOf(date)))),
      /** Inside a sentence: today 10:44, yesterday 10:44, tomorrow 10:44, otherwise 21 Nov, 10:44. */
      momentInText: (iso: string) => at(iso, dayAndClockOf),
      /** Whole days since a time: what was sent before midnight has not waited for a day after it. 0 for what is no time. */
      daysSince: (iso: string) => Math.max(0, Math.floor((Date.now() - new Date(iso).getTime()) / 86_400_000)) || 0,
      isToday: (iso: string) => isToday(new Date(iso)),
      date: (iso: string) => at(iso, dateOf),
      /** With seconds, for steps in quick succession. */
      seconds: (iso: string) =>
        at(iso, (date) => (isToday(date) ? exact.format(date) : `${dateOf(date)}, ${exact.format(date)}`)),
      /** 21 Nov 2026, 10:44, also for today. */
      whole: (iso: string) => at(iso, (date) => dayAndTime.format(date)),
      /** Full date and time, for tooltips. */
      fullMoment: (iso: string) => at(iso, (date) => full.format(date)),
      secondsLeft: (seconds: number) => {
        if (seconds < 60) return t('common.secondsLeft', { count: Math.max(1, Math.ceil(seconds)) });
        if (seconds < 3600) return t('common.minutesLeft', { count: Math.ceil(seconds / 60) });
        return t('common.hoursLeft', { count: Math.ceil(seconds / 3600) });
      },
      list: (items: readonly string[]) => list.format(items),
      /** Without “and”: 12 files, 1 folder, 2.9 MB. */
      amounts: (items: readonly string[]) => amounts.format(items),
    };
  }, [language, t, hour]);
}

/** Cached, because creating one takes as long as rendering a card, and every card of a list uses them. */
const formats = new Map<string, ReturnType<typeof newFormats>>();

function formatsOf(language: string) {
  const known = formats.get(language) ?? newFormats(language);
  formats.set(language, known);
  return known;
}

/** What the language writes between a day and a time: ", " or "، ". */
function commaOf(language: string): string {
  const parts = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', hour: 'numeric' }).formatToParts();
  const before = parts[parts.findIndex(({ type }) => type === 'hour') - 1];
  return before?.type === 'literal' ? before.value : ', ';
}

function newFormats(language: string) {
  const moment = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options);
  return {
    whole: new Intl.NumberFormat(language, { maximumFractionDigits: 0 }),
    clock: moment({ timeStyle: 'short' }),
    exact: moment({ timeStyle: 'medium' }),
    day: moment({ day: 'numeric', month: 'short' }),
    dayAndYear: moment({ day: 'numeric', month: 'short', year: 'numeric' }),
    comma: commaOf(language),
    full: moment({ dateStyle: 'long', timeStyle: 'long' }),
    dayAndTime: moment({ dateStyle: 'medium', timeStyle: 'short' }),
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
    amounts: new Intl.ListFormat(language, { type: 'unit', style: 'short' }),
    list: new Intl.ListFormat(language, { type: 'conjunction' }),
    bytes: units.map((unit, step) =>
      [0, 1].map(
        (digits) =>
          new Intl.NumberFormat(language, {
            style: 'unit',
            unit,
            unitDisplay: step === 0 ? 'long' : 'short',
            maximumFractionDigits: digits,
          }),
      ),
    ),
  };
}

function bytesText(language: string, value: number): string {
  const step = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** step;
  const digits = step === 0 || scaled >= 100 ? 0 : 1;
  return formatsOf(language).bytes[step]?.[digits]?.format(scaled) ?? '';
}

/**
 * Makes a name from a file system or a service safe to show: invisible characters, and characters that reverse the following ones, are replaced by
 * their code. Direction overrides can make `fdp.exe` look like `exe.pdf`.
 */
export function visibleName(name: string): string {
  return name.replaceAll(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (sign) => `‹U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`,
  );
}
