import { type AppError, appError } from '../foundation/app-error.ts';
import type { Keychain, Log } from '../foundation/ports.ts';

/** Keeps the secret words of jobs: in the keychain under `job-<id>`, or in memory for this run. Never in the database. */
export type JobSecrets = ReturnType<typeof jobSecrets>;

/**
 * The error for a job whose secret word is no longer available: the job is not sent, and a person types the word
 * again.
 */
export function wordMissing(): AppError {
  return appError('bad-input', 'the secret word is not kept any more', {
    detail: 'secret-word-missing',
    fields: { secretWord: 'must be given again' },
  });
}

/** Opens the secret words in the keychain. */
export function jobSecrets(keychain: Keychain, log: Log) {
  const thisRun = new Map<string, string>();
  const account = (jobId: string) => `job-${jobId}`;
  return {
    keep: async (jobId: string, word: string): Promise<void> => {
      thisRun.set(jobId, word);
      try {
        await keychain.set(account(jobId), word);
      } catch {
        log.info('the keychain cannot store a secret word: it is kept for this run', { jobId });
      }
    },
    /**
     * Null if the word is no longer available: the keychain did not store it and its run is over, or the keychain does
     * not return it.
     */
    find: async (jobId: string): Promise<string | null> => {
      const word = thisRun.get(jobId);
      if (word !== undefined) return word;
      try {
        return await keychain.get(account(jobId));
      } catch {
        return null;
      }
    },
    /** Never rejects. */
    forget: async (jobId: string): Promise<void> => {
      thisRun.delete(jobId);
      try {
        await keychain.remove(account(jobId));
      } catch {
        // The entry never existed, or the keychain is locked: the word is meaningless without its job.
      }
    },
  };
}
