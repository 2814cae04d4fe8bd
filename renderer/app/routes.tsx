import {
  Activity,
  Download,
  FileText,
  NotebookPen,
  PenLine,
  PlugZap,
  Settings,
  ShieldCheck,
  Signature,
  Stamp,
  Table2,
  WholeWord,
} from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type LazyPart, lazyPart } from '../parts/lazy-part.tsx';
import type { Route, ScreenName } from '../parts/navigation.tsx';
import { Page } from '../parts/page.tsx';
import { NotLoaded } from '../parts/problem.tsx';
import { Skeleton } from '../parts/progress.tsx';
import { StartScreen } from '../screens/start/start-screen.tsx';

/** One screen. Rail and palette are derived from this table; a new screen is one more row (and one more Route). */
export interface ScreenRoute<S extends ScreenName = ScreenName> {
  readonly screen: S;
  /** Position in the rail; `palette`: not in the rail, reached from other screens and from the palette. */
  readonly position: 'top' | 'bottom' | 'palette';
  readonly icon: typeof Activity;
  readonly badge?: 'in-doubt' | 'documents' | 'signatures';
  readonly show: (route: Extract<Route, { screen: S }>) => ReactNode;
}

/** Screens in files of their own. Start is in the first file: it is always shown first. */
const lazy = {
  Answers: lazyScreen('answers', () =>
    import('../screens/answers/answers-screen.tsx').then((file) => file.AnswersScreen),
  ),
  Bulk: lazyScreen('bulk', () => import('../screens/bulk/bulk-screen.tsx').then((file) => file.BulkScreen)),
  Compose: lazyScreen('compose', () =>
    import('../screens/compose/compose-screen.tsx').then((file) => file.ComposeScreen),
  ),
  Connections: lazyScreen('connections', () =>
    import('../screens/connections/connections-screen.tsx').then((file) => file.ConnectionsScreen),
  ),
  Documents: lazyScreen('documents', () =>
    import('../screens/documents/documents-screen.tsx').then((file) => file.DocumentsScreen),
  ),
  Jobs: lazyScreen('jobs', () => import('../screens/jobs/jobs-screen.tsx').then((file) => file.JobsScreen)),
  Notes: lazyScreen('notes', () => import('../screens/notes/notes-screen.tsx').then((file) => file.NotesScreen)),
  Register: lazyScreen('register', () =>
    import('../screens/register/register-screen.tsx').then((file) => file.RegisterScreen),
  ),
  Settings: lazyScreen('settings', () =>
    import('../screens/settings/settings-screen.tsx').then((file) => file.SettingsScreen),
  ),
  Signatures: lazyScreen('signatures', () =>
    import('../screens/tracking/signatures-screen.tsx').then((file) => file.SignaturesScreen),
  ),
  Verify: lazyScreen('verify', () => import('../screens/verify/verify-screen.tsx').then((file) => file.VerifyScreen)),
};

/** Types each row's `show` by its own route. */
type Routes = { readonly [S in ScreenName]: ScreenRoute<S> };

const table: Routes = {
  start: { screen: 'start', position: 'top', icon: Download, show: () => <StartScreen /> },
  jobs: {
    screen: 'jobs',
    position: 'top',
    icon: Activity,
    badge: 'in-doubt',
    show: ({ batchId = null, ...at }) => <lazy.Jobs {...at} batchId={batchId} />,
  },
  documents: {
    screen: 'documents',
    position: 'top',
    icon: FileText,
    badge: 'documents',
    show: (route) => <lazy.Documents open={route.open ?? null} openById={route.openById ?? false} />,
  },
  signatures: {
    screen: 'signatures',
    position: 'top',
    icon: Signature,
    badge: 'signatures',
    show: (route) => (
      <lazy.Signatures
        entryId={route.entryId ?? null}
        listType={route.listType ?? null}
        changedOnly={route.changedOnly ?? false}
        request={route.request ?? null}
        job={route.job ?? null}
        person={route.person ?? null}
        open={route.open ?? null}
      />
    ),
  },
  verify: {
    screen: 'verify',
    position: 'top',
    icon: ShieldCheck,
    show: (route) => <lazy.Verify run={route.run ?? null} />,
  },
  notes: {
    screen: 'notes',
    position: 'top',
    icon: NotebookPen,
    show: (route) => <lazy.Notes corrects={route.corrects ?? null} />,
  },
  compose: {
    screen: 'compose',
    position: 'palette',
    icon: PenLine,
    show: (route) => (
      <lazy.Compose
        draftId={route.draftId ?? null}
        kind={route.kind ?? null}
        to={route.to ?? null}
        file={route.file ?? null}
      />
    ),
  },
  bulk: {
    screen: 'bulk',
    position: 'palette',
    icon: Table2,
    show: (route) => <lazy.Bulk draftId={route.draftId ?? null} bulkId={route.bulkId ?? null} />,
  },
  answers: { screen: 'answers', position: 'palette', icon: WholeWord, show: () => <lazy.Answers /> },
  register: {
    screen: 'register',
    position: 'palette',
    icon: Stamp,
    show: (route) => <lazy.Register corrects={route.corrects ?? null} />,
  },
  connections: {
    screen: 'connections',
    position: 'bottom',
    icon: PlugZap,
    show: (route) => <lazy.Connections edit={route.edit ?? null} wsdl={route.wsdl ?? null} team={route.team ?? null} />,
  },
  settings: {
    screen: 'settings',
    position: 'bottom',
    icon: Settings,
    show: () => <lazy.Settings />,
  },
};

/** Every screen, in the order of the rail. */
export const routes: readonly Omit<ScreenRoute, 'show'>[] = Object.values(table);

/** Renders the screen of a route. */
export function screenAt(route: Route): ReactNode {
  const row = table[route.screen] as { readonly show: (route: Route) => ReactNode };
  return row.show(route);
}

/** Loads all screens while nothing else is done, so that opening one is immediate. One that cannot be loaded now is loaded when it is opened. */
export async function preloadScreens(): Promise<void> {
  for (const screen of Object.values(lazy)) {
    await idle();
    await screen.preload().catch(() => undefined);
  }
}

const idle = () => new Promise<void>((done) => requestIdleCallback(() => done(), { timeout: 2000 }));

/** A screen in a file of its own. What the person entered is kept outside of the screens, so that a failure loses nothing. */
function lazyScreen<P extends object>(name: ScreenName, load: () => Promise<ComponentType<P>>): LazyPart<P> {
  return lazyPart(load, {
    waiting: <Skeleton />,
    failed: (_props, error, again) => <ScreenNotLoaded name={name} error={error} again={again} />,
  });
}

function ScreenNotLoaded(props: { readonly name: ScreenName; readonly error: unknown; readonly again: () => void }) {
  const { t } = useTranslation();
  const again = () => {
    props.again();
    // The button goes away: the next Tab starts inside the screen, as after every change of the screen.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <Page title={t(`screens.${props.name}`)}>
      <NotLoaded error={props.error} again={again} />
    </Page>
  );
}
