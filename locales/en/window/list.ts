/** Texts that every list has. */
export const enList = {
  filters: 'Filters',
  clearSearch: 'Clear search',
  clearFilters: 'Clear filters',
  withoutFilter: 'Remove filter: {{filter}}',
  nothingFits: 'No matches',
  nothingFitsText: 'Search and filters hide everything.',
  columns: 'Columns',
  actions: 'Actions',
  select: 'Select {{title}}',
  selectAll: 'Select all',
  selectedFirst: 'Only the first {{shown}} are selected (the maximum).',
  selection: 'Selection',
  selected: '{{shown}} selected',
  selectedGone: '{{shown}} not in this list now',
  clearSelection: 'Clear selection',
} as const;
