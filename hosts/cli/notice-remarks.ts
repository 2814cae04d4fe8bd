import type { Notice } from '../../contract/app.ts';
import type { Ask } from '../../contract/index.ts';
import type { Saying, Texts } from './texts.ts';

/** Remarks for notices about the register and the policy, which matter before anything is sent, and about replies of the service. */
const remarks: Readonly<Partial<Record<Notice['kind'], (t: Texts, file: string | null) => string>>> = {
  'database-set-aside': (t, file) => t('results.registerDamaged', { file: file ?? '' }),
  'database-incomplete': (t) => t('results.registerIncomplete'),
  'database-restored': (t) => t('results.registerRestored'),
  'reply-renamed': (t, about) => t('results.replyRenamed', { about: about ?? '' }),
  'reply-characters': (t, about) => t('results.replyCharacters', { about: about ?? '' }),
  'reply-surplus': (t, about) => t('results.replySurplus', { about: about ?? '' }),
  'policy-broken': (t, source) => t('results.policyBroken', { source: source ?? '' }),
};

/** Says the notices that came since the last call. */
export function noticeRemarks(ask: Ask, say: (saying: Saying) => void): () => Promise<void> {
  const said = new Set<string>();
  return async () => {
    const info = await ask('app.info', {});
    if (!info.ok) return;
    for (const { id, kind, fileName } of info.value.notices) {
      const remark = said.has(id) ? undefined : remarks[kind];
      said.add(id);
      if (remark) say((t: Texts) => remark(t, fileName));
    }
  };
}
