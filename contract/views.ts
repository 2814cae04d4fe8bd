import { z } from 'zod';
import { call } from './call.ts';
import { lineOf, localId } from './text.ts';

/** Screens that keep views, and tables that keep the widths of their columns as their layout. */
const screen = z.enum([
  'documents',
  'jobs',
  'documents-columns',
  'tracking-columns',
  'tracked-documents-columns',
  'bulk-columns',
]);

/** What the screen makes of it is its own affair: search, filters, sort, columns as JSON. */
const content = z.string().max(10_000);

export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly content: string;
}

export interface ViewsState {
  /** By name. */
  readonly views: readonly SavedView[];
  /** How the screen looked last (columns, widths, sort); null before anything was kept. */
  readonly layout: string | null;
}

export const views = {
  'views.state': call(z.strictObject({ screen })).answers<ViewsState>(),
  /** Adds (without id) or changes. Rejects with bad-input for a name that is taken on this screen. */
  'views.save': call(
    z.strictObject({ screen, id: localId.optional(), name: lineOf(80), content }),
  ).answers<ViewsState>(),
  'views.remove': call(z.strictObject({ screen, id: localId })).answers<ViewsState>(),
  'views.keepLayout': call(z.strictObject({ screen, layout: content })).answers<null>(),
};
