import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure } from '../../../contract/failure.ts';
import type { CallInput } from '../../../contract/index.ts';
import type { ViewsState } from '../../../contract/views.ts';
import { ask, askValue } from '../../bridge/client.ts';

type ViewScreen = CallInput<'views.state'>['screen'];

/** How long nothing may change before the look of a screen is kept. */
const settleMs = 600;

/** The saved views of a screen, and how it looked last (null until read, or before anything was kept). */
export function useViews(screen: ViewScreen) {
  const client = useQueryClient();
  const key = ['views', screen];
  const query = useQuery({ queryKey: key, queryFn: () => askValue('views.state', { screen }) });
  const [failure, setFailure] = useState<Failure | null>(null);
  const take = (answer: Awaited<ReturnType<typeof ask<'views.save'>>>): answer is { ok: true; value: ViewsState } => {
    setFailure(answer.ok ? null : answer.failure);
    if (answer.ok) client.setQueryData(key, answer.value);
    return answer.ok;
  };
  return {
    isRead: !query.isPending,
    views: query.data?.views ?? [],
    layout: query.data?.layout ?? null,
    failure,
    save: async (name: string, content: string, id?: string) =>
      take(await ask('views.save', { screen, name, content, ...(id ? { id } : {}) })),
    remove: async (id: string) => take(await ask('views.remove', { screen, id })),
    forgetFailure: () => setFailure(null),
  } as const;
}

/** Keeps the look of a screen for the next time, once nothing changed for a moment, and at the latest when it is left. */
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
