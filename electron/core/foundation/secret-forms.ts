import { readAsText } from './text-readings.ts';

/** How a secret may be written in a text, when the text's own escapes are resolved (text-readings.ts). */

/** The secret in both cases, too: what is compressed from its bytes has no case of its own. */
const casesOf = (secret: string) => [...new Set([secret, secret.toLowerCase(), secret.toUpperCase()])];

function bytesOf(secret: string): Buffer[] {
  const low = Buffer.from(secret, 'utf16le');
  return [Buffer.from(secret), low, Buffer.from(low).swap16()];
}

/** Base64 of bytes wherever they begin in what was encoded: without the characters at both ends, which depend on their neighbours. */
function base64Of(secret: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), secret]);
    const whole = bytes.toString('base64').replace(/=+$/, '');
    return whole.slice(Math.ceil((offset * 8) / 6), whole.length - (bytes.length % 3 === 0 ? 0 : 1));
  });
}

/** Base64 that was encoded once more, in both alphabets. It has letters and digits only. */
function base64Twice(secret: string): string[] {
  return base64Of(Buffer.from(secret))
    .flatMap((once) => [once, once.replaceAll('+', '-').replaceAll('/', '_')])
    .flatMap((form) => base64Of(Buffer.from(form)));
}

/** The secret itself, and as hex and base64 of UTF-8 and UTF-16 write it. */
export function looseFormsOf(secret: string): string[] {
  const bytes = casesOf(secret).flatMap(bytesOf);
  // As it is; as bytes of UTF-8 that are read one by one; as forms of the Web write spaces.
  const plain = [secret, Buffer.from(secret).toString('latin1'), secret.replace(/\s/g, '+')];
  return [...plain.flatMap(readAsText), ...bytes.map((one) => one.toString('hex')), ...bytes.flatMap(base64Of)];
}

/** The same, and as base64 that was encoded once more. */
export function formsOf(secret: string): string[] {
  return [...looseFormsOf(secret), ...casesOf(secret).flatMap(base64Twice)];
}
