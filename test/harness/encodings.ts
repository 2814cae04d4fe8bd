const references = (secret: string, of: (code: number) => string) =>
  [...secret].map((sign) => of(sign.codePointAt(0) ?? 0)).join('');
const wide = (secret: string) => Buffer.from(secret, 'utf16le');

const named: Readonly<Record<string, string>> = {
  '+': '&plus;',
  '/': '&sol;',
  '=': '&equals;',
  '-': '&hyphen;',
  '.': '&period;',
  _: '&lowbar;',
  ':': '&colon;',
  é: '&eacute;',
};

/** A secret as it may be written into a text that seems to hold none, by the name of the encoding. */
export function encodingsOf(secret: string): Readonly<Record<string, string>> {
  const half = Math.ceil(secret.length / 2);
  const base64 = Buffer.from(secret).toString('base64');
  const at = (offset: number) => Buffer.from(`${'x'.repeat(offset)}${secret}yy`).toString('base64');
  return {
    'as it is': secret,
    'in small letters': secret.toLowerCase(),
    'in capitals': secret.toUpperCase(),
    'in base64': base64,
    'in base64, one byte in': at(1).slice(2),
    'in base64, two bytes in': at(2).slice(3),
    'in base64 for URLs': Buffer.from(secret).toString('base64url'),
    'in base64 on two lines': `${base64.slice(0, 20)}\r\n${base64.slice(20)}`,
    'in base64 of UTF-16': wide(secret).toString('base64'),
    'in hex': Buffer.from(secret).toString('hex'),
    'in hex of UTF-16, the high byte first': wide(secret).swap16().toString('hex'),
    'in a URL': encodeURIComponent(secret),
    'with every byte as in a URL': [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join(''),
    'in decimal references': references(secret, (code) => `&#${code};`),
    'in hexadecimal references': references(secret, (code) => `&#x${code.toString(16).toUpperCase()};`),
    'in references by halves': `${secret.slice(0, half)}${references(secret.slice(half), (code) => `&#0${code};`)}`,
    'in escapes of JSON': references(secret, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
    'in escapes of JavaScript': references(secret, (code) => `\\x${code.toString(16).padStart(2, '0')}`),
    'in octal escapes': [...Buffer.from(secret)].map((byte) => `\\${byte.toString(8)}`).join(''),
    'as decimal bytes': [...Buffer.from(secret)].join(' '),
    'as a list of decimal bytes': [...Buffer.from(secret)].join(', '),
    'in full-width letters': secret.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
    'in quoted-printable': [...Buffer.from(secret)].map((byte) => `=${byte.toString(16).toUpperCase()}`).join(''),
    'in quoted-printable on two lines': `${secret.slice(0, half)}=\r\n${secret.slice(half)}`,
    'in base64 of base64': Buffer.from(base64).toString('base64'),
    'in base64 of base64, one byte in': Buffer.from(`x${at(1)}`)
      .toString('base64')
      .slice(4),
    'in base64 as in a URL': encodeURIComponent(base64),
    'in UTF-16': wide(secret).toString('latin1'),
    'in UTF-16, the high byte first': wide(secret).swap16().toString('latin1'),
    'with a character between that XML forbids': `${secret.slice(0, half)}\ufffd${secret.slice(half)}`,
    'in base64 with such a character between': `${base64.slice(0, 9)}\ufffd${base64.slice(9)}`,
    'with every character apart': [...secret].join(' '),
    'with dashes between': [...secret].join(' - '),
    'in the lines of two elements': `${secret.slice(0, half)}\ni: ${secret.slice(half)}`,
    'in two elements': `${secret.slice(0, half)}</b><i class="x">${secret.slice(half)}`,
    'with names that HTML has for signs': secret.replace(/[^a-z0-9]/gi, (sign) => named[sign] ?? sign),
    'with other hyphens': secret.replaceAll('-', '\u2011'),
    'without its signs': secret.replace(/[^a-z0-9]/gi, ''),
  };
}
