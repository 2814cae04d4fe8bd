import { useTranslation } from 'react-i18next';
import type { AskedAndFound } from '../../../contract/verify-result.ts';
import { Chip } from '../../parts/chip.tsx';
import { visibleName } from '../../parts/visible-name.ts';
import css from './verify.module.css';

/** Who was asked to sign, beside the signatures in the file: what does not match is said, and nothing is guessed. */
export function AskedPart(props: { readonly found: AskedAndFound }) {
  const { asked, others, isSealed } = props.found;
  const { t } = useTranslation();
  const named = others.map((name) => (name === '' ? t('own.noSigner') : visibleName(name))).join(', ');
  return (
    <section className={css.registration} aria-label={t('own.asked.title')}>
      <h3>{t('own.asked.title')}</h3>
      <ul className={css.asked}>
        {Object.entries(asked).map(([at, { name, email, found }]) => (
          <li key={at}>
            {name === '' ? null : <bdi>{visibleName(name)}</bdi>}
            {email === '' ? null : <bdi>{email}</bdi>}
            {isSealed ? null : (
              <Chip tone={found ? 'info' : 'silent'} icon={found ? 'equal' : 'minus'}>
                {found ? t(`own.asked.found.${found}`) : t('own.asked.missing')}
              </Chip>
            )}
          </li>
        ))}
      </ul>
      {isSealed ? <p>{t('own.asked.sealed', { signer: named })}</p> : null}
      {others.length > 0 && !isSealed ? (
        <p>
          {t('own.asked.others')}: <bdi>{named}</bdi>
        </p>
      ) : null}
    </section>
  );
}
