import type { commands as english } from '../../en/command-line/commands.ts';
import type { Translation } from '../../translation.ts';

export const commands: Translation<typeof english, 'ar'> = {
  requestCosts: '{{summary}} كل طلب يستهلك أرصدة ويرسل بريدًا إلى موقّعيه.',
  version: {
    summary: 'يطبع إصدار واجهة API للخدمة (GetVersion).',
    practice: 'للخدمة التجريبية',
    service: 'لخدمة ما',
  },
  schedule: { summary: 'يطبع جدول مواعيد الخدمة (GetSchedule).', json: 'كائن JSON' },
  token: {
    summary: 'يطبع رمز مصادقة (GetAuthToken). هذا الرمز سري: انتبه إلى وجهة المخرجات.',
    saved: 'ببيانات اعتماد اتصال محفوظ',
  },
  register: {
    summary: 'يسجّل مستندات PDF \u200f(AddNewDocument): ملفات، ومجلدات بكل ما تحتها. كل مستند يستهلك رصيدًا واحدًا.',
    remarks:
      'يمكن أن تحتوي --name و--description و--client-id على {name} (اسم الملف دون امتداده) و{file} و{folder} و{n} (1، 2، 3 …). الملفات التي ليست PDF داخل المجلدات تُتخطّى. الملف الذي سبق إرسال بايتاته عبر هذا الاتصال يُرسَل مع تنبيه، أو يُتخطّى مع --skip-duplicates.',
    one: 'مستند واحد في الخدمة التجريبية',
    folder: 'مجلد في اتصال محفوظ، بأسطر JSON',
  },
  requestSignatures: {
    summary: 'يسجّل ملف PDF ويطلب توقيعه من أشخاص (AddNewDocumentESign).',
    two: 'موقّعان',
    ownerFirst: 'توقّع أنت أولًا',
  },
  easySign: {
    summary: 'ينشئ مستند Easy Sign من ملف PDF \u200f(AddNewEasySignDocument).',
    copy: 'موقّع ونسخة',
    xml: 'مع بيانات XML وصورة',
  },
  easySignTemplate: {
    summary: 'ينشئ مستند Easy Sign من قالب في مكتبة الخدمة (AddNewEasySignTemplate).',
    mail: 'برسالة بريد منك',
  },
  status: {
    summary: 'يطبع حالة معالجة مستند (GetDocumentStatus).',
    saved: 'لمستند في اتصال محفوظ',
  },
  details: {
    summary: 'يطبع سجل تفاصيل مستندك (GetDocumentDetails).',
    json: 'كائن JSON',
  },
  download: {
    summary: 'ينزّل مستندًا تملكه أو تمت مشاركته معك (GetDocument).',
    here: 'إلى هذا المجلد، باسم معرّفه',
    file: 'إلى ملف تختاره',
    replace: 'حتى لو كان الملف موجودًا',
  },
  requests: {
    summary: 'يعرض طلبات التوقيع (GetESignList). لا تظهر الكلمات السرية.',
    out: 'ما هو قيد التوقيع',
    newest: 'الأحدث أولًا',
    signed: 'ما وُقِّع، كائن JSON',
  },
  note: {
    summary: 'ينشئ ملاحظة سريعة (AddQuickNote). قد تستهلك رصيدًا.',
    description: 'ملاحظة مع وصف',
  },
  jobs: {
    summary: 'يعرض ما ينتظر وما هو مشكوك فيه وما يحتاج إلى قرار في سجل اتصال، ويسوّيه.',
    actions: `list               ما لم ينتهِ على خير: منتظر، مشكوك فيه، يحتاج قرارًا، مرفوض،
                   فاشل (--state لغيرها)
resume JOB…        ينهي إيقافها المؤقت، ويتولّى ما تركته برامج انتهت،
                   ويرسله وينتظر النهاية. أيضًا مع --all؛
                   \u200f--batch BATCH ينهي إيقاف دفعة، و--queue إيقاف
                   كل شيء
cancel JOB…        يلغي ما لم يبدأ خروجه. أيضًا مع --all
decide JOB…        مع --send أو --skip: في نسخ مكرّرة تنتظر
                   قرارًا؛ وما لدى زميل لا يُرسل إلا بذكر JOB
look JOB           يسأل الخدمة عمّا حدث لمهمة مشكوك فيها؛ ومع
                   DOCUMENT-ID بعد المهمة: هل هو ذلك المستند. قراءة
                   فقط
accept JOB DOCUMENT-ID
                   يسوّي مهمة مشكوكًا فيها: هذا المستند هو نتيجتها
send-again JOB…    يعيد إرسال ما رُفض أو فشل أو أُلغي؛ أما المشكوك
                   فيه فمع --yes-send-again فقط
dismiss JOB…       يزيل من القائمة ما انتهى؛ وتبقى المستندات في
                   السجل. أيضًا مع --all`,
    others: 'المهام التي يعمل عليها برنامج آخر تُترك له. والمهمة المشكوك فيها لا تُمسّ حتى يُنفَّذ عليها أحد هذه الإجراءات.',
    open: 'ما هو مفتوح',
    left: 'يرسل ما تركه برنامج أُنهي قسرًا',
    lost: 'هل وصلت إضافة فُقدت إجابتها',
  },
  verify: {
    summary: 'يسأل الخدمة هل الملفات هي ما سُجِّل (ValidateDocument): ملفات، ومجلدات بكل ما تحتها.',
    ends: 'ينتهي بالرمز 0 فقط إذا كان كل ملف مؤكَّدًا.',
    audit:
      'مع --audit يُحفظ المجلد مع كل إجاباته: في المرة التالية لا يُسأل إلا عن الجديد والمتغيّر، ولا يُذكر إلا ما تغيّر أو لم يتأكّد.',
    one: 'ملف واحد',
    folder: 'مجلد، بأسطر JSON',
    changed: 'ما تغيّر فيه منذ المرة السابقة',
  },
  practice: {
    summary: 'يشغّل الخدمة التجريبية في المقدمة حتى Ctrl-C، لتجربة هذا البرنامج أو أي برنامج آخر.',
    credentials: 'تُنشأ بيانات اعتمادها عند كل بدء ولا تعمل في مكان آخر، ولذلك تُطبع.',
    same: 'العنوان نفسه والبيانات نفسها كل مرة',
    lose: 'يفقد الإجابة عن مستند واحد',
  },
  doctor: {
    summary: 'يختبر اتصالًا خطوة بخطوة: الاسم، الشبكة، الوكيل، TLS، \u200fSOAP، بيانات الاعتماد، Easy Sign.',
    json: 'مع --json كائن لكل خطوة: answer.group هو passed أو failed أو unclear أو not-tried، وanswer.meaning هو الخطوة؛',
    details: 'يذكر details.proposal ما يلزم فعله، وdetails.elements أسماء العناصر المعنية.',
    unclear: 'تكون الخطوة غير واضحة إذا أجابت الخدمة دون أن يتبيّن هل الإعداد صحيح. لا يغيّر ذلك رمز الإنهاء.',
    saved: 'اتصال محفوظ',
  },
  policy: {
    summary: 'سياسة المؤسسة: ما تحدده، وما توصي به، وما لا يمكن استخدامه منها.',
    file: 'مع FILE يُفحَص ذلك الملف دون أن يسري منه شيء: لمن يكتب سياسة.',
    check: 'رمز الخروج 1 عند وجود أخطاء',
  },
  team: {
    summary:
      'السجل الذي يتشاركه فريق على PostgreSQL: \u200fACTION هو init أو status أو doctor أو join أو leave أو resume.',
    password:
      'تُقرأ كلمة المرور من SEALDESK_TEAM_PASSWORD؛ ويسأل doctor وjoin عنها في الطرفية. يحفظها join في سلسلة المفاتيح.',
    plan: 'يعرض التعليمات ولا يغيّر شيئًا',
    carryOut: 'ينفّذها',
    status: 'ما هو موجود وما يحق للمستخدم',
    resume: 'بعد الاستعادة: يسمح للفريق بالإرسال من جديد',
    doctor: 'كل فحص في سطر؛ رمز الخروج 0 إذا أمكن الإرسال',
    join: 'من الآن فصاعدًا يُحجَز كل مستند في السجل أولًا',
    leave: 'تبقى نسخة مما سجّله الزملاء؛ ومع \u200e--yes حتى إن لم تُبلَّغ نتائج',
  },
  support: {
    summary: 'ينشئ تقريرًا للدعم: الإصدارات والإعدادات واختبار الاتصال والأعداد وملف السجل.',
    holds: 'بلا أسرار أو محتويات أو مسارات أو أسماء أشخاص. اقرأ الملفات قبل إرسالها.',
    here: 'ملف zip في هذا المجلد',
    folder: 'ملفات نصية في المجلد الجديد report',
  },
};
