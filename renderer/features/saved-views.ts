import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { CallInput } from '../../contract/index.ts';
import type { SavedView, ViewsState } from '../../contract/views.ts';
import { ask, askValue } from '../bridge/client.ts';
import { useCall } from '../bridge/use-call.ts';
import { useOfferBefore, useRemoval } from './undo.tsx';

type ViewScreen = CallInput<'views.state'>['screen'];

/** Time without a change after which the layout of a screen is saved. */
const settleMs = 600;

/** The saved views of a screen, and its last layout (null until read, or if none was saved). */
export function useViews(screen: ViewScreen) {
  const client = useQueryClient();
  const key = ['views', screen];
  const offerBefore = useOfferBefore();
  const query = useQuery({ queryKey: key, queryFn: () => askValue('views.state', { screen }) });
  const saving = useCall('views.save');
  const removal = useRemoval('views.remove', () => void client.invalidateQueries({ queryKey: key }));
  const put = async (
    { id, name, content }: Omit<SavedView, 'id'> & { readonly id?: string | undefined },
    run = saving.run,
  ) => {
    const saved = await run({ screen, name, content, ...(id ? { id } : {}) });
    if (saved.ok) client.setQueryData(key, saved.value);
    return saved;
  };
  return {
    isRead: !query.isPending,
    views: query.data?.views ?? [],
    layout: query.data?.layout ?? null,
    failure: saving.failure ?? removal.failure,
    isSaving: saving.busy,
    /** Adds a view (without id) or changes it, which can be undone; resolves with the saved view, null if that failed. */
    save: async (name: string, content: string, id?: string): Promise<SavedView | null> => {
      const before = query.data?.views.find((view) => view.id === id);
      const saved = await put({ id, name, content });
      if (!saved.ok) return null;
      if (before) offerBefore(name, () => put(before, (input) => ask('views.save', input)));
      return saved.value.views.find((view) => view.name === name) ?? null;
    },
    /** Can be undone; resolves with false if that failed. */
    remove: ({ id, name }: SavedView) => removal.run({ screen, id }, name),
    forgetFailure: () => {
      saving.clear();
      removal.clear();
    },
  } as const;
}

/** Saves the layout of a screen after a short time without changes, and at the latest when it is left. */
export function useKeptLayout(screen: ViewScreen, layout: string): void {
  const client = useQueryClient();
  const kept = useRef(layout);
  const keep = useCallback(
    (text: string) => {
      if (kept.current === text) return;
      kept.current = text;
      client.setQueryData<ViewsState>(['views', screen], (state) => (state ? { ...state, layout: text } : state));
      void ask('views.keepLayout', { screen, layout: text });
    },
    [client, screen],
  );
  const latest = useRef(layout);
  useEffect(() => {
    latest.current = layout;
    const timer = setTimeout(() => keep(layout), settleMs);
    return () => clearTimeout(timer);
  }, [layout, keep]);
  useEffect(() => () => keep(latest.current), [keep]);
}

/** The fields of a saved view; empty if the text is no JSON object. */
export function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** The known values that a field of a saved view contains, in their usual order. */
export function listOf<T extends string>(value: unknown, known: readonly T[]): readonly T[] {
  return Array.isArray(value) ? known.filter((one) => value.includes(one)) : [];
}
