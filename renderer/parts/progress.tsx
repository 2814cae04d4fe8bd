import { ProgressBar, VisuallyHidden } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import css from './progress.module.css';

/** A progress bar; `total` is null if it is not known. */
export function Progress(props: {
  readonly label: string;
  readonly done: number;
  readonly total: number | null;
  readonly text?: string;
}) {
  const { done, total } = props;
  const share = total ? Math.min(100, (done / total) * 100) : 0;
  return (
    <ProgressBar
      aria-label={props.label}
      className={css.progress ?? ''}
      value={share}
      isIndeterminate={total === null}
      {...(props.text ? { valueLabel: props.text } : {})}
    >
      <div className={css.bar}>
        <div
          className={`${css.fill} ${total === null ? css.unknown : ''}`}
          style={total === null ? {} : { inlineSize: `${share}%` }}
        />
      </div>
    </ProgressBar>
  );
}

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
