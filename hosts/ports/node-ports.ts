import { appError } from '../../electron/core/foundation/app-error.ts';
import type { Keychain, PracticePort } from '../../electron/core/foundation/ports.ts';

/** Starts the practice service in this process. `keepIn` is the folder of its data; without it, the core chooses. */
export function practicePort(assetsDir: string, keepIn?: string): PracticePort {
  return {
    start: async (dataDir) => {
      // Loaded when it is first used.
      const { startPractice } = await import('../../practice/practice-service.ts');
      return startPractice({ dataDir: keepIn ?? dataDir, assetsDir });
    },
  };
}

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

/** Asked for with every call to a service, and the same as long as the program runs. */
let languages: readonly string[] | undefined;

/** BCP 47 tags of the system's languages for hosts without Electron: the language that the environment names. */
export function systemLanguages(): readonly string[] {
  // All of Intl resolve the same one; the plural rules are there at once, what formats dates after 25 ms.
  languages ??= [new Intl.PluralRules().resolvedOptions().locale];
  return languages;
}
