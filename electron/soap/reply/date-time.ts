const form = /^\s*(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?\s*(Z|[+-]\d{2}:\d{2})?\s*$/i;

/**
 * Reads a dateTime of a service (up to seven fraction digits, with or without zone). Returns ISO 8601 in UTC with
 * milliseconds, or null if it is none. Without a zone it counts as UTC: the service's zone is unknown, and the zone of this
 * computer says nothing about it. Digits beyond milliseconds are cut off, never rounded up.
 */
export function readDateTime(text: string | null | undefined): string | null {
  const match = form.exec(text ?? '');
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  // .NET's "no date" is the first of January of year 1, in whatever zone: no document is that old.
  if (Number(year) <= 1) return null;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const asUtc = `${local}.${milliseconds}Z`;
  const date = new Date(asUtc);
  // A day that the month does not have would be moved into the next month.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== asUtc) return null;
  // As most of a long list are: reading them a second time takes as long as all before.
  if (/^(?:Z|[+-]00:00)$/i.test(zone)) return asUtc;
  const time = Date.parse(`${local}.${milliseconds}${zone.toUpperCase()}`);
  if (Number.isNaN(time)) return null;
  const iso = new Date(time).toISOString();
  // The last day of year 9999, .NET's other limit, can leave the four-digit years by its zone.
  return iso.length === 24 ? iso : null;
}
