import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { ask, listen } from '../bridge/client.ts';
import { useLive } from '../bridge/live.tsx';
import { useSelection } from '../features/files/selection.tsx';
import { useHelp } from '../features/help.ts';
import { useBulkChanges } from '../features/jobs/bulks.ts';
import { findCardControl } from '../features/settings-cards.ts';
import { useSignatureChanges } from '../features/signature-queries.ts';
import { preloadRunningList } from '../features/tasks/running-tasks.tsx';
import { useTeamChanges } from '../features/team/team.ts';
import { UndoStrip } from '../features/undo.tsx';
import { focusWhenDrawn, keepScroll } from '../parts/hooks/focus-and-scroll.ts';
import { useLatest } from '../parts/hooks/use-latest.ts';
import { lazyDialog } from '../parts/lazy-part.tsx';
import { PageProvider, type Route, useGo } from '../parts/navigation.tsx';
import { useJobAnnouncements, useSignatureAnnouncements, useTaskAnnouncements } from './announcements.ts';
import { Band, preloadConnectionList } from './band.tsx';
import { DropEverywhere } from './drop-everywhere.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import css from './frame.module.css';
import { HelpProvider, TourOffer, useTourOffer } from './help.tsx';
import { openedFrom, type useHistory, type Visit, visitAt } from './history.ts';
import { Notices } from './notices.tsx';
import { Rail } from './rail.tsx';
import { preloadScreens, screenAt } from './routes.tsx';
import { useShortcuts } from './shortcuts.ts';
import { CountdownStrip, preloadCountdowns, StatusBar } from './status-bar.tsx';

const Palette = lazyDialog(
  () => import('./palette/palette.tsx').then((file) => file.Palette),
  (t) => t('palette.title'),
);

/** The frame around every screen, with Help over it: band, practice band, rail, tour, status bar, palette, drop target. */
export function Frame({ pages }: { readonly pages: Pages }) {
  const { screen } = visitAt(pages.history).route;
  return <HelpProvider screen={screen}>{(tour) => <FrameParts pages={pages} tour={tour} />}</HelpProvider>;
}

type Pages = ReturnType<typeof useHistory>;

function FrameParts(props: { readonly pages: Pages; readonly tour: ReactNode }) {
  const { t } = useTranslation();
  const { history, step } = props.pages;
  const shown = visitAt(history);
  const { route } = shown;
  const [finding, setFinding] = useState(false);
  const main = useRef<HTMLElement>(null);
  const go = useGo();
  const selection = useSelection();
  useAllScreens();
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
    go,
    step,
  });
  const offer = useTourOffer();

  usePlace(main, shown);
  useAskedSetting(route);

  return (
    <div className={css.frame}>
      <Button className={css.skip ?? ''} onPress={() => main.current?.focus()}>
        {t('app.skip')}
      </Button>
      <Band onFind={find} />
      <Rail current={route.screen} />
      <main id="main" ref={main} className={css.main} tabIndex={-1}>
        <Notices />
        <ShownPage key={shown.id} pages={props.pages} visit={shown} />
        {offer.isOpen && route.screen === 'start' && props.tour === null ? <TourOffer onClose={offer.close} /> : null}
      </main>
      {props.tour}
      <div className={css.undo}>
        <UndoStrip />
      </div>
      <CountdownStrip runningOnly={route.screen === 'start' && selection.isEmpty} />
      <StatusBar />
      {finding ? <Palette onClose={() => setFinding(false)} openFiles={openFiles} /> : null}
      <DropEverywhere />
    </div>
  );
}

/** What goes on whatever screen is shown: news of the core, announcements, loading of what comes next. */
function useAllScreens(): void {
  useSignatureChanges();
  useBulkChanges();
  useTeamChanges();
  useWantedEntry();
  useJobAnnouncements();
  useSignatureAnnouncements();
  useTaskAnnouncements();
  useEffect(() => {
    void preloadScreens();
    // What cannot be loaded now says so when it is opened.
    for (const preload of [Palette.preload, preloadCountdowns, preloadConnectionList, preloadRunningList])
      preload().catch(() => undefined);
  }, []);
}

/** Puts the focus on the setting that is asked for, after the page has got it, and again if it is asked for once more. */
function useAskedSetting(route: Route): void {
  const setting = route.screen === 'settings' ? route.focus : undefined;
  const turn = route.screen === 'settings' ? route.fresh : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(
    () => (setting === undefined ? undefined : focusWhenDrawn(() => findCardControl(setting))),
    [setting, turn],
  );
}

/** The page that is shown: drawn anew for each visit, as it was left where it is gone back to. */
function ShownPage({ pages, visit }: { readonly pages: Pages; readonly visit: Visit }) {
  const { history, step, keep } = pages;
  const from = openedFrom(history);
  const { id, kept } = visit;
  const thisPage = useMemo(
    () => ({
      wayBack: from && { screen: from, go: () => step(-1) },
      keep: (route: Route) => keep(id, route),
      kept,
    }),
    [from, step, keep, id, kept],
  );
  return (
    <PageProvider value={thisPage}>
      <ErrorBoundary>{screenAt(visit.route)}</ErrorBoundary>
    </PageProvider>
  );
}

/** A page that is opened starts at its top, one that is gone back to where it was left; the next Tab starts inside it, in the field that has taken the focus if one has. */
function usePlace(main: RefObject<HTMLElement | null>, { id, kept }: Visit): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page changes
  useEffect(() => {
    const box = main.current;
    if (!box) return;
    box.scrollTo(0, 0);
    if (!box.contains(document.activeElement)) box.focus({ preventScroll: true });
    return keepScroll(box, kept, 'main');
  }, [id]);
}

/** Shows the entry of a clicked notification on its own connection, even if the click came before this window. */
function useWantedEntry(): void {
  const go = useGo();
  const { currentId } = useLive().connections;
  const current = useLatest(currentId);
  useEffect(() => {
    // The entry is always taken, even if the event contains it; otherwise it would be opened again later.
    const open = async () => {
      const taken = await ask('tracking.takeWanted', {});
      const wanted = taken.ok ? taken.value : null;
      if (!wanted) return;
      if (wanted.connectionId !== current.current) await ask('connections.use', { id: wanted.connectionId });
      const { entryId, request } = wanted;
      go({
        screen: 'signatures',
        ...(entryId !== null ? { entryId } : request !== null ? { request } : { changedOnly: true }),
        ...(wanted.listType === null ? {} : { listType: wanted.listType }),
      });
    };
    void open();
    return listen('tracking.entryWanted', () => void open());
  }, [go]);
}
