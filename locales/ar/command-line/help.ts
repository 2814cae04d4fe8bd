import type { help as english } from '../../en/command-line/help.ts';
import type { Translation } from '../../translation.ts';

export const help: Translation<typeof english, 'ar'> = {
  usage: 'الاستخدام:',
  options: 'الخيارات:',
  commands: 'الأوامر:',
  connection: 'الاتصال (الافتراضي: الخدمة التجريبية):',
  version: 'إصدار هذا البرنامج',
  help: 'هذه المساعدة',
  helpOf: 'مساعدة أمر ما',
  json: 'كائن JSON واحد في كل سطر بدلًا من النص',
  lang: 'لغة النصوص الموجّهة إلى الأشخاص، مثل {{tags}} (LC_ALL أو LC_MESSAGES أو LANG)',
  examples: 'أمثلة',
  exitCodes: `رموز الإنهاء: 0 تم · 1 مرفوض أو غير مؤكَّد · 2 استخدام خاطئ · 3 مشكوك فيه (أُرسل ولم تصل إجابة) · 4 تعذّر الوصول
5 لا يمكن استخدام السجل · 6 تم، لكن تعذّرت طباعة النتائج · 130 أُنهي بـ Ctrl-C`,
  credentials: `تأتي بيانات الاعتماد من البيئة (SEALDESK_API_KEY وSEALDESK_API_SIG)، أو من سلسلة مفاتيح النظام لاتصال محفوظ،
أو تُطلب منك. ولا تؤخذ أبدًا من سطر الأوامر.`,
  practice: `دون --connection أو --url يذهب كل شيء إلى الخدمة التجريبية التي تُشغَّل لهذه المرة: لا يغادر شيء
هذا الحاسوب.`,
};
