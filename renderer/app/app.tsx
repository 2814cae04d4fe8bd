import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { useCallback, useEffect, useState } from 'react';
import { I18nProvider, isRTL } from 'react-aria-components';
import { I18nextProvider } from 'react-i18next';
import { FailureView } from '../bridge/failure-view.tsx';
import { LiveProvider, useLive } from '../bridge/live.tsx';
import { ActivityProvider } from '../features/jobs.tsx';
import { TransfersProvider } from '../features/transfers.tsx';
import { TypedProvider } from '../features/typed.tsx';
import { SelectionProvider } from '../features/work.tsx';
import { createTexts, languageFor, localeFor } from '../locales/i18n.ts';
import { Announcer } from '../parts/announcer.tsx';
import { Button } from '../parts/button.tsx';
import { Navigation, type Route } from '../parts/navigation.tsx';
import { Seal } from '../parts/seal.tsx';
import css from './app.module.css';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';

/** The whole window: texts, state of the core, work in hand, frame. */
export function App() {
  const [queries] = useState(
    () =>
      new QueryClient({
        // The core answers, with or without a network: what a browser calls offline must not hold a question back.
        defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' } },
      }),
  );
  const [texts] = useState(() => createTexts(languageFor('system', navigator.languages), navigator.languages));
  return (
    <I18nextProvider i18n={texts}>
      <QueryClientProvider client={queries}>
        <LiveProvider
          waiting={
            <div className={css.waiting}>
              <Seal className={css.seal} />
              <span>{texts.t('app.loading')}</span>
            </div>
          }
          failed={(failure, again) => (
            <main className={css.waiting}>
              <h1>{texts.t('app.couldNotStart')}</h1>
              <FailureView failure={failure}>
                <Button onPress={again}>{texts.t('common.tryAgain')}</Button>
              </FailureView>
            </main>
          )}
        >
          <Preferred texts={texts} />
        </LiveProvider>
      </QueryClientProvider>
    </I18nextProvider>
  );
}

/** Applies language, direction and theme, then shows the frame. */
function Preferred(props: { readonly texts: i18n }) {
  const { preferences } = useLive().info;
  const { texts } = props;
  const language = languageFor(preferences.language, navigator.languages);
  const [shown, setShown] = useState(texts.language);
  const [place, setPlace] = useState<Route>({ screen: 'start' });
  const toStart = useCallback(() => setPlace({ screen: 'start' }), []);

  useEffect(() => {
    void texts.changeLanguage(language).then(() => setShown(language));
    document.documentElement.lang = language;
    document.documentElement.dir = isRTL(language) ? 'rtl' : 'ltr';
  }, [texts, language]);
  useEffect(() => {
    if (preferences.theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = preferences.theme;
  }, [preferences.theme]);

  return (
    <I18nProvider locale={localeFor(shown, navigator.languages)}>
      <Announcer>
        <ErrorBoundary>
          <ActivityProvider>
            <TransfersProvider>
              <SelectionProvider onArrival={toStart}>
                <TypedProvider>
                  <Navigation go={setPlace}>
                    <Frame place={place} />
                  </Navigation>
                </TypedProvider>
              </SelectionProvider>
            </TransfersProvider>
          </ActivityProvider>
        </ErrorBoundary>
      </Announcer>
    </I18nProvider>
  );
}
