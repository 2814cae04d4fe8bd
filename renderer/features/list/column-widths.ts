import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '../../../contract/index.ts';
import type { ViewsState } from '../../../contract/views.ts';
import { ask, askValue } from '../../bridge/client.ts';
import { type GridSizing, type GridWidths, narrowestRem, widestRem } from '../../parts/grid-column.ts';

export type Table = Extract<CallInput<'views.state'>['screen'], `${string}-columns`>;

/** The widths that a person gave to the columns of a table, kept over restarts; the default ones until they are read. */
export function useColumnWidths(table: Table): GridSizing {
  const client = useQueryClient();
  const key = ['views', table];
  const { data } = useQuery({ queryKey: key, queryFn: () => askValue('views.state', { screen: table }) });
  return {
    widths: widthsOf(data?.layout ?? null),
    onWidths: (widths) => {
      const layout = JSON.stringify(widths);
      client.setQueryData<ViewsState>(key, { views: [], layout });
      void ask('views.keepLayout', { screen: table, layout });
    },
  };
}

/** Unknown values, from another version, are ignored and never an error. */
function widthsOf(layout: string | null): GridWidths {
  try {
    const kept: unknown = JSON.parse(layout ?? '{}');
    const sane = Object.entries(kept ?? {}).filter(
      (one): one is [string, number] => typeof one[1] === 'number' && one[1] >= narrowestRem && one[1] <= widestRem,
    );
    return Object.fromEntries(sane);
  } catch {
    return {};
  }
}
