import type { Words } from './words.js';

/** Returns a number with its noun: one, two, three to ten, and more have forms of their own. */
const some = (n: number, [one, two, few, many]: readonly [string, string, string, string]) => {
  if (n === 1) return one;
  if (n === 2) return two;
  const rest = n % 100;
  return `${n} ${rest >= 3 && rest <= 10 ? few : many}`;
};
const days = (n: number) => some(n, ['يوم واحد', 'يومين', 'أيام', 'يومًا']);
/** Days with their number, as phrases count them. */
const counted = (n: number) => (n <= 2 ? `${n} يوم` : days(n));
const weeks = (n: number) => some(n, ['أسبوع', 'أسبوعين', 'أسابيع', 'أسبوعًا']);
const months = (n: number) => some(n, ['شهر', 'شهرين', 'أشهر', 'شهرًا']);
const hours = (n: number) => some(n, ['ساعة', 'ساعتين', 'ساعات', 'ساعة']);
const minutes = (n: number) => some(n, ['دقيقة', 'دقيقتين', 'دقائق', 'دقيقة']);

/** How schedules are said in Arabic. */
export const ARABIC: Words = {
  once: 'مرة واحدة',
  everyDay: 'كل يوم',
  everyDays: (n) => `كل ${days(n)}`,
  everyWeek: 'كل أسبوع',
  everyWeeks: (n) => `كل ${weeks(n)}`,
  everyMonth: 'كل شهر',
  everyMonths: (n) => `كل ${months(n)}`,
  everyHours: (n) => `كل ${hours(n)}`,
  everyMinutes: (n) => `كل ${minutes(n)}`,
  afterDose: (time) => `بعد ${time} من آخر جرعة`,
  // One hour and two are words without a number, which phrases have after "every" alone.
  hours: (n) => (n <= 2 ? minutes(60 * n) : hours(n)),
  minutes,
  cycle: (on, off) => `${counted(on)} مع الدواء، ${counted(off)} بدونه`,
  asNeeded: 'عند الحاجة',
  atMost: (n) => `بحد أقصى ${n} في اليوم`,
  apart: (time) => `بفاصل ${time} على الأقل`,
  on: (weekdays) => `يوم ${weekdays}`,
  weekdays: ['الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة', 'السبت', 'الأحد'],
  onDays: (dates) => `في يوم ${dates} من الشهر`,
  lastDay: 'في آخر يوم من الشهر',
  at: (times) => `الساعة ${times}`,
  and: 'و',
  anchors: [
    ['عند الاستيقاظ', 'قبل الاستيقاظ', 'بعد الاستيقاظ'],
    ['مع الفطور', 'قبل الفطور', 'بعد الفطور'],
    ['مع الغداء', 'قبل الغداء', 'بعد الغداء'],
    ['مع العشاء', 'قبل العشاء', 'بعد العشاء'],
    ['عند النوم', 'قبل النوم', 'بعد النوم'],
  ],
  count: (n) => `${some(n, ['جرعة واحدة', 'جرعتان', 'جرعات', 'جرعة'])} إجمالاً`,
  forDays: (n) => `لمدة ${days(n)}`,
  forMonths: (n) => `لمدة ${months(n)}`,
  until: (date) => `حتى ${date}`,
  untilFinished: 'حتى نفاد الدواء',
  finished: 'نفد الدواء',
  firstDays: (n) => (n === 1 ? 'في أول يوم' : `في أول ${days(n)}`),
  nth: (number, weekday) => `في يوم ${weekday} ${NTH.at(number)}`,
  from: (date) => `من ${date}`,
  phases: (each) => each.join('، ثم '),
  upTo: (least, most) => `${least} إلى ${most}`,
  isSeveral: (n) => n % 100 >= 3 && n % 100 <= 10,
  forms: {
    tablet: ['قرص', 'أقراص'],
    capsule: ['كبسولة', 'كبسولات'],
    pill: ['حبة', 'حبات'],
    lozenge: ['قرص استحلاب', 'أقراص استحلاب'],
    film: ['شريحة', 'شرائح'],
    piece: ['قطعة', 'قطع'],
    drop: ['قطرة', 'قطرات'],
    puff: ['بخة', 'بخات'],
    pump: ['ضغطة', 'ضغطات'],
    spray: ['رشة', 'رشات'],
    patch: ['لصقة', 'لصقات'],
    sachet: ['كيس', 'أكياس'],
    suppository: ['تحميلة', 'تحاميل'],
    pessary: ['تحميلة مهبلية', 'تحاميل مهبلية'],
    enema: ['حقنة شرجية', 'حقن شرجية'],
    scoop: ['مغرفة', 'مغارف'],
    measure: ['مكيال', 'مكاييل'],
    ampoule: ['أمبولة', 'أمبولات'],
    dose: ['جرعة', 'جرعات'],
    injection: ['حقنة', 'حقن'],
    application: ['دهنة', 'دهنات'],
    spoon: ['ملعقة', 'ملاعق'],
    teaspoon: ['ملعقة صغيرة', 'ملاعق صغيرة'],
    tablespoon: ['ملعقة كبيرة', 'ملاعق كبيرة'],
    unit: ['وحدة', 'وحدات'],
  },
};

const NTH = ['', 'الأول', 'الثاني', 'الثالث', 'الرابع', 'الخامس', 'الأخير'];
