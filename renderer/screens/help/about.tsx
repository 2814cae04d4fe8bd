import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { askValue } from '../../bridge/client.ts';
import { useLive } from '../../bridge/live.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Problem } from '../../parts/problem.tsx';
import css from './help.module.css';

/** The version, and the licences of what the program is made of. */
export function About() {
  const { t } = useTranslation();
  const { version, installation } = useLive().info;
  const { data, error } = useQuery({
    queryKey: ['licences'],
    queryFn: () => askValue('app.licences', {}),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <>
      <h2>{t('help.about')}</h2>
      <p>{t('settings.version', { version })}</p>
      <p>{t(`settings.installed.${installation}`)}</p>
      <p>{t('help.ownLicence')}</p>
      {error ? (
        <Problem heading={t('help.notLoaded')} advice={t('app.notLoadedAdvice')} technical={error.message} />
      ) : null}
      {data ? (
        <section>
          <h3>{t('help.licences', { count: data.length })}</h3>
          {data.map(({ name, version: of, licence, text }) => (
            <Fold key={`${name} ${of}`} label={`${name} ${of} · ${licence}`}>
              <pre dir="ltr" className={css.licence}>
                {text}
              </pre>
            </Fold>
          ))}
        </section>
      ) : null}
    </>
  );
}
