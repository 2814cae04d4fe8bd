import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useRegisterChanges } from '../bridge/queries.ts';
import { useSelection } from '../features/selection.tsx';
import { useSignatureChanges } from '../features/signature-queries.ts';
import { type Route, useGo } from '../parts/navigation.tsx';
import { Band } from './band.tsx';
import { DropEverywhere } from './drop-everywhere.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import css from './frame.module.css';
import { useJobAnnouncements } from './job-announcements.ts';
import { Notices } from './notices.tsx';
import { Palette } from './palette.tsx';
import { Rail } from './rail.tsx';
import { preloadScreens, screenAt } from './routes.tsx';
import { useShortcuts } from './shortcuts.ts';
import { useSignatureAnnouncements } from './signature-announcements.ts';
import { StatusBar } from './status-bar.tsx';
import { useWantedEntry } from './wanted-entry.ts';

/** The frame around every screen: band, practice band, rail, status bar, palette, drop target. */
export function Frame(props: { readonly route: Route }) {
  const { t } = useTranslation();
  const { route } = props;
  const [finding, setFinding] = useState(false);
  const main = useRef<HTMLElement>(null);
  const go = useGo();
  const selection = useSelection();
  useRegisterChanges();
  useSignatureChanges();
  useWantedEntry();
  useJobAnnouncements();
  useSignatureAnnouncements();

  const { choose } = selection;
  const openFiles = useCallback(() => {
    go({ screen: 'start' });
    void choose('any');
  }, [go, choose]);
  const find = useCallback(() => setFinding(true), []);
  useShortcuts({ find, openFiles, onSearchMissing: () => go({ screen: 'documents' }) });

  useEffect(() => void preloadScreens(), []);

  // A new screen starts at its top, and the next Tab starts inside it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the screen changes
  useEffect(() => {
    main.current?.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [route.screen]);

  return (
    <div className={css.frame}>
      <Button className={css.skip ?? ''} onPress={() => main.current?.focus()}>
        {t('app.skip')}
      </Button>
      <Band onFind={find} />
      <Rail current={route.screen} />
      <main id="main" ref={main} className={css.main} tabIndex={-1}>
        <Notices />
        <ErrorBoundary key={route.screen}>{screenAt(route)}</ErrorBoundary>
      </main>
      <StatusBar />
      {finding ? <Palette onClose={() => setFinding(false)} openFiles={openFiles} /> : null}
      <DropEverywhere />
    </div>
  );
}
