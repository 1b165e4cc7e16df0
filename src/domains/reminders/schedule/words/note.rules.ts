import { alt, as, list, mark, once, opt, type Parse, seq, term } from './parse.js';
import type { NotePart } from './term.js';

/** Units that are measured, and not counted in pieces. */
export const MEASURED: ReadonlySet<string> = new Set(
  'mg g mcg ng mEq mmol ml l IU unit %'.split(' '),
);

const said: Parse<NotePart> = as(
  term('note', ({ part, finish }) => part !== 'limit' && !finish),
  ({ part }) => [part],
);

/** Until finished, complete the course: advice that may be an end. */
export const finish: Parse<NotePart> = as(
  term('note', (one) => one.finish === true),
  ({ part }) => [part],
);

/** In each nostril, to the affected area, under the left arm. */
const site: Parse<NotePart> = as(
  seq(
    opt(alt(mark('onto', 'lead', 'to', 'at', 'per', 'in'), seq(mark('onto'), mark('lead')))),
    opt(list(mark('side', 'every', 'lead', 'each'), opt(mark('and')))),
    list(mark('body'), opt(mark('and', 'slash', 'or'))),
  ),
  () => ['site'],
);

/** For pain, for high blood pressure and headache. */
const indication: Parse<NotePart> = as(
  seq(
    mark('for'),
    list(
      term('note', ({ part }) => part === 'indication'),
      opt(mark('and', 'comma', 'or', 'slash')),
    ),
  ),
  () => ['indication'],
);

/** Parts of a direction that do not change when something rings: route, site, indication, advice. */
export const note: Parse<NotePart> = once(
  alt(
    said,
    site,
    indication,
    as(mark('take'), () => ['verb' as const]),
    as(
      term('form', ({ name }) => !MEASURED.has(name)),
      () => ['form' as const],
    ),
  ),
);
