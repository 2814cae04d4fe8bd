import { useTranslation } from 'react-i18next';
import { isNotTaken, type UnlistedRequest, type UnlistedRequests } from '../../../contract/tracking.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { CorrectAction } from '../../features/correct.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { jobTones } from '../../parts/job-tones.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { useGo } from '../../parts/navigation.tsx';
import css from './signatures.module.css';
import { useWho } from './signer-state.tsx';

/** Requests that are shown; the others are among those sent from here. */
const mostShown = 3;

/** Requests from the ledger that the service does not list: those that were not taken, and those that it does not list yet. */
export function UnlistedParts(props: {
  readonly notTaken: UnlistedRequests;
  readonly onTheWay: UnlistedRequests;
  readonly onShowAll: () => void;
}) {
  const { notTaken, onTheWay, onShowAll } = props;
  const { t } = useTranslation();
  return (
    <>
      {notTaken.total > 0 ? <Section {...notTaken} title={t('tracking.notTaken')} onShowAll={onShowAll} /> : null}
      {onTheWay.total > 0 ? <Section {...onTheWay} title={t('tracking.unlisted')} onShowAll={onShowAll} /> : null}
    </>
  );
}

function Section(props: {
  readonly title: string;
  readonly requests: readonly UnlistedRequest[];
  readonly total: number;
  readonly onShowAll: () => void;
}) {
  const { title, total } = props;
  const { t } = useTranslation();
  const shown = props.requests.slice(0, mostShown);
  return (
    <section className={css.unlisted} aria-label={title}>
      <div className={css.unlistedHead}>
        <h2>{title}</h2>
        {total > shown.length ? (
          <Button kind="quiet" onPress={props.onShowAll}>
            {t('tracking.more', { count: total - shown.length })}
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
  const { jobId, documentName, people, failure } = props.request;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
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
      <StateChip request={props.request} />
      {isNotTaken(props.request.state) ? (
        <div className={css.unlistedTrouble}>
          {failure ? <span>{failureText(t, failure).heading}</span> : null}
          <CorrectAction quiet jobId={jobId} />
          <Button kind="quiet" onPress={() => go({ screen: 'jobs' })}>
            {t('compose.showInActivity')}
          </Button>
        </div>
      ) : null}
    </li>
  );
}

function StateChip(props: { readonly request: UnlistedRequest }) {
  const { state, at } = props.request;
  const { t } = useTranslation();
  const format = useFormat();
  if (isNotTaken(state)) return <Chip {...jobTones[state]}>{t(`jobs.state.${state}`)}</Chip>;
  return (
    <Chip tone="info" icon="clock">
      {t(`tracking.unlistedState.${state}`, { time: format.momentInText(at) })}
    </Chip>
  );
}
