/** One element of ASN.1 in its distinguished encoding. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const hex = length.toString(16);
  const size = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from(length < 128 ? [tag, length] : [tag, 0x80 | size.length, ...size]), content]);
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);

/** In the order that DER wants. */
export const setOf = (...parts: readonly Uint8Array[]) => der(0x31, ...parts.toSorted(Buffer.compare));

export const integer = (value: number) => der(0x02, Buffer.of(value));

/** Of the bytes in hexadecimal form, or dotted. */
export function oid(name: string): Buffer {
  if (!name.includes('.')) return der(0x06, Buffer.from(name, 'hex'));
  const [first = 0, second = 0, ...arcs] = name.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...arcs].flatMap(inSevens)));
}

export const text = (value: string) => der(0x0c, Buffer.from(value));

export const time = (date: Date) => der(0x18, Buffer.from(date.toISOString().replaceAll(/\.\d+|[-:T]/g, '')));

function inSevens(arc: number): number[] {
  const digits = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) | 0x80);
  return digits;
}
