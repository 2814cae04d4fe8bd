import { appError } from '../../electron/core/foundation/app-error.ts';
import type { Keychain } from '../../electron/core/foundation/ports.ts';

const readOnly = async () => {
  throw appError('storage-unusable', 'this run does not write to the keychain', { detail: 'keychain-unavailable' });
};

/**
 * A keychain that is read and never written: credentials given for one run are kept by the core for that run only, and change
 * nothing that the desktop app keeps. Without `below` it is empty.
 */
export function borrowedKeychain(below?: Keychain): Keychain {
  return { get: async (account) => (await below?.get(account)) ?? null, set: readOnly, remove: readOnly };
}
