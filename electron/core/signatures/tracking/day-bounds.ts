/** The beginning of a day in this computer's time zone, or of one some days later; empty if there is no such day. */
export function midnight(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const moment = new Date(year, month - 1, date + later);
  // The Date constructor maps years below 100 to 19xx; nobody searches for these.
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
}

export function isDay(day: string): boolean {
  const moment = new Date(`${day}T12:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day);
}
