import type { enCorrections } from '../../en/window/corrections.ts';
import type { Translation } from '../../translation.ts';

export const arCorrections: Translation<typeof enCorrections, 'ar'> = {
  action: 'تصحيح وإعادة الإرسال',
  actionShort: 'تصحيح…',
  heading: {
    refused: 'رفضته الخدمة',
    failed: 'لم يُرسَل',
    'passed-over': 'تم تخطّي هذا لأنه مكرر',
    cancelled: 'أُلغي',
    'in-doubt': 'لا إجابة واضحة: قد تكون الخدمة قبلته',
  },
  text: 'بعد إرسال هذا يحلّ محلّ الإدخال السابق.',
  doubtText: 'ربما وصل الأول، فقد يُرسَل ويُحتسَب مرتين. راجع أولًا في النشاط ما هو معروف عنه.',
  doubtMails: 'قد يُحتسَب مرتين، وقد يصل البريد إلى الجميع مرتين.',
  sendDoubt: 'إرسال مع أنه قد يكون أُرسل',
  underWay: 'يجري إرسال هذا الطلب',
  underWayText: 'يمكنك تصحيحه إذا رُفض أو أُلغي.',
  fileGone: 'لم يُعثر على {{name}}. اختر الملف من جديد.',
  chooseFile: 'اختيار ملف…',
  changeFile: 'اختيار ملف آخر…',
  connectionGone: 'أُزيل اتصاله',
  connectionGoneText: 'لا يمكن إرساله دون اتصاله.',
};
