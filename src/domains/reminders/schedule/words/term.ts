import type { Anchor, Relation, Unit } from './meaning.js';
import type { Said } from './said.js';

/** What one word, or a few words together, can be in a phrase, in any language. */
export type Term =
  /** 3, three. */
  | { readonly is: 'number'; readonly value: number }
  /** Once, twice: a number of times. */
  | { readonly is: 'count'; readonly value: number }
  /** First, 15th, last (-1). `digits`: it was written as a number. */
  | { readonly is: 'ordinal'; readonly value: number; readonly digits?: true }
  | { readonly is: 'unit'; readonly unit: Unit | 'hour' | 'minute' }
  | { readonly is: 'weekday'; readonly days: readonly number[] }
  | { readonly is: 'month'; readonly value: number }
  | { readonly is: 'clock'; readonly clock: string }
  | { readonly is: 'part'; readonly anchor: Anchor; readonly relation?: Relation }
  | { readonly is: 'meal'; readonly anchors: readonly Anchor[] }
  | { readonly is: 'relation'; readonly relation: Relation }
  /** An amount's unit, such as tablet. */
  | { readonly is: 'form'; readonly name: string }
  /** A whole statement. Several of them: the word has several meanings. */
  | { readonly is: 'says'; readonly said: readonly Said[] }
  | { readonly is: Mark };

/** Words that only join others. `lead` are articles and prepositions before a day or a time. */
export type Mark =
  | 'every'
  | 'other'
  | 'per'
  | 'times'
  | 'hourly'
  | 'q'
  | 'half'
  | 'at'
  | 'lead'
  | 'of'
  | 'and'
  | 'comma'
  | 'slash'
  | 'dash'
  | 'point'
  | 'to'
  | 'for'
  | 'doses'
  | 'until'
  | 'on'
  | 'off'
  | 'stop'
  | 'max'
  | 'take'
  | 'by'
  | 'in'
  | 'monthwise';

/** The words of one language: phrases by the term that they are, several for several. */
export type Table = readonly (readonly [Term, words: string])[];
