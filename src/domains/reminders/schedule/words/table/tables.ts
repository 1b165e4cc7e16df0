import { type Vocabulary, vocabularyOf } from '../vocabulary.js';
import { ARABIC } from './arabic.js';
import { ARABIC_NOTES } from './arabic-notes.js';
import { ENGLISH, ENGLISH_GLUED } from './english.js';
import { FINISHES } from './finishes.js';
import { FRENCH } from './french.js';
import { FRENCH_NOTES } from './french-notes.js';
import { GERMAN } from './german.js';
import { GERMAN_NOTES } from './german-notes.js';
import { MEDICINES } from './medicines.js';
import { PORTUGUESE } from './portuguese.js';
import { PORTUGUESE_NOTES } from './portuguese-notes.js';
import { BDS, OD, OD_OF_SWALLOWED, SHARED } from './shared.js';
import { SPANISH } from './spanish.js';
import { SPANISH_NOTES } from './spanish-notes.js';

/** The languages of phrases. A phrase is read in each of them, and never in two at once. */
export const VOCABULARIES: readonly Vocabulary[] = [
  vocabularyOf('en', [SHARED, OD, BDS, MEDICINES, ENGLISH, FINISHES.en], ENGLISH_GLUED.split(' ')),
  vocabularyOf('es', [
    SHARED,
    OD_OF_SWALLOWED,
    BDS,
    MEDICINES,
    SPANISH,
    SPANISH_NOTES,
    FINISHES.es,
  ]),
  vocabularyOf('fr', [SHARED, OD_OF_SWALLOWED, BDS, MEDICINES, FRENCH, FRENCH_NOTES, FINISHES.fr]),
  vocabularyOf('de', [SHARED, OD, MEDICINES, GERMAN, GERMAN_NOTES, FINISHES.de]),
  vocabularyOf('pt', [
    SHARED,
    OD_OF_SWALLOWED,
    BDS,
    MEDICINES,
    PORTUGUESE,
    PORTUGUESE_NOTES,
    FINISHES.pt,
  ]),
  vocabularyOf('ar', [SHARED, OD, BDS, MEDICINES, ARABIC, ARABIC_NOTES, FINISHES.ar]),
];
