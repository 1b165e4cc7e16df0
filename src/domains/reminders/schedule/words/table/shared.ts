import type { Anchor } from '../meaning.js';
import type { PhrasePart } from '../said.js';
import type { Table } from '../term.js';
import {
  at,
  eachHour,
  every,
  form,
  latin,
  MEALS,
  mark,
  needed,
  note,
  part,
  says,
  unit,
  units,
} from './entries.js';

const daily = every('day');
const timed = (anchor: Anchor) => ({ ...at(anchor), ...daily });

const ONCE: PhrasePart = { count: 1, ...daily };
/** Once a day, and the right eye in `SHARED`. */
export const OD: Table = [latin('od|o d', ONCE)];
/** The same where prescribers mean the eye, but for what is swallowed: 1 cp OD. */
export const OD_OF_SWALLOWED: Table = [
  [{ is: 'says', said: [ONCE], latin: true, swallowed: true }, 'od|o d'],
];
/** Twice a day. In German both sides. */
export const BDS: Table = [latin('bds', { count: 2, ...daily })];

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
  mark('refills', 'refill|refills|rf|no refills|0 refills'),
  mark('beyond', '>|<|> =|< ='),
  mark('degree', '°|° c|° f|c|f|mg/dl|mmol/l|mmhg|mm hg|bpm|%'),
  mark('times', 'x'),
  mark('x', 'x'),
  mark('per', '/'),
  units('hour', 'h'),
  unit('minute', 'min|mins'),
  unit('day', 'd'),

  latin('qd|q d|qday|q day|semel in die|omni die', ONCE),
  latin('bd|bid|b i d|b d|bis in die', { count: 2, ...daily }),
  latin('tds|tid|t i d|t d s|ter in die', { count: 3, ...daily }),
  latin('qds|qid|q i d|q d s|quater in die', { count: 4, ...daily }),
  // Beside what goes into an eye it is the right one: see OD.
  [{ is: 'note', part: 'site', eye: true }, 'od|o d'],
  // In q h a number is lost.
  eachHour('qh'),
  says('qod|q o d|alt die|alternis diebus|alternis die|q alt die', every('day', 2)),
  says('eod', every('day', 2), { ...at('evening'), ...daily }),
  says('biw', { count: 2, per: 'week' }),
  says('tiw', { count: 3, per: 'week' }),
  needed('prn|p r n|sos|s o s|pro re nata|si opus sit'),
  says('stat|statim', { once: true }),
  latin('qam|q am', timed('morning')),
  latin('qpm|q pm', timed('evening')),
  latin('qhs|q h s|q hs', timed('bedtime')),
  latin('omni nocte', timed('night')),
  latin('omni mane', timed('morning')),
  says('mane et nocte|mane & nocte', at('morning', 'night')),
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
