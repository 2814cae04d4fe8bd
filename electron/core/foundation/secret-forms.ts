/** How a secret may be written in a text, as sources of regular expressions that are matched in any case. */

const markup: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
/** Half of a pair of UTF-16 alone cannot be in a URL. */
const wellFormed = (text: string) => Buffer.from(text).toString();
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

/** The secret in both cases, too: what is compressed from its bytes has no case of its own. */
const casesOf = (secret: string) => [...new Set([secret, secret.toLowerCase(), secret.toUpperCase()])];

function bytesOf(secret: string): Buffer[] {
  const low = Buffer.from(secret, 'utf16le');
  return [Buffer.from(secret), low, Buffer.from(low).swap16()];
}

const everyBytesOf = (secret: string) => casesOf(secret).flatMap(bytesOf);

/** Base64 of bytes wherever they begin in what was encoded: without the characters at both ends, which depend on their neighbours. */
function base64Of(secret: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), secret]);
    const whole = bytes.toString('base64').replace(/=+$/, '');
    return whole.slice(Math.ceil((offset * 8) / 6), whole.length - (bytes.length % 3 === 0 ? 0 : 1));
  });
}

/**
 * The secret as a whole: itself, and as URLs, markup, JSON, hex and base64 (both alphabets) of UTF-8 and UTF-16 write it. Forms of fewer than `shortest`
 * characters are left out.
 */
export function literalForms(secret: string, shortest: number): string[] {
  const plain = [
    secret,
    encodeURIComponent(wellFormed(secret)),
    secret.replace(/[&<>"']/g, (sign) => markup[sign] ?? sign),
    JSON.stringify(secret).slice(1, -1),
    ...everyBytesOf(secret).map((bytes) => bytes.toString('hex')),
  ];
  const base64 = everyBytesOf(secret).flatMap(base64Of);
  const sources = [
    ...plain.filter((form) => form.length >= shortest).map(escaped),
    ...base64
      .filter((form) => form.length >= shortest)
      .map((form) => escaped(form).replaceAll('\\+', '[+-]').replaceAll('\\/', '[/_]')),
  ];
  return [...new Set(sources)];
}

/** Signs that nobody sees: joiners, soft hyphens, selectors, marks of direction. */
export const invisible = String.raw`\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\u{e0000}-\u{e007f}`;
/** Between two characters: the empty byte of UTF-16, as it is or escaped, or what nobody sees. */
const emptyByte = String.raw`(?:\0|\\{1,4}(?:u0000|x00|0)|%00|&#x?0+;|=(?:[\r\n]|\\{1,4}[rn]){1,4}|[${invisible}]|\p{M}|\s){0,3}`;
/** Between two bytes in hex: as dumps of memory and lists of bytes write them. */
const betweenBytes = String.raw`[\s:,-]{0,2}(?:0x|\\x)?`;
/** Between two bytes as decimal numbers. */
const betweenNumbers = String.raw`[\s:,;-]{1,2}0{0,2}`;
/** Between two characters of base64: a break of lines, as it is or escaped. */
const lineBreak = String.raw`(?:[\r\n]|\\{1,4}[rn]){0,4}`;

/** The secret with each of its characters escaped in any way or not at all, and base64 that is broken into lines or escaped for URLs. */
export function mixedForm(secret: string, shortest: number): string {
  const base64 = everyBytesOf(secret)
    .flatMap(base64Of)
    .filter((form) => form.length >= shortest)
    .map((form) => [...form].map(base64Sign).join(lineBreak));
  const bytes = [...Buffer.from(secret)].map((byte) => hex(byte, 2));
  const numbers = casesOf(secret).map((one) => [...Buffer.from(one)].join(betweenNumbers));
  const lists = [bytes.join(betweenBytes), ...numbers];
  return [[...secret].map(signForms).join(emptyByte), ...lists, ...new Set(base64)].join('|');
}

/** Base64 that was encoded once more. It has letters and digits only. */
export function base64Twice(secret: string): string[] {
  return casesOf(secret).flatMap((one) => {
    const once = base64Of(Buffer.from(one));
    const both = [...once, ...once.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
    return [...new Set(both)].flatMap((form) => base64Of(Buffer.from(form)));
  });
}

/** The beginning of a reference of XML that may be escaped again. */
const again = '&(?:amp;){0,2}';

function base64Sign(sign: string): string {
  if (sign === '+') return '(?:[+-]|%2B)';
  return sign === '/' ? String.raw`(?:\\{0,4}/|_|%2F)` : sign;
}

function signForms(sign: string): string {
  const variants = [...new Set([sign, sign.toLowerCase(), sign.toUpperCase()])].filter((one) => [...one].length === 1);
  const forms = [...variants.flatMap(escapesOf), ...(sign === ' ' ? [String.raw`[\s+]{0,3}`] : [])];
  return `(?:${[String.raw`\\{0,4}${escaped(sign)}`, ...forms].join('|')})`;
}

/** A character as a reference of XML, in a URL, in quoted-printable, and as strings of JSON and other languages escape it; of XML and URLs also twice and three times. */
function escapesOf(sign: string): string[] {
  const code = sign.codePointAt(0) ?? 0;
  const bytes = Buffer.from(sign);
  const units = Array.from({ length: sign.length }, (_, at) => `\\\\{1,4}u${hex(sign.charCodeAt(at), 4)}`);
  return [
    ...(markup[sign] ? [markup[sign].replace('&', again)] : []),
    `${again}#0{0,8}${code};?`,
    `${again}#x0{0,8}${hex(code, 1)};?`,
    [...bytes].map((byte) => `%(?:25){0,2}${hex(byte, 2)}`).join(''),
    [...bytes].map((byte) => `=${hex(byte, 2)}`).join(''),
    [...bytes].map((byte) => `\\\\{1,4}0{0,2}${byte.toString(8)}`).join(''),
    units.join(''),
    `\\\\{1,4}u\\{0{0,4}${hex(code, 1)}\\}`,
    ...(code < 256 ? [`\\\\{1,4}x${hex(code, 2)}`] : []),
  ];
}
