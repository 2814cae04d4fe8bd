import type { fileVerdicts as english } from '../../en/shared/file-verdicts.ts';
import type { Translation } from '../../translation.ts';

export const fileVerdicts: Translation<typeof english> = {
  unchanged: 'موقَّع ولم يتغير منذ ذلك',
  'only-additions-allowed': 'موقَّع؛ وبعده إضافات مسموحة فقط',
  changed: 'تغيّر بعد التوقيع',
  broken: 'التوقيع غير مطابق',
  undecidable: 'لا يمكن الحكم على التوقيع',
  unsigned: 'غير موقَّع',
};
