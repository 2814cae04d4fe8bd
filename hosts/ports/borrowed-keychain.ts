import { appError } from '../../electron/core/foundation/app-error.ts';
import type { Keychain } from '../../electron/core/foundation/ports.ts';

const readOnly = async () => {
  throw appError('storage-unusable', 'this run does not write to the keychain', { detail: 'keychain-unavailable' });
};

/**
 * A keychain that is read and never written: the core keeps credentials given for one run for that run only, and the
 * desktop app's entries do not change. Without `below` it is empty.
 */
export function borrowedKeychain(below?: Keychain): Keychain {
  return { get: async (account) => (await below?.get(account)) ?? null, set: readOnly, remove: readOnly };
}
