import { useTranslation } from 'react-i18next';
import { useLive } from '../../bridge/live.tsx';
import { Card, Facts } from '../../parts/page.tsx';
import css from './settings.module.css';

/** The organisation's policy: where it is, how much it sets, and what of it cannot be used. Nothing where there is none. */
export function OrganisationCard() {
  const { t } = useTranslation();
  const { isPresent, source, locked, problems } = useLive().info.policy;
  if (!isPresent) return null;
  return (
    <Card title={t('settings.organisation')}>
      <p>{t('settings.policyLocks', { count: locked.length })}</p>
      <Facts facts={[[t('settings.policy'), <code key="source">{source}</code>]]} />
      {problems.length > 0 ? (
        <section aria-label={t('settings.policyProblems')}>
          <h3 className={css.problems}>{t('settings.policyProblems')}</h3>
          <ul className={css.help}>
            {problems.map(({ key, note }) => (
              <li key={`${key} ${note}`}>
                {/* English, for whoever writes the policy. */}
                <code dir="ltr">{`${key || t('settings.policyWhole')}: ${note}`}</code>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </Card>
  );
}
