import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { I18nextProvider } from 'react-i18next';
import type { Preferences } from '../../contract/app.ts';
import { directionOf } from '../../contract/languages.ts';
import { languageFor, localeFor } from '../../locales/choose-language.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { LiveProvider, useLive } from '../bridge/live.tsx';
import { TasksProvider } from '../bridge/tasks.tsx';
import { SelectionProvider } from '../features/files/selection.tsx';
import { KeptInputProvider } from '../features/forms/kept-input.tsx';
import { JobsProvider } from '../features/jobs/jobs.tsx';
import { UndoProvider } from '../features/undo.tsx';
import { Announcer } from '../parts/announcer.tsx';
import { Button } from '../parts/button.tsx';
import { Seal } from '../parts/empty.tsx';
import { Navigation } from '../parts/navigation.tsx';
import css from './app.module.css';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { useHistory } from './history.ts';

/** The whole window: texts, state of the core, selected files, frame. */
export function App({ texts }: { readonly texts: i18n }) {
  const [queries] = useState(
    () =>
      new QueryClient({
        // The core answers with or without a network: the browser's offline state must not delay a query.
        defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' } },
      }),
  );
  const waiting = (
    <div className={css.waiting}>
      <Seal size={56} />
      <span>{texts.t('app.loading')}</span>
    </div>
  );
  return (
    <I18nextProvider i18n={texts}>
      <QueryClientProvider client={queries}>
        <LiveProvider
          waiting={waiting}
          failed={(failure, again) => (
            <main className={css.waiting}>
              <h1>{texts.t('app.couldNotStart')}</h1>
              <FailureView failure={failure}>
                <Button onPress={again}>{texts.t('common.tryAgain')}</Button>
              </FailureView>
            </main>
          )}
        >
          <Preferred texts={texts} waiting={waiting} />
        </LiveProvider>
      </QueryClientProvider>
    </I18nextProvider>
  );
}

/** Applies language, direction and theme, then shows the frame; `waiting` until the language of the setting is loaded. */
function Preferred({ texts, waiting }: { readonly texts: i18n; readonly waiting: ReactNode }) {
  const { preferences } = useLive().info;
  const language = languageFor(preferences.language, navigator.languages);
  const [shown, setShown] = useState(texts.language === language ? language : null);
  const client = useQueryClient();
  const pages = useHistory();
  const { go } = pages;
  const toStart = useCallback(() => go({ screen: 'start' }), [go]);

  useEffect(() => {
    void texts.changeLanguage(language).then(() => setShown(language));
    // The names of built-in lists are in the core's language; nothing else that is kept here is.
    void client.invalidateQueries({ queryKey: ['tracking'] });
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
  }, [client, texts, language]);
  useTheme(preferences.theme);

  if (shown === null) return waiting;
  return (
    <I18nProvider locale={localeFor(shown, navigator.languages)}>
      <Announcer>
        <ErrorBoundary>
          <JobsProvider>
            <TasksProvider>
              <SelectionProvider onArrival={toStart}>
                <KeptInputProvider>
                  <UndoProvider>
                    <Navigation go={go}>
                      <Frame pages={pages} />
                    </Navigation>
                  </UndoProvider>
                </KeptInputProvider>
              </SelectionProvider>
            </TasksProvider>
          </JobsProvider>
        </ErrorBoundary>
      </Announcer>
    </I18nProvider>
  );
}

/** Marks the page with the theme, and with high contrast if the person or, without a choice here, the system asks for it. */
function useTheme(theme: Preferences['theme']): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === 'light' || theme === 'dark') dataset.theme = theme;
    else delete dataset.theme;
    const wished = matchMedia('(prefers-contrast: more)');
    const mark = () => {
      if (theme === 'contrast' || (theme === 'system' && wished.matches)) dataset.contrast = 'more';
      else delete dataset.contrast;
    };
    mark();
    wished.addEventListener('change', mark);
    return () => wished.removeEventListener('change', mark);
  }, [theme]);
}
