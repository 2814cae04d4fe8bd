import type { Notice } from '../../contract/app.ts';
import type { Ask } from '../../contract/index.ts';
import type { Saying, Texts } from './texts.ts';

/** Remarks for notices about the register and the policy that matter before anything is sent. */
const remarks: Readonly<Partial<Record<Notice['kind'], (t: Texts, file: string | null) => string>>> = {
  'database-set-aside': (t, file) => t('results.registerDamaged', { file: file ?? '' }),
  'database-incomplete': (t) => t('results.registerIncomplete'),
  'database-restored': (t) => t('results.registerRestored'),
  'policy-broken': (t, source) => t('results.policyBroken', { source: source ?? '' }),
};

/** Sentences for stderr; empty if the register is complete and the policy can be used. */
export async function ledgerRemarks(ask: Ask): Promise<readonly Saying[]> {
  const info = await ask('app.info', {});
  if (!info.ok) return [];
  return info.value.notices.flatMap(({ kind, fileName }) => {
    const remark = remarks[kind];
    return remark ? [(t: Texts) => remark(t, fileName)] : [];
  });
}
