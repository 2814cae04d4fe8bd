/** Most texts that are looked through are shorter, and share one memory. */
const sharedUnits = 64 * 1024;
const shared = new Uint16Array(sharedUnits);
const sharedBytes = Buffer.from(shared.buffer);

/** The characters of a text as numbers, which are read several times faster than those of a string; valid until the next call. */
export function unitsOf(text: string): Uint16Array {
  const bytes = text.length <= sharedUnits ? sharedBytes : Buffer.from(new ArrayBuffer(text.length * 2));
  bytes.write(text, 'utf16le');
  return new Uint16Array(bytes.buffer, 0, text.length);
}
