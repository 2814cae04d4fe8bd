import type { TFunction } from 'i18next';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

export interface LazyPart<P> {
  (props: P): ReactNode;
  /** Loads the part's file if it is not loaded yet; rejects if it cannot be loaded. */
  readonly preload: () => Promise<void>;
}

/**
 * A part of the window in a file of its own. Not React.lazy: that shows its fallback once even for a file that is loaded already, keeps it for a moment, and cannot
 * load a file again after a failure. A part that is loaded opens at once, so that what a person types next arrives in it.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  views: {
    readonly waiting: ReactNode;
    readonly failed: (props: P, error: unknown, again: () => void) => ReactNode;
  },
): LazyPart<P> {
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

  function Part(props: P) {
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
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    return failed === null ? views.waiting : views.failed(props, failed, () => setFailed(null));
  }
  return Object.assign(Part, { preload });
}

const NotLoadedDialog = lazyPart(
  () => import('./overlays/not-loaded-dialog.tsx').then((file) => file.NotLoadedDialog),
  {
    waiting: null,
    failed: () => null,
  },
);

/** A dialog or menu in a file of its own, shown only on request. If it cannot be loaded, a dialog says so, which was loaded ahead with it. */
export function lazyDialog<P extends { readonly onClose: () => void }>(
  load: () => Promise<ComponentType<P>>,
  title: (t: TFunction) => string,
  heading?: (t: TFunction) => string,
): LazyPart<P> {
  const withDialog = () => {
    NotLoadedDialog.preload().catch(() => undefined);
    return load();
  };
  return lazyPart(withDialog, {
    waiting: null,
    failed: ({ onClose }, error, again) => (
      <NotLoadedDialog title={title} heading={heading} error={error} again={again} onClose={onClose} />
    ),
  });
}
