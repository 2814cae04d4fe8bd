import { ProgressBar } from 'react-aria-components';
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
