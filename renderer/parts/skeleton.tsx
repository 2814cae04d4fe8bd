import { VisuallyHidden } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import css from './skeleton.module.css';

/** The place of a screen that is being loaded: heading and content as still shapes. Not visible for the first moment, which is usually enough. */
export function Skeleton() {
  const { t } = useTranslation();
  return (
    <div className={css.skeleton} role="status">
      <VisuallyHidden>{t('app.loading')}</VisuallyHidden>
      <span className={css.heading} />
      <span className={css.line} />
      <span className={css.sheet} />
    </div>
  );
}
