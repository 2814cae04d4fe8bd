import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useRegisterChanges } from '../bridge/queries.ts';
import { useBulkChanges } from '../features/bulks.ts';
import { useHelp } from '../features/help.ts';
import { useSelection } from '../features/selection.tsx';
import { findSetting } from '../features/setting-names.ts';
import { useSignatureChanges } from '../features/signature-queries.ts';
import { useTeamChanges } from '../features/team.ts';
import { focusWhenDrawn } from '../parts/focus-next.ts';
import { type Route, useGo } from '../parts/navigation.tsx';
import { Band } from './band.tsx';
import { CountdownStrip, preloadCountdowns } from './countdown-strip.tsx';
import { DropEverywhere } from './drop-everywhere.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import css from './frame.module.css';
import { HelpProvider } from './help.tsx';
import { useJobAnnouncements } from './job-announcements.ts';
import { lazyPart } from './lazy-part.tsx';
import { NotLoadedDialog } from './not-loaded-dialog.tsx';
import { Notices } from './notices.tsx';
import { Rail } from './rail.tsx';
import { preloadScreens, screenAt } from './routes.tsx';
import { useShortcuts } from './shortcuts.ts';
import { useSignatureAnnouncements } from './signature-announcements.ts';
import { StatusBar } from './status-bar.tsx';
import { useTaskAnnouncements } from './task-announcements.ts';
import { TourOffer, useTourOffer } from './tour-offer.tsx';
import { UndoStrip } from './undo-strip.tsx';
import { useWantedEntry } from './wanted-entry.ts';

const Palette = lazyPart(() => import('./palette.tsx').then((file) => file.Palette), {
  waiting: null,
  failed: ({ onClose }, error, again) => <PaletteNotLoaded error={error} again={again} onClose={onClose} />,
});

/** The frame around every screen, with Help over it: band, practice band, rail, tour, status bar, palette, drop target. */
export function Frame(props: { readonly route: Route }) {
  return (
    <HelpProvider screen={props.route.screen}>{(tour) => <FrameParts route={props.route} tour={tour} />}</HelpProvider>
  );
}

function FrameParts(props: { readonly route: Route; readonly tour: ReactNode }) {
  const { t } = useTranslation();
  const { route } = props;
  const [finding, setFinding] = useState(false);
  // Counts presses in the rail: each draws the first page of its section, also of the one that is shown.
  const [turn, setTurn] = useState(0);
  const main = useRef<HTMLElement>(null);
  const go = useGo();
  const selection = useSelection();
  useRegisterChanges();
  useSignatureChanges();
  useBulkChanges();
  useTeamChanges();
  useWantedEntry();
  useJobAnnouncements();
  useSignatureAnnouncements();
  useTaskAnnouncements();

  const { choose } = selection;
  const openFiles = useCallback(() => {
    go({ screen: 'start' });
    void choose('any');
  }, [go, choose]);
  const find = useCallback(() => setFinding(true), []);
  const help = useHelp();
  useShortcuts({
    find,
    openFiles,
    help: () => help('guide'),
    shortcuts: () => help('shortcuts'),
    onSearchMissing: () => go({ screen: 'documents' }),
  });
  const offer = useTourOffer();

  useEffect(() => {
    void preloadScreens();
    // What cannot be loaded now says so when it is opened.
    Palette.preload().catch(() => undefined);
    preloadCountdowns().catch(() => undefined);
  }, []);

  // A new screen starts at its top, and the next Tab starts inside it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the screen changes
  useEffect(() => {
    main.current?.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [route.screen, turn]);
  const setting = route.screen === 'settings' ? route.focus : undefined;
  const settingTurn = route.screen === 'settings' ? route.fresh : undefined;
  // After the effect above, and again for a setting that is asked for once more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(
    () => (setting === undefined ? undefined : focusWhenDrawn(() => findSetting(setting))),
    [setting, settingTurn],
  );

  return (
    <div className={css.frame}>
      <Button className={css.skip ?? ''} onPress={() => main.current?.focus()}>
        {t('app.skip')}
      </Button>
      <Band onFind={find} />
      <Rail current={route.screen} onPress={() => setTurn(turn + 1)} />
      <main id="main" ref={main} className={css.main} tabIndex={-1}>
        <Notices />
        <ErrorBoundary key={`${route.screen} ${turn}`}>{screenAt(route)}</ErrorBoundary>
        {offer.isOpen && route.screen === 'start' && props.tour === null ? <TourOffer onClose={offer.close} /> : null}
      </main>
      {props.tour}
      <UndoStrip />
      <CountdownStrip />
      <StatusBar />
      {finding ? <Palette onClose={() => setFinding(false)} openFiles={openFiles} /> : null}
      <DropEverywhere />
    </div>
  );
}

function PaletteNotLoaded(props: {
  readonly error: unknown;
  readonly again: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  return <NotLoadedDialog title={t('palette.title')} heading={t('app.notLoadedHeading')} {...props} />;
}
