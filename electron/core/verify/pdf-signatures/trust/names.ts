import { readAs, readElement, readOid, readSequence, tags } from '../cms/asn1.ts';
import { readText } from '../cms/asn1-text.ts';

/** A name as it is compared (RFC 5280, 7.1): letters in one case, spaces as one, whichever kind of text it is; an entry for each level. */
export type Name = readonly string[];

/** A longer part is compared as it stands. */
const maxPart = 256;

export function readName(bytes: Uint8Array): Name {
  return readSequence(readElement(bytes)).map((level) =>
    readAs(tags.set, level)
      .map((part) => {
        const [type, value] = readSequence(part);
        const text = value && value.content.length <= maxPart ? readText(value) : null;
        const bytes = Buffer.from(value?.bytes ?? []);
        return `${readOid(type)}${text === null ? `#${bytes.toString('hex')}` : `=${text.normalize('NFKC').toLowerCase()}`}`;
      })
      .sort()
      .join('\0'),
  );
}

export const keyOf = (name: Name) => JSON.stringify(name);

export const isBelow = (name: Name, base: Name): boolean => base.every((level, at) => name[at] === level);
