import { z } from 'zod';
import { call, type Removed, repeatable } from './call.ts';
import { lineOf, localId } from './text.ts';

/** Screens with saved views, and tables that save the widths of their columns as their layout. */
const screen = z.enum([
  'documents',
  'jobs',
  'tracking',
  'documents-columns',
  'tracking-columns',
  'request-columns',
  'bulk-columns',
  'notes-columns',
]);

/** Defined by the screen: search, filters, sort, columns as JSON. */
const content = z.string().max(10_000);

export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly content: string;
}

export interface ViewsState {
  /** Sorted by name. */
  readonly views: readonly SavedView[];
  /** The last layout of the screen (columns, widths, sort); null if none was saved. */
  readonly layout: string | null;
}

export const views = {
  'views.state': repeatable(() => ({ screen })).answers<ViewsState>(),
  /** Adds a view (without id) or changes it. Rejects with bad-input if the name is taken on this screen. */
  'views.save': repeatable(() => ({ screen, id: localId.optional(), name: lineOf(80), content })).answers<ViewsState>(),
  'views.remove': call(() => ({ screen, id: localId })).answers<Removed>(),
  'views.keepLayout': repeatable(() => ({ screen, layout: content })).answers<null>(),
};
