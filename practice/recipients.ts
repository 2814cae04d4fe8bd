import { Refusal } from './operation-call.ts';
import type { Signer } from './records.ts';

const address = /^[^\s@;,<>()"]{1,64}@[^\s@;,<>()"]{1,190}\.[^\s@;,<>()".]{2,63}$/;

/** Splits the values of one child at semicolons. */
export function separated(text: string): string[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Throws -123 without addresses, -153 without a valid one, -152 if some are invalid or not separated by semicolons, -161 for the owner's own. */
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
