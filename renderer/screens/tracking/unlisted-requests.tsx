import { useTranslation } from 'react-i18next';
import type { UnlistedRequest } from '../../../contract/tracking.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import css from './signatures.module.css';
import { useWho } from './signer-state.tsx';

/** Requests that are shown; the others are among those sent from here. */
const mostShown = 3;

/** Requests from the ledger that the service does not list yet. */
export function UnlistedRequests(props: {
  readonly requests: readonly UnlistedRequest[];
  readonly total: number;
  readonly onShowAll: () => void;
}) {
  const { total } = props;
  const { t } = useTranslation();
  if (total === 0) return null;
  const shown = props.requests.slice(0, mostShown);
  return (
    <section className={css.unlisted} aria-label={t('tracking.unlisted')}>
      <div className={css.unlistedHead}>
        <h2>{t('tracking.unlisted')}</h2>
        <span className={css.hint}>{t('tracking.unlistedText')}</span>
        {total > shown.length ? (
          <Button kind="quiet" onPress={props.onShowAll}>
            {t('tracking.unlistedMore', { count: total - shown.length })}
          </Button>
        ) : null}
      </div>
      <ul>
        {shown.map((request) => (
          <UnlistedRow key={request.jobId} request={request} />
        ))}
      </ul>
    </section>
  );
}

function UnlistedRow(props: { readonly request: UnlistedRequest }) {
  const { documentName, people, state, at } = props.request;
  const { t } = useTranslation();
  const format = useFormat();
  const who = useWho();
  const names = format.list(people.map(who));
  return (
    <li>
      <span className={css.unlistedName}>
        <MiddleCut text={documentName || t('tracking.noName')} />
      </span>
      <span className={css.cut} title={names}>
        {names}
      </span>
      <Chip tone="info" icon="clock">
        {t(`tracking.unlistedState.${state}`, { time: format.momentInText(at) })}
      </Chip>
    </li>
  );
}
