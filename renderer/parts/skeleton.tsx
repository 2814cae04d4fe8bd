import { useTranslation } from 'react-i18next';
import css from './skeleton.module.css';

/** The place of a screen that is being loaded: heading and content as still shapes. Not visible for the first moment, which is usually enough. */
export function Skeleton() {
  const { t } = useTranslation();
  return (
    <div className={css.skeleton} role="status">
      <span className={css.spoken}>{t('app.loading')}</span>
      <span className={css.heading} />
      <span className={css.line} />
      <span className={css.sheet} />
    </div>
  );
}
