import type { builtInNames as english } from '../../en/shared/built-in-names.ts';
import type { Translation } from '../../translation.ts';

export const builtInNames: Translation<typeof english, 'ar'> = {
  practice: 'الخدمة التجريبية',
  lists: { 1: 'قيد التوقيع', 2: 'موقَّعة' },
  creditTypes: { 1: 'أرصدة المستندات', 2: 'أرصدة مدفوعة مسبقًا', 3: 'اشتراك' },
};
