import { folded } from '../schedule/words/plain.js';

/** A medicine of which it is known how much, and how often, it is taken at most. */
export interface KnownMedicine {
  readonly name: string;
  /** Beginnings of the words that name it: its names in the six languages, and common brands. */
  readonly stems: string;
  /** What its amounts are compared in. */
  readonly unit: 'mg' | 'units' | 'mmol';
  /** The least and the largest amount of one dose that an adult is plausibly told to take. */
  readonly each: readonly [least: number, most: number];
  /** The largest plausible amount of a day. */
  readonly aDay: number;
  /** A mistake with it does great harm: docs/medicines.md. */
  readonly isHighAlert?: true;
  /** Taken once a week; daily by mistake it kills. */
  readonly isWeekly?: true;
}

/** The medicines of docs/medicines.md, which has the sources. */
export const KNOWN_MEDICINES: readonly KnownMedicine[] = [
  {
    name: 'acenocoumarol',
    stems: 'acenocoumarol acenocumarol sintrom أسينوكومارول',
    unit: 'mg',
    each: [0.5, 12],
    aDay: 12,
    isHighAlert: true,
  },
  {
    name: 'amiodarone',
    stems: 'amiodaron cordarone أميودارون',
    unit: 'mg',
    each: [50, 800],
    aDay: 1_600,
  },
  {
    name: 'apixaban',
    stems: 'apixaban eliquis أبيكسابان',
    unit: 'mg',
    each: [2.5, 10],
    aDay: 20,
    isHighAlert: true,
  },
  {
    name: 'buprenorphine',
    stems: 'buprenorphin buprenorfin subutex suboxone بوبرينورفين',
    unit: 'mg',
    each: [0.005, 24],
    aDay: 32,
    isHighAlert: true,
  },
  {
    name: 'codeine',
    stems: 'codein kodein كودايين',
    unit: 'mg',
    each: [7.5, 120],
    aDay: 360,
    isHighAlert: true,
  },
  {
    name: 'colchicine',
    stems: 'colchicin colquicin kolchizin كولشيسين',
    unit: 'mg',
    each: [0.25, 2],
    aDay: 3,
  },
  {
    name: 'dabigatran',
    stems: 'dabigatran pradaxa دابيجاتران',
    unit: 'mg',
    each: [75, 220],
    aDay: 300,
    isHighAlert: true,
  },
  {
    name: 'digoxin',
    stems: 'digoxin lanoxin ديجوكسين',
    unit: 'mg',
    each: [0.03, 0.75],
    aDay: 1.5,
    isHighAlert: true,
  },
  {
    name: 'edoxaban',
    stems: 'edoxaban lixiana savaysa إدوكسابان',
    unit: 'mg',
    each: [15, 60],
    aDay: 60,
    isHighAlert: true,
  },
  {
    name: 'enoxaparin',
    stems: 'enoxaparin clexane lovenox إينوكسابارين',
    unit: 'mg',
    each: [10, 200],
    aDay: 300,
    isHighAlert: true,
  },
  {
    name: 'fentanyl',
    stems: 'fentanyl fentanil fentanilo duragesic actiq فنتانيل',
    unit: 'mg',
    each: [0.012, 1.6],
    aDay: 6.4,
    isHighAlert: true,
  },
  {
    name: 'heparin',
    stems: 'heparin هيبارين',
    unit: 'units',
    each: [1_000, 40_000],
    aDay: 80_000,
    isHighAlert: true,
  },
  {
    name: 'hydromorphone',
    stems: 'hydromorphon hidromorfon dilaudid هيدرومورفون',
    unit: 'mg',
    each: [1, 64],
    aDay: 128,
    isHighAlert: true,
  },
  {
    name: 'insulin',
    stems:
      'insulin lantus levemir toujeo tresiba basaglar semglee humalog lyumjev novolog novorapid ' +
      'fiasp apidra humulin novolin insulatard actrapid إنسولين انسولين أنسولين',
    unit: 'units',
    each: [0.5, 150],
    aDay: 400,
    isHighAlert: true,
  },
  {
    name: 'levothyroxine',
    stems:
      'levothyrox levotirox levotiroks euthyrox eutirox synthroid levoxyl thyroxin ليفوثيروكسين',
    unit: 'mg',
    each: [0.0125, 0.4],
    aDay: 0.5,
    isHighAlert: true,
  },
  {
    name: 'lithium',
    stems: 'lithium litio quilonum quilonorm priadel ليثيوم',
    unit: 'mg',
    each: [100, 1_200],
    aDay: 2_400,
  },
  {
    name: 'methadone',
    stems: 'methadon metadon ميثادون',
    unit: 'mg',
    each: [1, 120],
    aDay: 200,
    isHighAlert: true,
  },
  {
    name: 'methotrexate',
    stems: 'methotrexat metotrexat mtx trexall otrexup ميثوتريكسات ميتوتريكسات',
    unit: 'mg',
    each: [2.5, 30],
    aDay: 30,
    isHighAlert: true,
    isWeekly: true,
  },
  {
    name: 'morphine',
    stems: 'morphin morfin oramorph مورفين',
    unit: 'mg',
    each: [1, 200],
    aDay: 600,
    isHighAlert: true,
  },
  {
    name: 'oxycodone',
    stems: 'oxycodon oxicodon oxycontin oxynorm أوكسيكودون',
    unit: 'mg',
    each: [2.5, 120],
    aDay: 400,
    isHighAlert: true,
  },
  {
    name: 'phenprocoumon',
    stems: 'phenprocoumon fenprocumon marcumar marcoumar falithrom',
    unit: 'mg',
    each: [0.75, 12],
    aDay: 12,
    isHighAlert: true,
  },
  {
    name: 'phenytoin',
    stems: 'phenytoin fenitoin dilantin فينيتوين',
    unit: 'mg',
    each: [25, 600],
    aDay: 1_000,
  },
  {
    name: 'potassium',
    stems: 'potassium potasio potassio kalium kcl بوتاسيوم',
    unit: 'mmol',
    each: [5, 60],
    aDay: 200,
    isHighAlert: true,
  },
  {
    name: 'rivaroxaban',
    stems: 'rivaroxaban xarelto ريفاروكسابان',
    unit: 'mg',
    each: [2.5, 30],
    aDay: 30,
    isHighAlert: true,
  },
  {
    name: 'tramadol',
    stems: 'tramadol ترامادول',
    unit: 'mg',
    each: [12.5, 300],
    aDay: 400,
    isHighAlert: true,
  },
  {
    name: 'warfarin',
    stems: 'warfarin varfarin coumadin jantoven وارفارين',
    unit: 'mg',
    each: [0.5, 20],
    aDay: 20,
    isHighAlert: true,
  },
];

const STEMS = KNOWN_MEDICINES.map((medicine) => ({
  medicine,
  stems: medicine.stems.split(' ').map(folded),
}));
/** Most characters of a name that are looked at. */
const LONGEST = 500;

/** Returns the medicines of the table that a text names. */
export function medicinesIn(text: string): readonly KnownMedicine[] {
  const words = folded(text.slice(0, LONGEST)).split(/[^a-z\u0621-\u064a]+/);
  return STEMS.filter(({ stems }) =>
    stems.some((stem) => words.some((word) => word.startsWith(stem))),
  ).map(({ medicine }) => medicine);
}
