/** A date of a PDF (ISO 32000-2, 7.9.4) in UTC to the second; null where it is none, or where its zone is not said. */
export function readPdfDate(text: string | null): string | null {
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?'?)?/.exec(text ?? '');
  if (!match) return null;
  const [year, month, day, hour, minute, second, sign, hours, minutes] = match
    .slice(1)
    .map((part, at) => part ?? (at === 1 || at === 2 ? '01' : '00'));
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const zone = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return Number.isNaN(moment) ? null : `${new Date(moment - zone).toISOString().slice(0, 19)}Z`;
}
