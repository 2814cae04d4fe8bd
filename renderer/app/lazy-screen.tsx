import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import type { ScreenName } from '../parts/navigation.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';

interface LazyScreen<P> {
  (props: P): ReactNode;
  /** Loads the screen's file if it is not loaded yet; rejects if it cannot be loaded. */
  readonly preload: () => Promise<void>;
}

/**
 * A screen in a file of its own. Not React.lazy: that shows its fallback once even for a file that is loaded already, keeps it for a moment, and cannot load a
 * file again after a failure. What the person entered is kept outside of the screens, so that a failure loses nothing.
 */
export function lazyScreen<P extends object>(name: ScreenName, load: () => Promise<ComponentType<P>>): LazyScreen<P> {
  let loaded: ComponentType<P> | null = null;
  let loading: Promise<ComponentType<P>> | null = null;

  const preload = async () => {
    if (loaded) return;
    loading ??= load();
    try {
      loaded = await loading;
    } finally {
      loading = null;
    }
  };

  function Screen(props: P) {
    const [failed, setFailed] = useState<unknown>(null);
    const [, setLoaded] = useState(loaded !== null);
    useEffect(() => {
      if (failed !== null) return;
      let isCurrent = true;
      preload().then(
        () => isCurrent && setLoaded(true),
        (error: unknown) => isCurrent && setFailed(error ?? 'unknown'),
      );
      return () => {
        isCurrent = false;
      };
    }, [failed]);
    const again = () => {
      setFailed(null);
      // The button goes away: the next Tab starts inside the screen, as after every change of the screen.
      document.getElementById('main')?.focus({ preventScroll: true });
    };
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    return failed === null ? <Skeleton /> : <NotLoaded name={name} error={failed} again={again} />;
  }
  return Object.assign(Screen, { preload });
}

function NotLoaded(props: { readonly name: ScreenName; readonly error: unknown; readonly again: () => void }) {
  const { t } = useTranslation();
  return (
    <Page title={t(`screens.${props.name}`)}>
      <Problem heading={t('app.notLoadedHeading')} advice={t('app.notLoadedAdvice')} technical={String(props.error)}>
        <Button onPress={props.again}>{t('app.loadAgain')}</Button>
      </Problem>
    </Page>
  );
}
