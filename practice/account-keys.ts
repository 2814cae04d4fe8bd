import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Refusal } from './operation-call.ts';
import type { Account } from './records.ts';
import type { Store } from './store.ts';

export interface Keys {
  /** Creates credentials for an account; they are valid while the service runs. */
  issue(accountId: string): { readonly apiKey: string; readonly apiSig: string };
  /** Throws -121 for an unknown key, -122 for a wrong signature. */
  accountOf(apiKey: string, apiSig: string): Account;
}

export function makeKeys(store: Store): Keys {
  const issued = new Map<string, { readonly accountId: string; readonly apiSig: string }>();
  return {
    issue(accountId) {
      const [apiKey, apiSig] = [randomBytes(16).toString('hex'), randomBytes(24).toString('hex')];
      issued.set(apiKey, { accountId, apiSig });
      return { apiKey, apiSig };
    },
    accountOf(apiKey, apiSig) {
      const found = issued.get(apiKey);
      const account = found && store.accounts.get(found.accountId);
      if (!account) throw new Refusal(-121);
      if (!timingSafeEqual(digest(apiSig), digest(found.apiSig))) throw new Refusal(-122);
      return account;
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
