import { type AppError, appError } from '../foundation/app-error.ts';
import type { Keychain, Log } from '../foundation/ports.ts';

/** Secret words of jobs: in the keychain under `job-<id>`, or for this run only. Never in the database. */
export interface JobSecrets {
  keep(jobId: string, word: string): Promise<void>;
  /** Null where it is not kept any more: the keychain did not take it and its run is over, or does not give it out. */
  find(jobId: string): Promise<string | null>;
  /** Never rejects. */
  forget(jobId: string): Promise<void>;
}

/** A job is not sent without its word: a person types it again. */
export function wordMissing(): AppError {
  return appError('bad-input', 'the secret word is not kept any more', {
    detail: 'secret-word-missing',
    fields: { secretWord: 'must be given again' },
  });
}

export function jobSecrets(keychain: Keychain, log: Log): JobSecrets {
  const thisRun = new Map<string, string>();
  const account = (jobId: string) => `job-${jobId}`;
  return {
    keep: async (jobId, word) => {
      thisRun.set(jobId, word);
      try {
        await keychain.set(account(jobId), word);
      } catch {
        log.info('the keychain does not take a secret word: kept for this run', { jobId });
      }
    },
    find: async (jobId) => {
      const word = thisRun.get(jobId);
      if (word !== undefined) return word;
      try {
        return await keychain.get(account(jobId));
      } catch {
        return null;
      }
    },
    forget: async (jobId) => {
      thisRun.delete(jobId);
      try {
        await keychain.remove(account(jobId));
      } catch {
        // It never was there, or the keychain is closed: the word means nothing without its job.
      }
    },
  };
}
