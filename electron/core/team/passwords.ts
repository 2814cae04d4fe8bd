import { createHash } from 'node:crypto';
import { z } from 'zod';
import { passwordPlace, type TeamSettings } from '../../../contract/team.ts';
import { appError } from '../foundation/app-error.ts';
import { openSecretEntries, type SecretNeeds } from '../secrets/secret-entries.ts';
import type { GivePassword } from './database.ts';

/** What a password is for is in the same entry of the keychain: whoever can write settings cannot send it elsewhere. */
const entry = z.strictObject({ password: z.string(), register: z.string() });

/** The passwords of the connections at their team registers. */
export function createTeamPasswords(needs: SecretNeeds, joined: (connectionId: string) => TeamSettings | null) {
  const entries = openSecretEntries(needs, {
    suffix: '.team',
    // Entries of the first version are the password alone.
    form: z.union([entry, z.string().transform((password) => ({ password, register: null }))]),
    secretsOf: ({ password }) => (password === '' ? [] : [password]),
  });
  return {
    whereabouts: entries.whereabouts,
    /**
     * Gives the kept password, only to the register that it was entered for: host, port, database, user and certificate authority. Rejects with not-connected for
     * any other one; an empty text where none is kept.
     */
    giveTo:
      (connectionId: string, settings: TeamSettings): GivePassword =>
      async () => {
        const kept = await entries.get(connectionId);
        if (!kept) return '';
        const joinedTo = joined(connectionId);
        const register = kept.register ?? (joinedTo && registerOf(joinedTo));
        if (register !== registerOf(settings))
          throw appError('not-connected', 'the kept password is for another register', {
            detail: 'team-password-needed',
          });
        if (kept.register === null) await entries.set(connectionId, { password: kept.password, register });
        return kept.password;
      },
    /** Keeps the password for this register alone. */
    set: async (connectionId: string, settings: TeamSettings, password: string) => {
      await entries.set(connectionId, { password, register: registerOf(settings) });
    },
    forget: entries.forget,
  };
}

function registerOf(settings: TeamSettings): string {
  const { ca } = settings;
  return passwordPlace({ ...settings, ca: ca === '' ? '' : createHash('sha256').update(ca).digest('hex') });
}
