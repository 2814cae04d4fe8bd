import type { SectionId } from '../../features/help.ts';

/** What Help shows: a place of the guide, or one of the pages that are not in it. */
export type Place =
  | { readonly topic: 'tour' | 'shortcuts' | 'about' }
  | { readonly topic: SectionId; readonly anchor: string | null };
