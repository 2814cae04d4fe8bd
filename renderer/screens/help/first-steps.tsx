import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import css from './help.module.css';

/** What the tour does, and the button that starts it. */
export function FirstSteps(props: { readonly onStart: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={css.text}>
      <section>
        <h2>{t('help.firstSteps')}</h2>
        <p>{t('tour.about')}</p>
        <ol className={css.list}>
          <li>{t('tour.plan.files')}</li>
          <li>{t('tour.plan.register')}</li>
          <li>{t('tour.plan.verify')}</li>
        </ol>
        <div>
          <Button kind="primary" onPress={props.onStart}>
            {t('tour.start')}
          </Button>
        </div>
      </section>
    </div>
  );
}
