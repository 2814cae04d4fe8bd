import type { enList } from '../../en/window/list.ts';
import type { Translation } from '../../translation.ts';

export const arList: Translation<typeof enList, 'ar'> = {
  filters: 'تصفية',
  clearSearch: 'مسح البحث',
  clearFilters: 'مسح عوامل التصفية',
  withoutFilter: 'إزالة عامل التصفية: {{filter}}',
  nothingFits: 'لا توجد نتائج',
  nothingFitsText: 'البحث وعوامل التصفية تُخفي كل شيء.',
  columns: 'الأعمدة',
  actions: 'إجراءات',
  select: 'تحديد {{title}}',
  selectAll: 'تحديد الكل',
  selectedFirst: 'حُدِّد أول {{shown}} فقط (الحد الأقصى).',
  selection: 'التحديد',
  selected: 'المحدَّد: {{shown}}',
  selectedGone: 'لم يعد في هذه القائمة: {{shown}}',
  clearSelection: 'إلغاء التحديد',
};
