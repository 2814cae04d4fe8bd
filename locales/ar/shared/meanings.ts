import type { meanings as english } from '../../en/shared/meanings.ts';
import type { Translation } from '../../translation.ts';

export const meanings: Translation<typeof english, 'ar'> = {
  processing: 'الخدمة تعالج المستند',
  completed: 'المستند جاهز',
  unknown: 'الخدمة لا تعرف هذا المستند',
  unusable: 'تعذّر على الخدمة استخدام المستند',
  confirmed: 'الخدمة تؤكّد المستند',
  superseded: 'الخدمة تؤكّد المستند، وله إصدار أحدث',
  notConfirmed: 'الخدمة لا تؤكّد المستند',
  changed: 'المستند ليس كما سُجِّل',
  documentId: 'معرّف المستند',
  url: 'عنوان ويب',
  none: 'أجابت الخدمة إجابة فارغة',
};
