import type { Element } from './asn1.ts';

/** Names longer than this are cut: what is shown stays small. */
const maxText = 256;

/** A text of a name, in whichever of its kinds; null if it is none. */
export function readText({ tag, content }: Element): string | null {
  const bytes = Buffer.from(content.subarray(0, maxText * 4));
  if (tag === 0x0c) return cut(bytes.toString('utf8'));
  if (tag === 0x13 || tag === 0x14 || tag === 0x16) return cut(bytes.toString('latin1'));
  if (tag === 0x1e) return bytes.length % 2 ? null : cut(bytes.swap16().toString('utf16le'));
  if (tag !== 0x1c) return null;
  const codes = Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readUInt32BE(at * 4));
  return cut(codes.map((code) => String.fromCodePoint(code > 0x10ffff ? 0xfffd : code)).join(''));
}

const utc = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?()(Z|[+-]\d{4})$/;
const generalized = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?([.,]\d+)?(Z|[+-]\d{4})$/;

/** In UTC, to the second; null if it is no time, or one of an unknown zone. */
export function readTime({ tag, content }: Element): string | null {
  const text = Buffer.from(content.subarray(0, 64)).toString('latin1');
  const parts = tag === 0x17 ? utc.exec(text) : tag === 0x18 ? generalized.exec(text) : null;
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const century = tag === 0x18 ? 0 : year < 50 ? 2000 : 1900;
  const time = new Date(Date.UTC(century + year, month - 1, day, hour, minute, second));
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return null;
  const zone = parts[8] ?? 'Z';
  const offset = zone === 'Z' ? 0 : Number(`${zone[0]}1`) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3)));
  return new Date(time.getTime() - offset * 60_000).toISOString().replace(/\.\d+/, '');
}

/** Spaces at the ends and doubled ones mean nothing in a name. */
const cut = (text: string): string => [...text.replace(/\s+/g, ' ').trim()].slice(0, maxText).join('');
