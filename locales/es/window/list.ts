import type { enList } from '../../en/window/list.ts';
import type { Translation } from '../../translation.ts';

export const esList: Translation<typeof enList, 'es'> = {
  filters: 'Filtros',
  clearSearch: 'Borrar búsqueda',
  clearFilters: 'Borrar filtros',
  withoutFilter: 'Quitar filtro: {{filter}}',
  nothingFits: 'Sin resultados',
  nothingFitsText: 'La búsqueda y los filtros lo ocultan todo.',
  columns: 'Columnas',
  actions: 'Acciones',
  select: 'Seleccionar {{title}}',
  selectAll: 'Seleccionar todo',
  selectedFirst: 'Solo se han seleccionado los primeros {{shown}} (el máximo).',
  selection: 'Selección',
  selected: 'Seleccionados: {{shown}}',
  selectedGone: 'ya no están en esta lista: {{shown}}',
  clearSelection: 'Borrar selección',
};
