import { useSyncExternalStore } from 'react';

/** A timer up to midnight would be late after the computer slept, and wrong after its clock or time zone was set. */
const lookEveryMs = 20_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The hour on this computer, with its day: by it change what is today, and how many days have passed. What uses it is drawn again when it changes. React compares the texts: nothing is drawn within the hour. */
export function useHour(): string {
  return useSyncExternalStore(subscribe, () => hour);
}

/** Calendar days from today to a time; negative for the past. */
export function daysFromToday(date: Date): number {
  return Math.round((noonOf(date) - noonOf(new Date())) / (24 * 3_600_000));
}

/** Days in which clocks are put forward or back are 23 or 25 hours long. */
function noonOf(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate(), 12).getTime();
}

/** A day of this computer's calendar, as many days before today: YYYY-MM-DD. */
export function dayBefore(days: number): string {
  const date = new Date();
  date.setHours(12);
  date.setDate(date.getDate() - days);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
}

/** From the beginning of one day of this computer's calendar to the end of another; null: no bound. */
export function boundsOf({ from, to }: { readonly from: string | null; readonly to: string | null }) {
  return {
    ...(from ? { from: new Date(`${from}T00:00:00`).toISOString() } : {}),
    ...(to ? { to: new Date(`${to}T23:59:59.999`).toISOString() } : {}),
  };
}

const hourNow = () => `${new Date().toDateString()} ${new Date().getHours()}`;
let hour = hourNow();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    hour = hourNow();
    timer = setInterval(look, lookEveryMs);
    document.addEventListener('visibilitychange', look);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

function look(): void {
  hour = hourNow();
  for (const listener of listeners) listener();
}
