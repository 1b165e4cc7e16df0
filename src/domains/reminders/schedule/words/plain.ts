import { asciiDigits } from '../../../../platform/digits.js';

/** Spaces of any width within a line. Characters without width do not belong to them. */
const SPACES = /[\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000_]+/g;
/** Letters of the Latin languages, composed or with a combining mark, and of Arabic. */
const LETTERS =
  'A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff\u0152\u0153\u0300-\u0308\u0327\u00b5\u03bc';
const ARABIC = '\u0621-\u063a\u0640-\u0652';
const SIGNS = " 0-9.,;:/()&+@×°'’،؛٫٬%½¼¾<>#\u2010\u2011\u2013\u2014-";
const KNOWN = new RegExp(`^[${LETTERS}${ARABIC}${SIGNS}]*$`);
/** Digits of full width come from recognition of characters, which takes letters for digits. */
const WIDE = /[\uff10-\uff19]/;
/** The accent tells a French capsule from a gel. */
const GELULE = /(?<![A-Za-z\u00c0-\u00ff])g[é\u00c9]l(?![A-Za-z\u00c0-\u00ff])/gi;
/** Letters apart by dots: b.i.d., a.m. */
const DOTTED = /(?<![a-z])([a-z](?:\.[a-z]){1,4})\.?(?![a-z])/g;
/** Each night, in Latin. Without its dots it is an English preposition. */
const OMNI_NOCTE = /(?<![a-z.])o\. ?n\.?(?![a-z])/g;
/** The plural that a form offers: tablet(s). */
const PLURAL = /(?<=[a-z])\((?:s|es)\)/g;
/** Q.6.h.: a dot behind each. */
const DOTTED_HOURS = /(?<![a-z.\d])q\. ?(\d{1,2})\. ?h(?:\.|(?![a-z\d]))/g;
/** An hour, and no amount: 10 o'clock. */
const O_CLOCK = /(?<![a-z\d:.])(at )?(\d{1,2}(?:[:.]\d\d)?) ?o'clock/g;
/** Which part of a message it is: Sig: 1 bd. */
const TITLE = /^(?:(?:sig|s): ?|t\. )/;
/** A dot that ends an abbreviation or the phrase. */
const FULL_STOP = /(?<=[a-z\u0621-\u064a])\.(?=[ ,;:/()]|[-–][a-z]|$)|(?<=:\d\d|\/\d{1,2}|\))\.$/g;
/** 8 u. 20 Uhr: the dot tells a German and from units, which have none in German. */
const UND = /(?<![a-z])u\.(?= ?[a-z\d])/g;
/** What only stresses what was said: 1 bd! */
const STRESS = /(?<=[\p{L}\d.)])(?: ?!)+$/u;
/** A las 8:00 horas: the sign says already that it is an hour. What lasts or comes each 4:30 hours is none. */
const CLOCK_UNIT =
  /(?<=(?:^|[ ,;])(?:a las|as|at|um|a|y|e|et|und|and)[ ,;])(\d{1,2}:\d\d) ?(?:horas?|hrs?|hs|h|heures?|std|stunden)(?![a-z\d])/g;
/** Words written together, each with its capital: TuThSa, EveryOtherDay. */
const HUMPS = /(?<![A-Za-z])(?:[A-Z][a-z]{1,15}){2,8}(?![A-Za-z])/g;

/** Maximum length of a phrase, in characters without spaces at its ends. */
export const LONGEST_PHRASE = 1_000;

/**
 * Returns a phrase in one spelling: lower case without accents, digits as 0 to 9, Arabic without
 * marks, single spaces, one kind of hyphen and of dash, abbreviations without dots. Undefined for a
 * phrase longer than LONGEST_PHRASE, and when a character has no place in a direction, such as `?`,
 * `~`, a superscript, a letter that only looks like one of these alphabets, or two scripts within
 * one number.
 */
export function plain(text: string): string | undefined {
  if (text.trim().length > LONGEST_PHRASE || WIDE.test(text)) return undefined;
  const spaced = asciiDigits(text)?.replace(SPACES, ' ').replace(/^ | $/g, '').replace(STRESS, '');
  if (spaced === undefined || !KNOWN.test(spaced)) return undefined;
  const composed = spaced.normalize('NFC');
  if (/[\u0300-\u036f]/.test(composed)) return undefined;
  return folded(composed.replace(HUMPS, apart).replace(GELULE, 'gelule'))
    .replace(PLURAL, '')
    .replace(TITLE, '')
    .replace(DOTTED_HOURS, 'q$1h')
    .replace(O_CLOCK, 'at $2')
    .replace(CLOCK_UNIT, '$1')
    .replace(OMNI_NOCTE, 'omni nocte')
    .replace(DOTTED, (letters) => letters.replaceAll('.', ''))
    .replace(UND, 'u .')
    .replace(FULL_STOP, '');
}

const apart = (word: string) => word.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** Returns the spelling in which words are compared: see `plain`. The tables are written freely. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replace(/[\u00b5\u03bc]/g, 'u')
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u0640\u064b-\u0655]/g, '')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه')
    .replaceAll('×', 'x')
    .replaceAll('،', ',')
    .replaceAll('؛', ';')
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
    .replaceAll('’', "'")
    .replace(/[\u2010\u2011]/g, '-')
    .replace(/[\u2013\u2014]/g, '–');
