import type { screens as english } from '../../en/shared/screens.ts';
import type { Translation } from '../../translation.ts';

export const screens: Translation<typeof english, 'ar'> = {
  signatures: 'التوقيعات',
  compose: 'طلب توقيعات',
  bulk: 'إرسال جماعي',
  answers: 'الإجابات',
  notes: 'الملاحظات',
  start: 'البداية',
  jobs: 'النشاط',
  documents: 'المستندات',
  register: 'التسجيل',
  verify: 'التحقّق',
  connections: 'الاتصالات',
  settings: 'الإعدادات',
};
