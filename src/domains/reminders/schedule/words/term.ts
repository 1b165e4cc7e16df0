import type { Anchor, Relation, Unit } from './meaning.js';
import type { Amount, NotePart, PhrasePart } from './said.js';

/** What one word, or a few words together, can be in a direction, in any language. */
export type Term =
  /**
   * 3, three, 0.05: an exact decimal. `padded`: written with zeros before it; `marked`: with
   * signs; `grouped`: its thousands with spaces; `either`: a mark in it may part thousands or
   * decimals; `spelt`: as a word; `mixed`: a whole number with a part behind it, 1 1/2.
   */
  | {
      readonly is: 'number';
      readonly value: string;
      readonly padded?: true;
      readonly marked?: true;
      readonly grouped?: true;
      readonly either?: true;
      readonly spelt?: true;
      readonly mixed?: true;
    }
  /** Once, twice: a number of times. */
  | { readonly is: 'count'; readonly value: number }
  /**
   * First, 15th, last (-1). `digits`: it was written as a number; `unsure`: alone it may be a number
   * and its unit, or the end of a sentence, as in 12 E, 15.
   */
  | {
      readonly is: 'ordinal';
      readonly value: number;
      readonly digits?: true;
      readonly unsure?: true;
    }
  /**
   * `brief`: one letter, which only a number behind q or every has; `plural`: alone it has lost its
   * number.
   */
  | {
      readonly is: 'unit';
      readonly unit: Unit | 'hour' | 'minute';
      readonly brief?: true;
      readonly plural?: true;
    }
  /** `brief`: alone it may be another word, such as one of two letters; `number`: a number. */
  | {
      readonly is: 'weekday';
      readonly days: readonly number[];
      readonly brief?: true;
      readonly number?: true;
    }
  | { readonly is: 'month'; readonly value: number }
  /**
   * `hours`: the hours before it in a list are by the same clock; `exact`: its half of the day was
   * written.
   */
  | {
      readonly is: 'clock';
      readonly clock: string;
      readonly hours?: true;
      readonly exact?: true;
    }
  /** YYYY-MM-DD, as it was written; perhaps no date of the calendar. */
  | { readonly is: 'date'; readonly date: string }
  /**
   * `latin`: hs, which behind a number or every are hours; `tomorrow`: mañana, which is a part of
   * the day only beside another one.
   */
  | {
      readonly is: 'part';
      readonly anchor: Anchor;
      readonly relation?: Relation;
      readonly latin?: true;
      readonly tomorrow?: true;
    }
  /** `single`: of all meals, in the singular: each of them behind every, else perhaps one. */
  | { readonly is: 'meal'; readonly anchors: readonly Anchor[]; readonly single?: true }
  | { readonly is: 'relation'; readonly relation: Relation }
  /** An amount's unit, such as tablet or mg. `one`: alone it is one of them, as in Arabic. */
  | { readonly is: 'form'; readonly name: string; readonly one?: true }
  /** A form with its number in one word: the dual of Arabic. */
  | { readonly is: 'amount'; readonly amount: Amount }
  /** A whole statement. Several of them: the word has several meanings. */
  | {
      readonly is: 'says';
      readonly said: readonly PhrasePart[];
      readonly latin?: true;
      /** Only of what is swallowed: od is an eye in these languages. */
      readonly swallowed?: true;
    }
  /** What does not change when it rings. */
  | {
      readonly is: 'note';
      readonly part: NotePart;
      /** The name of a medicine, rather than what it is made into: cream. */
      readonly named?: true;
      /** An eye by its abbreviation. */
      readonly eye?: true;
      /** What may go into an eye: an ointment. */
      readonly eyes?: true;
      /** Until finished: advice beside a length, else an end. */
      readonly finish?: true;
      /** Until gone: what is at hand, or what is treated. */
      readonly gone?: true;
      /** Before the first meal: advice beside a time, else the time. */
      readonly fasting?: true;
    }
  /** `plural`: it has a plural behind it, and none that lost its number: todos los días. */
  | { readonly is: 'every'; readonly plural?: true }
  | { readonly is: Mark };

/** Words that only join others. `lead` are articles and prepositions before a day or a time. */
export type Mark =
  | 'other'
  | 'per'
  | 'times'
  | 'x'
  | 'hourly'
  | 'q'
  | 'half'
  | 'at'
  | 'lead'
  | 'of'
  | 'and'
  | 'comma'
  | 'open'
  | 'close'
  | 'slash'
  | 'dash'
  | 'point'
  | 'to'
  | 'or'
  | 'for'
  | 'doses'
  | 'divided'
  | 'inTwo'
  | 'inAll'
  | 'eachHours'
  | 'until'
  | 'on'
  | 'off'
  | 'stop'
  | 'today'
  | 'then'
  | 'break'
  | 'cycle'
  | 'except'
  | 'otherDays'
  | 'max'
  | 'take'
  | 'by'
  | 'in'
  | 'sleep'
  | 'each'
  | 'another'
  | 'monthwise'
  | 'from'
  | 'plus'
  | 'nights'
  | 'outOf'
  | 'repeat'
  | 'percent'
  | 'side'
  | 'quality'
  | 'spaced'
  | 'spacedBy'
  | 'dayParts'
  | 'body'
  | 'onto'
  | 'symptom'
  | 'aspect'
  | 'purpose'
  | 'incase'
  | 'incaseOrFor'
  | 'mixed'
  | 'vessel'
  | 'liquid'
  | 'particle'
  | 'begin'
  | 'least'
  | 'further'
  | 'onward'
  | 'person'
  | 'supply'
  | 'refills'
  | 'review'
  | 'beyond'
  | 'degree'
  | 'not';

/** The words of one language: phrases by the term that they are, several for several. */
export type Table = readonly (readonly [Term, words: string])[];
