import { levelsOf, partsOf, type Ranges, withoutRanges } from './text-readings.ts';

/** Words in the names of secrets, as interfaces, headers and forms write them. */
const words =
  'api[-_ ]?(?:key|sig)|signature[-_ ]?key|secret|token|passw(?:or)?d|passphrase|credential|authorization|cookie|private[-_ ]?key';
const secretName = new RegExp(words, 'i');
/** The rest of a name, an end of its quotes or element, and what stands between it and its value. */
const named = new RegExp(
  String.raw`((?:${words})\w{0,20}(?:\\{0,4}["'])?\s{0,4}(?:[:=]|>)\s{0,4}(?:\\{0,4}["'])?(?:(?:Basic|Bearer|Negotiate|NTLM) )?)[^\s"'<>&,;\\]{3,}`,
  'gi',
);

/** True if a field of this name is never written, whatever it holds. */
export function fieldIsSecret(name: string): boolean {
  return secretName.test(name);
}

/** Replaces values that a text names as secrets: `apiKey=…`, `"password": "…"`, `<apiSig>…</apiSig>`, `Authorization: Basic …`. */
export function redactNamed(text: string): string {
  return text.replace(named, '$1•••');
}

/** Longer values of secret words than an interface has. */
const overlapUnits = 4 * 1024;

/** The values that a text gives to this name: in elements, attributes, JSON and lines. What is not closed goes up to the end of the text. */
function valuesOf(name: string): RegExp {
  const tagName = String.raw`(?:[\w.-]{1,100}:)?(?:${name})`;
  const element = String.raw`<${tagName}(?:\s[^<>]{0,500})?(?<!/)>(?<element>[^]*?)(?:</${tagName}|$)`;
  const quoted = String.raw`(?<!\\)(?<quote>\\{0,8}["'])(?<quoted>[^]*?)(?:(?<!\\)\k<quote>(?=\s{0,8}(?:[,;}\]>/?&)]|[\w:.-]+\s{0,4}=|$))|$)`;
  const open = String.raw`(?:\\{0,8}["'])?(?<open>[^<>\r\n]*)`;
  return new RegExp(
    String.raw`${element}|(?:${name})(?:\\{0,8}["']\s{0,8}:\s{0,8}(?<bare>[^\s"'\\,}\]][^\s,}\]]*)|(?:\\{0,8}["'])?\s{0,8}[:=]\s{0,8}(?:${quoted}|${open}))`,
    'dgi',
  );
}

/** Makes a function that hides the values which a text calls secret words, or by this name that a service has for them: a raw answer may be a list of signers. */
export function secretWordsHidden(name: string): (text: string) => string {
  const values = valuesOf(`secret[-_ ]?word|${name.replace(/[^\w]/g, '\\$&')}`);
  return (text) => {
    const found: Ranges = [];
    for (const { at, part } of partsOf(text, overlapUnits)) {
      for (const reading of levelsOf(part)) {
        for (const { indices } of reading.text.matchAll(values)) {
          const { element, quoted, bare, open } = indices?.groups ?? {};
          const [from, to] = element ?? quoted ?? bare ?? open ?? [0, 0];
          if (to === from) continue;
          const [start, end] = reading.origin(from, to);
          found.push([at + start, at + end]);
        }
      }
    }
    return withoutRanges(text, found);
  };
}
