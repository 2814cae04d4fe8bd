import { Button } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useCurrentConnection } from '../bridge/live.tsx';
import { useDocumentCount } from '../bridge/queries.ts';
import { useJobs } from '../features/jobs/jobs.tsx';
import { useTracking } from '../features/signature-queries.ts';
import { useFormat } from '../parts/format.ts';
import { useNarrow } from '../parts/hooks/use-narrow.ts';
import looks from '../parts/looks.module.css';
import { type Route, type ScreenName, useGo } from '../parts/navigation.tsx';
import { Hint } from '../parts/overlays/hint.tsx';
import css from './frame.module.css';
import { routes, type ScreenRoute } from './routes.tsx';

/** Screens that are not in the rail: the rail entry marked as current for them. */
const standIns: Partial<Record<ScreenName, ScreenName>> = {
  register: 'start',
  compose: 'signatures',
  bulk: 'signatures',
  answers: 'signatures',
};

/** As in frame.module.css: the width at which the rail shows only icons. */
const narrowQuery = '(max-width: 51.25em)';

/** The navigation at the side. Narrow windows show only icons; the names stay as tooltips and accessible names. */
export function Rail(props: { readonly current: ScreenName }) {
  const { t } = useTranslation();
  const go = useGo();
  const current = standIns[props.current] ?? props.current;
  const links = (position: ScreenRoute['position']) =>
    routes
      .filter((route) => route.position === position)
      .map((route) => (
        <RailLink
          key={route.screen}
          route={route}
          isCurrent={route.screen === current}
          onPress={() => go({ screen: route.screen } as Route, 'section')}
        />
      ));
  return (
    <nav className={css.rail} aria-label={t('app.navigation')}>
      {links('top')}
      <span className={looks.grow} />
      {links('bottom')}
    </nav>
  );
}

function RailLink(props: {
  readonly route: Omit<ScreenRoute, 'show'>;
  readonly isCurrent: boolean;
  readonly onPress: () => void;
}) {
  const { t } = useTranslation();
  const { route } = props;
  const badge = useBadge(route.badge);
  const name = t(`screens.${route.screen}`);
  const isNarrow = useNarrow(narrowQuery);
  const Icon = route.icon;
  return (
    <Hint text={badge ? `${name}: ${badge.spoken}` : name} placement="end" isDisabled={!isNarrow}>
      <Button className={css.link ?? ''} aria-current={props.isCurrent ? 'page' : undefined} onPress={props.onPress}>
        <Icon aria-hidden="true" />
        <span className={css.linkText}>{name}</span>{' '}
        {badge ? (
          <span className={`${css.count} ${badge.warn ? css.warn : ''}`}>
            {badge.number}
            <span className={css.countWords}>{badge.words}</span>
          </span>
        ) : null}
      </Button>
    </Hint>
  );
}

function useBadge(kind: ScreenRoute['badge']) {
  const { t } = useTranslation();
  const format = useFormat();
  const inDoubt = useJobs().view.queue.counts['in-doubt'];
  const requests = useTracking(useCurrentConnection().id).data?.requests;
  const out = requests ? requests.waiting + requests['partly-signed'] : 0;
  const documents = useDocumentCount(useCurrentConnection().id);
  if (kind === 'in-doubt' && inDoubt > 0) {
    const spoken = t('rail.inDoubt', { count: inDoubt });
    const number = String(inDoubt);
    return { warn: true, spoken, number, words: spoken.slice(spoken.indexOf(number) + number.length) };
  }
  if (kind === 'signatures' && out > 0) {
    const number = format.number(out);
    return { warn: false, spoken: t('rail.signatures', { count: out, shown: number }), number, words: '' };
  }
  if (kind === 'documents' && documents) {
    const number = format.number(documents);
    return { warn: false, spoken: t('rail.documents', { count: documents, shown: number }), number, words: '' };
  }
  return null;
}
