import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useRegisterChanges } from '../bridge/queries.ts';
import { useSignatureChanges } from '../features/signature-queries.ts';
import { useSelection } from '../features/work.tsx';
import { type Route, useGo } from '../parts/navigation.tsx';
import { Band } from './band.tsx';
import { DropEverywhere } from './drop-everywhere.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import css from './frame.module.css';
import { Notices } from './notices.tsx';
import { Palette } from './palette.tsx';
import { Rail } from './rail.tsx';
import { screenAt } from './routes.tsx';
import { useShortcuts } from './shortcuts.ts';
import { StatusBar } from './status-bar.tsx';
import { useStories } from './stories.ts';
import { useWantedEntry } from './wanted-entry.ts';

/** What stands around every screen: band, practice band, rail, status bar, palette, drop target. */
export function Frame(props: { readonly place: Route }) {
  const { t } = useTranslation();
  const { place } = props;
  const [finding, setFinding] = useState(false);
  const main = useRef<HTMLElement>(null);
  const go = useGo();
  const work = useSelection();
  useRegisterChanges();
  useSignatureChanges();
  useWantedEntry();
  useStories();

  const { choose } = work;
  const openFiles = useCallback(() => {
    go({ screen: 'start' });
    void choose('any');
  }, [go, choose]);
  const find = useCallback(() => setFinding(true), []);
  useShortcuts({ find, openFiles, onSearchMissing: () => go({ screen: 'documents' }) });

  // A new screen starts at its top, and the next Tab starts inside it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the screen changes
  useEffect(() => {
    main.current?.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [place.screen]);

  return (
    <div className={css.frame}>
      <Button className={css.skip ?? ''} onPress={() => main.current?.focus()}>
        {t('app.skip')}
      </Button>
      <Band onFind={find} />
      <Rail current={place.screen} />
      <main id="main" ref={main} className={css.main} tabIndex={-1}>
        <Notices />
        <ErrorBoundary key={place.screen}>{screenAt(place)}</ErrorBoundary>
      </main>
      <StatusBar />
      {finding ? <Palette onClose={() => setFinding(false)} openFiles={openFiles} /> : null}
      <DropEverywhere />
    </div>
  );
}
