import type { texts as english } from '../en/notices.ts';
import type { Translation } from '../translation.ts';

export const texts: Translation<typeof english, 'ar'> = {
  marks: { new: 'جديد في «{{list}}»', moved: 'أصبح في «{{list}}»' },
  signed: 'وقّع {{who}}',
  signatures_zero: 'وصل {{count}} توقيع',
  signatures_one: 'وصل توقيع واحد',
  signatures_two: 'وصل توقيعان',
  signatures_few: 'وصل {{count}} توقيعات',
  signatures_many: 'وصل {{count}} توقيعًا',
  signatures_other: 'وصل {{count}} توقيع',
  changed_zero: 'تغيّر {{count}} طلب توقيع',
  changed_one: 'تغيّر طلب توقيع واحد',
  changed_two: 'تغيّر طلبا توقيع',
  changed_few: 'تغيّرت {{count}} طلبات توقيع',
  changed_many: 'تغيّر {{count}} طلب توقيع',
  changed_other: 'تغيّر {{count}} طلب توقيع',
  due: 'حان الموعد: تذكيرك',
  noName: 'مستند بلا اسم',
};
