import { type Vocabulary, vocabularyOf } from '../vocabulary.js';
import { ARABIC } from './arabic.js';
import { ENGLISH, ENGLISH_GLUED } from './english.js';
import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import { PORTUGUESE } from './portuguese.js';
import { SHARED } from './shared.js';
import { SPANISH } from './spanish.js';

/** The languages of phrases. A phrase is read in each of them, and never in two at once. */
export const VOCABULARIES: readonly Vocabulary[] = [
  vocabularyOf([SHARED, ENGLISH], ENGLISH_GLUED.split(' ')),
  ...[SPANISH, FRENCH, GERMAN, PORTUGUESE, ARABIC].map((table) =>
    vocabularyOf([SHARED, table], []),
  ),
];
