/** What is wrong with a team register, and what to do, by the detail of the failure. */
export const teamFailures = {
  'team-away': {
    heading: 'يتعذر الوصول إلى سجل الفريق',
    advice: 'تنتظر المستندات وتُرسَل فور عودته. لا يضيع شيء.',
  },
  'team-login-refused': {
    heading: 'رفض سجل الفريق تسجيل الدخول',
    advice: 'تحقق من المستخدم وكلمة المرور في الاتصالات، أو اسأل قسم تقنية المعلومات هل يُسمح لهذا الحاسوب.',
  },
  'team-certificate': {
    heading: 'شهادة سجل الفريق غير موثوقة',
    advice: 'اختر ملف جهة إصدار شهادته، واستخدم الاسم المذكور في الشهادة.',
  },
  'team-not-encrypted': {
    heading: 'سجل الفريق لا يوفّر التشفير',
    advice: 'اطلب من قسم تقنية المعلومات تفعيل TLS. بدونه لا يُستخدم إلا سجل على هذا الحاسوب.',
  },
  'team-missing': {
    heading: 'لا يوجد سجل فريق في هذا العنوان',
    advice: 'تحقق من اسمي قاعدة البيانات والفريق. يُنشئه المسؤول بالأمر «sealdesk-cli team init».',
  },
  'team-newer': {
    heading: 'حُدِّث سجل الفريق لإصدار أحدث من Sealdesk',
    advice: 'حدِّث Sealdesk لترسل. حتى ذلك الحين يمكنك القراءة، والمستندات تنتظر.',
  },
  'team-older': {
    heading: 'سجل الفريق أقدم مما يحتاجه هذا الإصدار من Sealdesk',
    advice: 'يحدّثه المسؤول بالأمر «sealdesk-cli team init». المستندات تنتظر.',
  },
  'team-rights': {
    heading: 'لا يحق لمستخدمك في سجل الفريق فعل ذلك',
    advice: 'اطلب من المسؤول دور «member»، أو «lead» للبتّ نيابةً عن الآخرين.',
  },
  'team-full': {
    heading: 'سجل الفريق لا يقبل تغييرات',
    advice: 'قرصه ممتلئ أو هو خادم احتياطي. أبلغ قسم تقنية المعلومات؛ المستندات تنتظر.',
  },
  'team-restored': {
    heading: 'أُعيد سجل الفريق إلى حالة سابقة',
    advice: 'تنتظر المستندات حتى تُبلِّغ كل البرامج من جديد وينفّذ المسؤول «sealdesk-cli team resume».',
  },
} as const;
