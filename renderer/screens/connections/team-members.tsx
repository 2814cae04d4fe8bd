import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { askValue } from '../../bridge/client.ts';
import { useFormat } from '../../parts/format.ts';
import css from './connections.module.css';

/** Everybody in the team, with when they were last seen; nothing while the register is away. */
export function TeamMembers({ connectionId }: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const people = useQuery({
    queryKey: ['team', 'people', connectionId],
    queryFn: () => askValue('team.people', { connectionId }),
    refetchOnMount: 'always',
  });
  if (!people.data?.length) return null;
  return (
    <section className={css.stack} aria-label={t('team.members')}>
      <h3 className={css.membersTitle}>{t('team.members')}</h3>
      <ul className={css.members}>
        {people.data.map(({ person, computer, seenAt }) => (
          <li key={`${person} ${computer}`}>
            {t('team.lastSeen', { person: `${person} (${computer})`, when: format.momentInText(seenAt) })}
          </li>
        ))}
      </ul>
    </section>
  );
}
