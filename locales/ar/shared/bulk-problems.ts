import type { bulkProblemsEn } from '../../en/shared/bulk-problems.ts';
import type { Translation } from '../../translation.ts';

export const bulkProblemsAr: Translation<typeof bulkProblemsEn> = {
  nobody: 'لا يوجد موقّع',
  'email-invalid': 'عنوان بريد إلكتروني غير صالح',
  'email-twice': 'العنوان نفسه مرتين',
  'owner-address': 'عنوان حسابك أنت',
  'separator-inside': 'يحتوي على الفاصل',
  'name-missing': 'اسم مفقود',
  'file-none': 'لا يوجد ملف',
  'file-missing': 'الملف ليس بين الملفات المختارة',
  'file-unusable': 'لا يمكن استخدام الملف',
  'template-none': 'لا يوجد قالب',
  'cell-too-long': 'طويل جدًا',
  'cell-unusable': 'يحتوي على حروف لا يمكن إرسالها',
  'same-template': 'الأشخاص والقالب أنفسهم كما في الصف {{row}}',
  'same-file': 'الأشخاص والملف أنفسهم كما في الصف {{row}}',
  'already-sent': 'سبق إرساله إلى الأشخاص أنفسهم: {{time}}',
  'maybe-sent': 'مشكوك فيه: ربما سبق إرساله إلى الأشخاص أنفسهم، دون رد {{time}}',
  'being-sent': 'في الانتظار أو قيد الإرسال إلى الأشخاص أنفسهم: {{time}}',
};
