import type { Table } from '../term.js';
import {
  eachHour,
  every,
  form,
  latin,
  MEALS,
  mark,
  note,
  part,
  says,
  unit,
  units,
} from './entries.js';

const daily = every('day');
const timed = (anchor: 'morning' | 'evening' | 'night' | 'bedtime') => ({
  at: [{ anchor, relation: 'with' as const }],
  ...daily,
});

/** Signs, units of the SI, and the Latin of prescriptions, which every language writes alike. */
export const SHARED: Table = [
  mark('comma', ',|;|:'),
  mark('open', '('),
  mark('close', ')'),
  mark('slash', '/'),
  mark('dash', '-|–'),
  mark('point', '.'),
  mark('and', '&|+'),
  mark('plus', '+'),
  mark('at', '@'),
  mark('supply', '#|disp|qty'),
  mark('refills', 'refill|refills|rf'),
  mark('beyond', '>|<|> =|< ='),
  mark('degree', '°|° c|° f|c|f|mg/dl|mmol/l|mmhg|mm hg|bpm|%'),
  mark('times', 'x'),
  mark('x', 'x'),
  mark('per', '/'),
  units('hour', 'h'),
  unit('minute', 'min|mins'),
  unit('day', 'd'),

  latin('od|qd|o d|q d|qday|q day|semel in die|omni die', { count: 1, ...daily }),
  latin('bd|bid|bds|b i d|b d|bis in die', { count: 2, ...daily }),
  latin('tds|tid|t i d|t d s|ter in die', { count: 3, ...daily }),
  latin('qds|qid|q i d|q d s|quater in die', { count: 4, ...daily }),
  // Beside drops it is the right eye.
  [{ is: 'note', part: 'site', eye: true }, 'od|o d'],
  // In q h a number is lost.
  eachHour('qh'),
  says('qod|q o d|alt die|alternis diebus|alternis die|q alt die', every('day', 2)),
  says('eod', every('day', 2), { at: [{ anchor: 'evening', relation: 'with' }], ...daily }),
  says('biw', { count: 2, per: 'week' }),
  says('tiw', { count: 3, per: 'week' }),
  says('prn|p r n|sos|s o s|pro re nata|si opus sit', { asNeeded: true }),
  says('stat|statim', { once: true }),
  latin('qam|q am', timed('morning')),
  latin('qpm|q pm', timed('evening')),
  latin('qhs|q h s|q hs', timed('bedtime')),
  latin('omni nocte', timed('night')),
  latin('omni mane', timed('morning')),
  says('mane et nocte|mane & nocte', {
    at: [
      { anchor: 'morning', relation: 'with' },
      { anchor: 'night', relation: 'with' },
    ],
  }),
  [{ is: 'part', anchor: 'bedtime', latin: true }, 'hs|h s'],
  part('bedtime', 'hora somni'),
  part('morning', 'mane|om'),
  part('night', 'nocte'),
  [{ is: 'relation', relation: 'before' }, 'ac|a c'],
  [{ is: 'relation', relation: 'after' }, 'pc|p c'],
  says('ac|a c|ante cibum', { meals: { relation: 'before' } }),
  says('pc|p c|post cibum', { meals: { relation: 'after' } }),
  says('ac/hs|ac / hs|achs|ac hs|ac & hs|ac and hs|ac + hs|qachs', {
    at: [
      ...MEALS.map((anchor) => ({ anchor, relation: 'before' as const })),
      { anchor: 'bedtime', relation: 'with' },
    ],
  }),
  mark('q', 'q|q.'),
  note('limit', 'mdd'),
  note('route', 'po|per os|p o|sl|s l|sc|s c|subq|sq|subcut|im|i m|iv|i v|pr|p r|pv|inh|neb'),
  note('route', 'top|buc|ng|peg|per rectum|per vaginam|transdermal|sublingual|topical|rectal'),

  form('mg', 'mg|mgs'),
  form('g', 'g|gm|gms'),
  form('mcg', 'mcg|ug|mcgs'),
  form('ng', 'ng'),
  form('mEq', 'meq'),
  form('mmol', 'mmol'),
  form('ml', 'ml|cc|mls'),
  form('IU', 'iu|ui|ie'),
  form('unit', 'u'),
  form('%', '%'),
  form('drop', 'gtt|gtts'),
];
