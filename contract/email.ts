/**
 * One local part and one domain with a dot or in brackets; no character that would end an address in a list, or that nobody sees. Less
 * strict than mail servers, but stricter than RFC 5321 on quoting: `"a b"@example.org` is refused, because it is
 * almost always a mistake.
 */
const localPart = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,64}$/u;
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

/** Whether a text has the form of an address that mail can be sent to. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > 254) return false;
  const local = text.slice(0, at);
  const labels = text.slice(at + 1).split('.');
  const isDotted = !local.startsWith('.') && !local.endsWith('.') && !local.includes('..');
  return isDotted && localPart.test(local) && labels.length > 1 && labels.every((label) => domainLabel.test(label));
}

/** Part of every place where this runs, Node and browsers, of which the contract has no types. */
declare const URL: new (address: string) => { readonly hostname: string };

/** International domains of one text that are looked up: no list of people has more, and somebody else's text shall keep no program busy. */
const mostLookups = 100;

/**
 * The form in which addresses are compared: two that differ only in case, in how a letter is composed or in how the domain is written (`bücher.example` and
 * `xn--bcher-kva.example`, full-width letters, a dot at its end) are one. What is sent stays as it was typed.
 */
export const emailKey = (email: string): string => keyOf(email, { left: mostLookups });

function keyOf(text: string, lookups: { left: number }): string {
  // Nobody writes so many marks on one letter, and to bring them into order takes the square of their number.
  if (/\p{M}{32}/u.test(text)) return text.trim();
  const domains = /@([\p{L}\p{M}\p{N}.\u3002\uFF0E\uFF61-]+)/gu;
  const composed = text.trim().normalize('NFC').toLowerCase();
  return composed.replaceAll(domains, (_all, domain: string) => `@${domainKey(domain, lookups)}`);
}

/** The domain as it is looked up (UTS #46). */
function domainKey(domain: string, lookups: { left: number }): string {
  try {
    const isAscii = /^[a-z0-9.-]*$/.test(domain) && !domain.includes('xn--');
    // Digits alone would become an IP address.
    const known = isAscii || lookups.left-- <= 0 ? domain : new URL(`http://${domain}`).hostname;
    return known.replace(/\.$/, '');
  } catch {
    return domain;
  }
}

/** What ends an address wherever it stands: see `localPart`. */
const betweenWords = /[\s<>()[\]\\,;:"\p{Cc}\p{Cf}]+/u;
const domainStart = /^[\p{L}\p{M}\p{N}.\u3002\uFF0E\uFF61-]*/u;
/** A connection may separate addresses by a sign that a local part may have, too. */
const separatorStart = /^[^\p{L}\p{N}]+/u;

/**
 * The people whom a text of addresses and names asks, for comparison: each address once, whatever their order and what they are called. Each word is looked at once: as a
 * pattern, `\S+@` looks for its end from each character.
 */
export function peopleKey(text: string): string {
  const lookups = { left: mostLookups };
  const keys = new Set<string>();
  for (const word of text.split(betweenWords)) {
    let [local = '', ...rest] = word.split('@');
    for (const part of rest) {
      const domain = domainStart.exec(part)?.[0] ?? '';
      if (local !== '' && domain !== '') keys.add(keyOf(`${local}@${domain}`, lookups));
      local = part.slice(domain.length).replace(separatorStart, '');
    }
  }
  return [...keys].sort().join(' ');
}
