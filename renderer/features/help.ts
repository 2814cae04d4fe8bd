import { createContext, use } from 'react';
import type { HelpTopic } from '../../contract/app.ts';
import type { ScreenName } from '../parts/navigation.tsx';

/** Sections of the guide by task, in order. Each stands below a comment `<!-- section: ID -->`, which is the same in every language. */
export const sectionIds = [
  'start',
  'register',
  'request',
  'bulk',
  'track',
  'fetch',
  'verify',
  'notes',
  'connections',
  'answers',
  'activity',
  'settings',
  'command-line',
] as const;
export type SectionId = (typeof sectionIds)[number];

/** The section that F1 opens on each screen. */
export const sectionOfScreen: Readonly<Record<ScreenName, SectionId>> = {
  start: 'start',
  register: 'register',
  compose: 'request',
  bulk: 'bulk',
  signatures: 'track',
  documents: 'fetch',
  verify: 'verify',
  notes: 'notes',
  connections: 'connections',
  answers: 'answers',
  jobs: 'activity',
  settings: 'settings',
};

/** What Help shows: a place of the guide, or one of the pages that are not in it. */
export type Place =
  | { readonly topic: 'tour' | 'shortcuts' | 'about' }
  | { readonly topic: SectionId; readonly anchor: string | null };

export const HelpContext = createContext<(wanted: HelpTopic | Place) => void>(() => undefined);

/** Opens Help: the guide at the screen in use or at a place, the list of shortcuts, or the tour. */
export function useHelp(): (wanted: HelpTopic | Place) => void {
  return use(HelpContext);
}
