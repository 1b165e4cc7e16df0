import { course, cycle } from './course.rules.js';
import { exceptions, monthDays, numberedWeekdays, weekdays } from './day.rules.js';
import { dose, leading } from './dose.rules.js';
import type { Lattice } from './lattice.js';
import { begun, fasting, finish, note } from './note.rules.js';
import { alt, as, first, mark, once, opt, type Parse, seq } from './parse.js';
import { numbered, often } from './period.rules.js';
import type { Note, NotePart, PhrasePart } from './said.js';
import { severalTimes, times } from './time.rules.js';
import { uneven } from './uneven.rules.js';
import { weekly } from './weekly.rules.js';

/** A part of a direction: what it says of when and how much, or else which part it is. */
interface Clause {
  readonly said: PhrasePart;
  readonly note?: NotePart;
  /** Only before anything that says how often. */
  readonly leading?: true;
}
const statement = alt(
  often,
  weekdays,
  exceptions,
  numberedWeekdays,
  monthDays,
  times,
  course,
  dose,
);
/** What reads several times and amounts as one. Its parts alone would contradict each other. */
const together = alt(weekly, uneven, severalTimes, cycle);
const clause: Parse<Clause> = once(
  alt(
    first(
      as(together, (said): Clause[] => [{ said }]),
      alt(
        as(statement, (said): Clause[] => [{ said }]),
        as(alt(leading, numbered), (said): Clause[] => [{ said, leading: true }]),
      ),
    ),
    as(note, (part) => [{ said: {}, note: part }]),
    as(begun, (part): Clause[] => [{ said: { begins: true }, note: part }]),
    as(alt(finish, fasting), ({ said, part }): Clause[] => [{ said, note: part }]),
  ),
);
const before = opt(mark('open'));
const behind = opt(alt(mark('comma', 'close'), seq(mark('close'), mark('comma'))));

/** Returns the clauses that begin at a place, with the signs around them. */
export function clausesAt(lattice: Lattice, from: number) {
  return before(lattice, from).flatMap(({ end: start }) =>
    clause(lattice, start).flatMap(({ value: { note: part, ...value }, end }) => {
      const text = lattice.parts.slice(start, end).join(' ');
      const { notes: within = [], ...said } = value.said;
      const notes: readonly Note[] = part ? [{ part, text }] : within;
      return behind(lattice, end)
        .filter((next) => next.end === end || next.end < lattice.parts.length || isClosed(lattice))
        .map((next) => ({ value: { ...value, said, notes }, end: next.end }));
    }),
  );
}

const isClosed = ({ parts }: Lattice) => parts[parts.length - 1] === ')';
