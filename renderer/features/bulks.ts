import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Bulk } from '../../contract/bulk.ts';
import { askValue, listen } from '../bridge/client.ts';

/** Updates the visible bulks by the core's events; used once for the whole window. */
export function useBulkChanges(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      listen('bulk.changed', (bulk) => {
        client.setQueryData<readonly Bulk[]>(['bulks'], (have) =>
          have?.some((one) => one.id === bulk.id)
            ? have.map((one) => (one.id === bulk.id ? bulk : one))
            : [bulk, ...(have ?? [])],
        );
        void client.invalidateQueries({ queryKey: ['bulk-rows', bulk.id] });
      }),
    [client],
  );
}

/** All bulks. */
export function useBulks() {
  return useQuery({ queryKey: ['bulks'], queryFn: () => askValue('bulk.list', {}) });
}
