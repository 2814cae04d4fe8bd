import { Refusal } from './operation-call.ts';
import type { Signer } from './records.ts';

const address = /^[^\s@;,<>()"]{1,64}@[^\s@;,<>()"]{1,190}\.[^\s@;,<>()".]{2,63}$/;

/** Several values in one child, with semicolons between them. */
export function separated(text: string): string[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** -123 nothing given, -153 no valid address, -152 some not valid or not separated by semicolons, -161 the owner's own. */
export function signersOf(emails: string, names: string, ownerEmail: string): Signer[] {
  const addresses = separated(emails);
  if (addresses.length === 0) throw new Refusal(-123);
  requireAddresses(addresses);
  if (addresses.some((each) => each.toLowerCase() === ownerEmail.toLowerCase())) throw new Refusal(-161);
  const given = names.trim() === '' ? [] : names.split(';').map((name) => name.trim());
  // A trailing semicolon is no further name.
  if (given.length === addresses.length + 1 && given.at(-1) === '') given.pop();
  if (given.length > 0 && (given.length !== addresses.length || given.includes(''))) throw new Refusal(-162);
  return addresses.map((email, at) => ({ email, name: given[at] ?? '' }));
}

/** Throws -152 or -153. */
export function requireAddresses(addresses: readonly string[]): void {
  const valid = addresses.filter((each) => address.test(each)).length;
  if (valid === addresses.length) return;
  throw new Refusal(valid === 0 && addresses.length === 1 && !/[,\s]/.test(addresses[0] ?? '') ? -153 : -152);
}
