/** A date of a PDF (ISO 32000-2, 7.9.4) in UTC to the second; null where it is none, or where its zone is not said. */
export function readPdfDate(text: string | null): string | null {
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?'?)?/.exec(text ?? '');
  if (!match) return null;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign,
    hours = '00',
    minutes = '00',
  ] = match;
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const zone = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return Number.isNaN(moment) ? null : `${new Date(moment - zone).toISOString().slice(0, 19)}Z`;
}
