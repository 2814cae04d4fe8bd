import type { enList } from '../../en/window/list.ts';
import type { Translation } from '../../translation.ts';

export const frList: Translation<typeof enList, 'fr'> = {
  filters: 'Filtres',
  clearSearch: 'Effacer la recherche',
  clearFilters: 'Effacer les filtres',
  withoutFilter: 'Retirer le filtre : {{filter}}',
  nothingFits: 'Aucun résultat',
  nothingFitsText: 'La recherche et les filtres masquent tout.',
  columns: 'Colonnes',
  actions: 'Actions',
  select: 'Sélectionner {{title}}',
  selectAll: 'Tout sélectionner',
  selectedFirst: 'Seuls les {{shown}} premiers sont sélectionnés (le maximum).',
  selection: 'Sélection',
  selected: 'Sélection : {{shown}}',
  selectedGone: 'plus dans cette liste : {{shown}}',
  clearSelection: 'Effacer la sélection',
};
