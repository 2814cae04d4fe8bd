import type { Catalogue } from '../../en/window/window.ts';

export const deList: Catalogue['list'] = {
  filters: 'Filter',
  clearSearch: 'Suche löschen',
  clearFilters: 'Filter löschen',
  withoutFilter: 'Filter entfernen: {{filter}}',
  nothingFits: 'Keine Treffer',
  nothingFitsText: 'Suche und Filter blenden alles aus.',
  columns: 'Spalten',
  actions: 'Aktionen',
  select: '{{title}} auswählen',
  selectAll: 'Alle auswählen',
  selectedFirst: 'Nur die ersten {{shown}} sind ausgewählt (Höchstzahl).',
  selection: 'Auswahl',
  selected: '{{shown}} ausgewählt',
  selectedGone: '{{shown}} derzeit nicht in dieser Liste',
  clearSelection: 'Auswahl aufheben',
};
