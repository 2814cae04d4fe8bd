import { fieldReasons } from '../../../contract/failure.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import type { Store } from '../../store/store.ts';
import { appError } from '../foundation/app-error.ts';
import type { Removals } from '../foundation/removals.ts';

interface Needs {
  readonly store: Pick<Store, 'views'>;
  readonly removals: Removals;
}

/** Calls about saved views and the last layout of each screen. */
export function viewCalls({ store: { views }, removals }: Needs): HandlersOf<'views'> {
  return {
    'views.state': async ({ screen }) => views.state(screen),
    'views.save': async ({ screen, ...view }) => {
      if (!views.save(screen, view))
        throw appError('bad-input', 'another view has this name', { fields: { name: fieldReasons.isTaken } });
      return views.state(screen);
    },
    'views.remove': async ({ screen, id }) => {
      // No event tells of views: whoever removes one or puts it back reads them again.
      return removals.keep(views.remove(screen, id), () => undefined);
    },
    'views.keepLayout': async ({ screen, layout }) => {
      views.keepLayout(screen, layout);
      return null;
    },
  };
}
