/** A property of a vCard. */
export interface ContentLine {
  /** In capitals, without its group. */
  readonly name: string;
  readonly value: string;
  readonly isPreferred: boolean;
}

/** The longest line that is parsed, in UTF-16 units: names and addresses are short, and photos are not read. */
export const mostLineUnits = 20_000;

/** Reads an unfolded line; null if it is no property. The value of a property that is not needed may be cut. */
export function contentLine(line: string): ContentLine | null {
  const text = line.slice(0, mostLineUnits);
  const colon = colonOf(text);
  if (colon < 0) return null;
  const [head = '', ...given] = text.slice(0, colon).split(';');
  const name = /^(?:[a-z0-9-]+\.)?([a-z0-9-]+)$/i.exec(head.trim())?.[1]?.toUpperCase();
  if (name === undefined) return null;
  const parameters = given.map((one) => one.trim().toLowerCase());
  const isQuoted = parameters.some((one) => /^(encoding=)?quoted-printable$/.test(one));
  const charset = parameters.find((one) => one.startsWith('charset='))?.slice('charset='.length) ?? 'utf-8';
  const value = text.slice(colon + 1);
  return {
    name,
    value: isQuoted ? unquoted(value, charset) : value,
    isPreferred: parameters.some((one) => one === 'pref' || one === 'pref=1' || /^type=(.*\bpref\b)/.test(one)),
  };
}

/** The first colon outside of quotes. */
function colonOf(text: string): number {
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === ':' && !isQuoted) return at;
  }
  return -1;
}

/** Decodes quoted-printable. Characters that were not encoded are kept as they are. */
function unquoted(value: string, charset: string): string {
  const label = knownCharset(charset);
  const parts = value.split(/((?:=[0-9a-f]{2})+)/i);
  return parts
    .map((part, at) =>
      at % 2 === 0 ? part : new TextDecoder(label).decode(Buffer.from(part.replaceAll('=', ''), 'hex')),
    )
    .join('');
}

function knownCharset(charset: string): string {
  try {
    return new TextDecoder(charset.replaceAll('"', '')).encoding;
  } catch {
    return 'windows-1252';
  }
}

/** The value as one text. */
export function textOf({ value }: ContentLine): string {
  return unescaped(value);
}

/** The parts of a structured value, as those of a name. */
export function valuesOf({ value }: ContentLine): string[] {
  const parts = value.match(/(?:\\.|[^;\\])+|(?<=^|;)(?=;|$)/g) ?? [];
  return parts.map((part) => unescaped(part).trim());
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([\s\S])/g, (_all, sign: string) => (sign === 'n' || sign === 'N' ? ' ' : sign));
}
