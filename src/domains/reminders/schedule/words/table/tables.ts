import { type Vocabulary, vocabularyOf } from '../vocabulary.js';
import { ARABIC } from './arabic.js';
import { ENGLISH, ENGLISH_GLUED } from './english.js';
import { FINISHES } from './finishes.js';
import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import { PORTUGUESE } from './portuguese.js';
import { SHARED } from './shared.js';
import { SPANISH } from './spanish.js';

/** The languages of phrases. A phrase is read in each of them, and never in two at once. */
export const VOCABULARIES: readonly Vocabulary[] = [
  vocabularyOf('en', [SHARED, ENGLISH, FINISHES.en], ENGLISH_GLUED.split(' ')),
  vocabularyOf('es', [SHARED, SPANISH, FINISHES.es]),
  vocabularyOf('fr', [SHARED, FRENCH, FINISHES.fr]),
  vocabularyOf('de', [SHARED, GERMAN, FINISHES.de]),
  vocabularyOf('pt', [SHARED, PORTUGUESE, FINISHES.pt]),
  vocabularyOf('ar', [SHARED, ARABIC, FINISHES.ar]),
];
