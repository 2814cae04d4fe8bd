import { Refusal } from './operation-call.ts';
import type { Account, Credits } from './records.ts';

/** Cost by the creditType of an add: 1 document credits, 2 prepaid credits, 3 subscription; throws -130 for another one. */
export function costOf(creditType: number, account: Account, withSignatures: boolean): Partial<Credits> {
  const signatures = withSignatures ? { eSign: 1 } : {};
  if (creditType === 1) return { document: 1, ...signatures };
  if (creditType === 2) {
    if (account.permissions.prepaidLocked) throw new Refusal(-142);
    return { prepaid: withSignatures ? 2 : 1, ...signatures };
  }
  if (creditType !== 3) throw new Refusal(-130);
  const { subscription } = account.permissions;
  if (subscription !== 'active') throw new Refusal({ none: -180, ended: -181, disabled: -183 }[subscription]);
  return signatures;
}

/** Throws the code of the first missing credit: -140, -141, -160, -185, -172, -192. */
export function requireCredits(account: Account, cost: Partial<Credits>): void {
  const missing = (name: keyof Credits) => (cost[name] ?? 0) > account.credits[name];
  if (missing('document')) throw new Refusal(-140);
  if (missing('prepaid')) throw new Refusal(cost.prepaid === 2 ? -160 : -141);
  if (missing('eSign')) throw new Refusal(-185);
  if (missing('note')) throw new Refusal(-172);
  if (missing('idVerify')) throw new Refusal(-192);
}
