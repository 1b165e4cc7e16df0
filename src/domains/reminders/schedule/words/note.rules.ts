import type { Lattice } from './lattice.js';
import { whole } from './number.rules.js';
import {
  alt,
  as,
  both,
  ifAny,
  list,
  mark,
  more,
  once,
  opt,
  type Parse,
  seq,
  term,
  unless,
} from './parse.js';
import type { Note, NotePart, PhrasePart } from './said.js';

/** Units that are measured, and not counted in pieces. */
export const MEASURED: ReadonlySet<string> = new Set(
  'mg g mcg ng mEq mmol ml l IU unit %'.split(' '),
);

const said: Parse<NotePart> = as(
  term('note', ({ part, finish, fasting }) => part !== 'limit' && !finish && !fasting),
  ({ part }) => [part],
);

/** Until finished, complete the course: advice that may be an end. */
export const finish = as(
  term('note', (one) => one.finish === true),
  ({ part, gone }) => [{ part, said: { finish: true as const, ...(gone && { gone }) } }],
);

/** En ayunas: advice that may be a time. */
export const fasting = as(
  term('note', (one) => one.fasting === true),
  ({ part }) => [{ part, said: { fasting: true as const } }],
);

const sides = list(mark('side', 'quality', 'every', 'lead', 'each'), opt(mark('and', 'comma')));
/** Ojo derecho, peau propre et sèche: what stands behind them is no article or each. */
const behindBody = alt(
  mark('quality'),
  seq(mark('quality'), opt(mark('and')), mark('quality')),
  seq(mark('quality'), mark('quality'), opt(mark('and')), mark('quality')),
);
/**
 * In each nostril, to the affected area, under the left arm, en los dos ojos, sur la peau sèche.
 */
const site: Parse<NotePart> = as(
  seq(
    opt(alt(mark('onto', 'lead', 'to', 'at', 'per', 'in'), seq(mark('onto'), mark('lead')))),
    list(
      seq(opt(sides), mark('body'), opt(behindBody)),
      opt(alt(mark('and', 'slash', 'or', 'comma'), seq(mark('and'), mark('onto')))),
    ),
  ),
  () => ['site'],
);

/** En OD, in OU: an eye by its abbreviation. */
const eye: Parse<NotePart> = as(
  seq(
    mark('onto', 'lead', 'at', 'in'),
    term('note', (one) => one.part === 'site'),
  ),
  () => ['site'],
);

/** What is felt, or what is treated, as one or several: pain and fever, high blood pressure. */
const ailments = list(
  seq(
    opt(list(mark('side', 'quality', 'every', 'lead', 'each'), opt(mark('comma')))),
    alt(
      mark('symptom', 'body'),
      term('note', ({ part }) => part === 'indication' || part === 'medicine'),
    ),
    ifAny(mark('aspect')),
  ),
  opt(mark('and', 'comma', 'or', 'slash')),
);
/** For pain, for high blood pressure and headache, to prevent a stroke. */
const indication: Parse<NotePart> = as(seq(mark('for', 'purpose'), ailments), () => ['indication']);
/** Pain, headache: words that alone say what it is for. */
const reason = term('note', ({ part }) => part === 'indication');
/** Over 38.5 °C, > 200 mg/dl, above 140/90. */
const beyond = seq(
  mark('beyond'),
  term('number'),
  opt(seq(mark('slash'), term('number'))),
  ifAny(mark('degree')),
);
/** Complaints behind a word, which may stand before each of them. */
const complaintBehind = (beginning: Parse<null>): Parse<unknown> =>
  seq(
    beginning,
    opt(mark('lead', 'side', 'quality')),
    list(
      seq(opt(mark('side', 'quality')), mark('symptom')),
      opt(alt(mark('and', 'comma', 'or', 'slash'), seq(mark('or', 'and'), beginning))),
    ),
  );
/** If sugar above 200, bei Fieber über 38,5. */
const complaintBeyond = seq(
  mark('incase', 'incaseOrFor'),
  opt(mark('lead', 'side')),
  alt(mark('symptom'), reason),
  beyond,
);
const needed = term('says', ({ said }) => said.length === 1 && said[0]?.asNeeded === true);
/** If in pain, en cas de fièvre ou douleur, bei Atemnot, PRN dolor. */
export const complaint: Parse<PhrasePart> = alt(
  as(seq(complaintBehind(as(needed, () => [null])), ifAny(beyond)), () => [
    { asNeeded: true as const },
  ]),
  as(complaintBehind(mark('incase')), () => [{ asNeeded: true as const }]),
  // A value beside times may as well be a limit below which it is left out.
  as(alt(complaintBehind(mark('incaseOrFor')), complaintBeyond), () => [
    { neededOrFor: true as const },
  ]),
  as(list(both(reason, mark('symptom')), mark('or', 'slash')), () => [
    { complaint: true as const },
  ]),
);

/** In half a glass of water, with 8 oz of juice, dissous dans un peu d'eau. */
const liquid: Parse<NotePart> = as(
  seq(
    opt(mark('mixed')),
    mark('onto', 'relation', 'lead', 'in'),
    opt(
      alt(
        seq(opt(alt(mark('per'), term('number'))), list(mark('vessel'), opt(mark('of')))),
        seq(
          term('number'),
          term('form', ({ name }) => name === 'ml'),
          opt(mark('of')),
        ),
      ),
    ),
    mark('liquid'),
    opt(seq(mark('or'), mark('liquid'))),
    ifAny(mark('mixed')),
  ),
  () => ['advice'],
);

/** Give Mum 1 tablet, to the child: who takes it. */
const person = seq(opt(mark('onto', 'lead', 'for')), mark('person'));
/** #30, dispense 30 tablets, 2 refills, review in 2 weeks: what ends a prescription. */
const supply = unless(
  seq(
    list(
      alt(
        seq(list(mark('supply'), opt(mark('comma'))), term('number'), ifAny(term('form'))),
        seq(mark('refills'), opt(term('number'))),
        seq(term('number'), mark('refills')),
        seq(
          opt(mark('then', 'and')),
          mark('review'),
          mark('in', 'onto', 'lead'),
          whole,
          term('unit'),
        ),
      ),
      opt(mark('comma')),
    ),
    opt(mark('point')),
  ),
  more,
);

/** Start with 1 daily. A day beside it says when, and nothing of how often. */
export const begun: Parse<NotePart> = as(mark('begin'), () => ['verb']);

/**
 * Parts of a direction that do not change when something rings: route, site, indication, advice.
 */
export const note: Parse<NotePart> = once(
  alt(
    said,
    site,
    eye,
    indication,
    liquid,
    // 62.5 micrograms of digoxin.
    as(
      seq(
        mark('of'),
        term('note', ({ part }) => part === 'medicine'),
      ),
      () => ['medicine' as const],
    ),
    as(alt(mark('take'), person, unless(mark('particle'), more)), () => ['verb' as const]),
    as(supply, () => ['advice' as const]),
    as(
      term('form', ({ name, one }) => !MEASURED.has(name) && !one),
      () => ['form' as const],
    ),
  ),
);
const each: Parse<NotePart> = alt(
  note,
  as(fasting, ({ part }) => [part]),
);
/** What does not change when it rings, in its own words. */
const kept: Parse<Note> = Object.assign(
  (lattice: Lattice, at: number) =>
    each(lattice, at).map(({ value: part, end }) => ({
      value: { part, text: lattice.parts.slice(at, end).join(' ') },
      end,
    })),
  { begins: each.begins },
);
/** A note beside an amount, or none. */
export const noteIfAny: Parse<readonly Note[]> = as(opt(kept), (one) => [one ? [one] : []]);
/** Two notes at most, or none. */
export const notes: Parse<readonly Note[]> = once(
  alt(
    noteIfAny,
    as(seq(kept, kept), (both) => [both]),
  ),
);
/** Returns what is said with the notes that stand within it. */
export const withNotes = (said: PhrasePart, within: readonly Note[]): PhrasePart =>
  within.length > 0 ? { ...said, notes: [...(said.notes ?? []), ...within] } : said;
