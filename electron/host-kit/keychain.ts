import { appError } from '../core/foundation/app-error.ts';
import { type Deadline, startDeadline } from '../core/foundation/deadline.ts';
import type { Keychain } from '../core/foundation/ports.ts';

/** Name of the entries in the system's keychain. The window and the command line share them. */
const serviceName = 'Sealdesk';

/** Long enough for a person to type the keychain's password; a keychain that never answers must not block the program for ever. */
const patienceMs = 60_000;

/**
 * The system's keychain: Secret Service on Linux, Keychain on macOS, Credential Manager on Windows. Plain Node, so that
 * every host reaches the same entries (docs/secrets.md says why this and not Electron's safeStorage).
 *
 * Every function rejects with an AppError (`storage-unusable`, detail `keychain-unavailable`) if there is no keychain, it is
 * locked, or it does not answer within a minute. Rejections never carry the secret.
 */
export function createKeychain(): Keychain {
  // The native module is loaded at the first use: if it cannot be loaded, the program still starts.
  const entry = async (account: string) => {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    // Without the pin, Linux silently falls back to the kernel's keyring, which loses its entries at the next boot.
    return new AsyncEntry(serviceName, account, { linux: { store: 'secret-service' } });
  };
  return {
    get: (account) => bounded('get', async () => (await (await entry(account)).getPassword()) ?? null),
    set: (account, secret) => bounded('set', async () => (await entry(account)).setPassword(secret)),
    remove: (account) =>
      bounded('remove', async () => {
        await (await entry(account)).deletePassword();
      }),
  };
}

async function bounded<T>(verb: string, work: () => Promise<T>): Promise<T> {
  let deadline: Deadline | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    deadline = startDeadline(patienceMs, () => reject(new Error('no answer in time')));
  });
  try {
    return await Promise.race([work(), late]);
  } catch {
    // The cause is left out on purpose: it comes from foreign code that was given the secret.
    throw appError('storage-unusable', `keychain ${verb} failed`, { detail: 'keychain-unavailable' });
  } finally {
    deadline?.end();
  }
}
