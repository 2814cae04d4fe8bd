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
import type { ReactNode } from 'react';
import type { Route, ScreenName } from '../parts/navigation.tsx';
import { AnswersScreen } from '../screens/answers/answers-screen.tsx';
import { BulkScreen } from '../screens/bulk/bulk-screen.tsx';
import { ComposeScreen } from '../screens/compose/compose-screen.tsx';
import { ConnectionsScreen } from '../screens/connections/connections-screen.tsx';
import { DocumentsScreen } from '../screens/documents/documents-screen.tsx';
import { JobsScreen } from '../screens/jobs/jobs-screen.tsx';
import { NotesScreen } from '../screens/notes/notes-screen.tsx';
import { RegisterScreen } from '../screens/register/register-screen.tsx';
import { SettingsScreen } from '../screens/settings/settings-screen.tsx';
import { StartScreen } from '../screens/start/start-screen.tsx';
import { SignaturesScreen } from '../screens/tracking/signatures-screen.tsx';
import { VerifyScreen } from '../screens/verify/verify-screen.tsx';

/** One screen. Rail and palette are derived from this table; a new screen is one more row (and one more Route). */
export interface ScreenRoute<S extends ScreenName = ScreenName> {
  readonly screen: S;
  /** Position in the rail; `palette`: not in the rail, reached from other screens and from the palette. */
  readonly position: 'top' | 'bottom' | 'palette';
  readonly icon: typeof Activity;
  readonly badge?: 'in-doubt' | 'documents' | 'signatures';
  readonly show: (route: Extract<Route, { screen: S }>) => ReactNode;
}

/** Types each row's `show` by its own route. */
type Routes = { readonly [S in ScreenName]: ScreenRoute<S> };

const table: Routes = {
  start: { screen: 'start', position: 'top', icon: Download, show: () => <StartScreen /> },
  jobs: {
    screen: 'jobs',
    position: 'top',
    icon: Activity,
    badge: 'in-doubt',
    show: (route) => <JobsScreen batchId={route.batchId ?? null} />,
  },
  documents: {
    screen: 'documents',
    position: 'top',
    icon: FileText,
    badge: 'documents',
    show: (route) => (
      <DocumentsScreen key={route.search ?? ''} search={route.search ?? ''} openById={route.openById ?? false} />
    ),
  },
  signatures: {
    screen: 'signatures',
    position: 'top',
    icon: Signature,
    badge: 'signatures',
    show: (route) => (
      <SignaturesScreen
        key={[route.entryId, route.listType, route.changedOnly].join()}
        entryId={route.entryId ?? null}
        listType={route.listType ?? null}
        changedOnly={route.changedOnly ?? false}
      />
    ),
  },
  verify: {
    screen: 'verify',
    position: 'top',
    icon: ShieldCheck,
    show: (route) => <VerifyScreen key={route.run ?? ''} run={route.run ?? null} />,
  },
  notes: {
    screen: 'notes',
    position: 'top',
    icon: NotebookPen,
    show: (route) => <NotesScreen corrects={route.corrects ?? null} />,
  },
  compose: {
    screen: 'compose',
    position: 'palette',
    icon: PenLine,
    show: (route) => (
      <ComposeScreen
        key={`${route.draftId ?? ''}/${route.fresh ?? ''}`}
        draftId={route.draftId ?? null}
        kind={route.kind ?? null}
      />
    ),
  },
  bulk: {
    screen: 'bulk',
    position: 'palette',
    icon: Table2,
    show: (route) => <BulkScreen draftId={route.draftId ?? null} />,
  },
  answers: { screen: 'answers', position: 'palette', icon: WholeWord, show: () => <AnswersScreen /> },
  register: {
    screen: 'register',
    position: 'palette',
    icon: Stamp,
    show: (route) => <RegisterScreen corrects={route.corrects ?? null} />,
  },
  connections: {
    screen: 'connections',
    position: 'bottom',
    icon: PlugZap,
    show: (route) => <ConnectionsScreen edit={route.edit ?? null} check={route.check ?? null} />,
  },
  settings: { screen: 'settings', position: 'bottom', icon: Settings, show: () => <SettingsScreen /> },
};

/** Every screen, in the order of the rail. */
export const routes: readonly Omit<ScreenRoute, 'show'>[] = Object.values(table);

/** Renders the screen of a route. */
export function screenAt(route: Route): ReactNode {
  const row = table[route.screen] as { readonly show: (route: Route) => ReactNode };
  return row.show(route);
}
