import type { filePages as english } from '../../en/shared/file-pages.ts';
import type { Translation } from '../../translation.ts';

export const filePages: Translation<typeof english, 'ar'> = {
  changed_zero: 'تغيّرت الصفحات {{pages}}.',
  changed_one: 'تغيّرت الصفحة {{pages}}.',
  changed_two: 'تغيّرت الصفحات {{pages}}.',
  changed_few: 'تغيّرت الصفحات {{pages}}.',
  changed_many: 'تغيّرت الصفحات {{pages}}.',
  changed_other: 'تغيّرت الصفحات {{pages}}.',
  added_zero: 'أُضيف شيء أو مُلئ في الصفحات {{pages}}. ما يغطيه لا يُقارَن.',
  added_one: 'أُضيف شيء أو مُلئ في الصفحة {{pages}}. ما يغطيه لا يُقارَن.',
  added_two: 'أُضيف شيء أو مُلئ في الصفحات {{pages}}. ما يغطيه لا يُقارَن.',
  added_few: 'أُضيف شيء أو مُلئ في الصفحات {{pages}}. ما يغطيه لا يُقارَن.',
  added_many: 'أُضيف شيء أو مُلئ في الصفحات {{pages}}. ما يغطيه لا يُقارَن.',
  added_other: 'أُضيف شيء أو مُلئ في الصفحات {{pages}}. ما يغطيه لا يُقارَن.',
};
