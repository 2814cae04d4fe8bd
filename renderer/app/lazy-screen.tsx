import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import type { ScreenName } from '../parts/navigation.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { type LazyPart, lazyPart } from './lazy-part.tsx';

/** A screen in a file of its own. What the person entered is kept outside of the screens, so that a failure loses nothing. */
export function lazyScreen<P extends object>(name: ScreenName, load: () => Promise<ComponentType<P>>): LazyPart<P> {
  return lazyPart(load, {
    waiting: <Skeleton />,
    failed: (_props, error, again) => <NotLoaded name={name} error={error} again={again} />,
  });
}

function NotLoaded(props: { readonly name: ScreenName; readonly error: unknown; readonly again: () => void }) {
  const { t } = useTranslation();
  const again = () => {
    props.again();
    // The button goes away: the next Tab starts inside the screen, as after every change of the screen.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <Page title={t(`screens.${props.name}`)}>
      <Problem heading={t('app.notLoadedHeading')} advice={t('app.notLoadedAdvice')} technical={String(props.error)}>
        <Button onPress={again}>{t('app.loadAgain')}</Button>
      </Problem>
    </Page>
  );
}
