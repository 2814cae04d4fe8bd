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
import { ActivityScreen } from '../screens/jobs/jobs-screen.tsx';
import { NotesScreen } from '../screens/notes/notes-screen.tsx';
import { RegisterScreen } from '../screens/register/register-screen.tsx';
import { SettingsScreen } from '../screens/settings/settings-screen.tsx';
import { StartScreen } from '../screens/start/start-screen.tsx';
import { SignaturesScreen } from '../screens/tracking/signatures-screen.tsx';
import { VerifyScreen } from '../screens/verify/verify-screen.tsx';

/** One screen. Rail and palette are derived from this table; a new screen is one more row (and one more Place). */
export interface ScreenRoute<S extends ScreenName = ScreenName> {
  readonly screen: S;
  /** Where it stands in the rail; `palette`: reached from elsewhere and from the palette only. */
  readonly stands: 'top' | 'bottom' | 'palette';
  readonly icon: typeof Activity;
  readonly badge?: 'in-doubt' | 'documents' | 'signatures';
  readonly show: (place: Extract<Route, { screen: S }>) => ReactNode;
}

/** Keeps each row's `show` typed by its own place. */
type Routes = { readonly [S in ScreenName]: ScreenRoute<S> };

const table: Routes = {
  start: { screen: 'start', stands: 'top', icon: Download, show: () => <StartScreen /> },
  jobs: {
    screen: 'jobs',
    stands: 'top',
    icon: Activity,
    badge: 'in-doubt',
    show: (place) => <ActivityScreen batchId={place.batchId ?? null} />,
  },
  documents: {
    screen: 'documents',
    stands: 'top',
    icon: FileText,
    badge: 'documents',
    show: (place) => (
      <DocumentsScreen key={place.search ?? ''} search={place.search ?? ''} openById={place.openById ?? false} />
    ),
  },
  signatures: {
    screen: 'signatures',
    stands: 'top',
    icon: Signature,
    badge: 'signatures',
    show: (place) => (
      <SignaturesScreen
        key={[place.entryId, place.listType, place.changedOnly].join()}
        entryId={place.entryId ?? null}
        listType={place.listType ?? null}
        changedOnly={place.changedOnly ?? false}
      />
    ),
  },
  verify: {
    screen: 'verify',
    stands: 'top',
    icon: ShieldCheck,
    show: (place) => <VerifyScreen key={place.run ?? ''} run={place.run ?? null} />,
  },
  notes: {
    screen: 'notes',
    stands: 'top',
    icon: NotebookPen,
    show: (place) => <NotesScreen corrects={place.corrects ?? null} />,
  },
  compose: {
    screen: 'compose',
    stands: 'palette',
    icon: PenLine,
    show: (place) => (
      <ComposeScreen
        key={`${place.draftId ?? ''}/${place.fresh ?? ''}`}
        draftId={place.draftId ?? null}
        kind={place.kind ?? null}
      />
    ),
  },
  bulk: {
    screen: 'bulk',
    stands: 'palette',
    icon: Table2,
    show: (place) => <BulkScreen draftId={place.draftId ?? null} />,
  },
  answers: { screen: 'answers', stands: 'palette', icon: WholeWord, show: () => <AnswersScreen /> },
  register: {
    screen: 'register',
    stands: 'palette',
    icon: Stamp,
    show: (place) => <RegisterScreen corrects={place.corrects ?? null} />,
  },
  connections: {
    screen: 'connections',
    stands: 'bottom',
    icon: PlugZap,
    show: (place) => <ConnectionsScreen edit={place.edit ?? null} check={place.check ?? null} />,
  },
  settings: { screen: 'settings', stands: 'bottom', icon: Settings, show: () => <SettingsScreen /> },
};

/** Every screen, in the order of the rail. */
export const routes: readonly Omit<ScreenRoute, 'show'>[] = Object.values(table);

/** Draws the screen of a place. */
export function screenAt(place: Route): ReactNode {
  const row = table[place.screen] as { readonly show: (place: Route) => ReactNode };
  return row.show(place);
}
