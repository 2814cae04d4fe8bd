import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SharedItem, SharedKind, SharedValue } from '../../../contract/shared.ts';
import { askValue } from '../../bridge/client.ts';

/** A shared item of one kind. */
export interface SharedOf<K extends SharedKind> extends SharedItem {
  readonly value: Extract<SharedValue, { readonly kind: K }>;
}

const none: readonly SharedItem[] = [];

/** What the team of a connection shares of one kind, from the copy on this computer: also while the register is away and after leaving. */
export function useSharedItems<K extends SharedKind>(connectionId: string, kind: K): readonly SharedOf<K>[] {
  const query = useQuery({
    queryKey: ['team', 'shared', connectionId, 'items'],
    queryFn: () => askValue('team.shared', { connectionId }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const items = query.data ?? none;
  return useMemo(() => items.filter((item): item is SharedOf<K> => item.value.kind === kind), [items, kind]);
}
