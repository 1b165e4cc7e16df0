import { trimmedEnd } from '../../../../platform/trim.js';

/** The parts that a plain text is made of: words, numbers as they are written, clocks, signs. */
const CLOCK = String.raw`\d{1,2}(?::|h)\d\d(?!\d|:\d)`;
const NUMBER = String.raw`\d+(?:[.,]\d+)*[½¼¾]?|[½¼¾]|(?<![^ ,(])\.\d+`;
const WORD = String.raw`[a-z\u00aa\u00ba\u0621-\u064a]+`;
const PIECE = new RegExp(`${CLOCK}|${NUMBER}|${WORD}|[^ ]`, 'g');

/** Returns the pieces of a plain text. Spaces only part them. */
export const pieces = (text: string): readonly string[] => text.match(PIECE) ?? [];

/** A piece, and whether a word and a number stand there without a space: 8h, 2once. */
export interface Piece {
  readonly text: string;
  readonly joined: boolean;
}

const LETTER = /^[a-z\u0621-\u064a]/;
const DIGIT = /[\d½¼¾]/;

/** Returns the pieces of a plain text with how they are joined. */
export const lexed = (text: string): readonly Piece[] =>
  [...text.matchAll(PIECE)].map(({ 0: piece, index }) => ({
    text: piece,
    joined:
      (isNumber(piece) && LETTER.test(text[index - 1] ?? '')) ||
      (LETTER.test(piece) && DIGIT.test(text[index - 1] ?? '')),
  }));

export const isNumber = (piece = ''): boolean => /^(?:[\d½¼¾]|\.\d)/.test(piece) && !isClock(piece);
const isClock = (piece: string) => /^\d{1,2}[:h]\d\d$/.test(piece);

/** How a language writes decimals. */
export type DecimalSign = '.' | ',';

/** Most digits of a number. More are no amount and no frequency. */
const MOST_DIGITS = 9;
const PARTS: Readonly<Record<string, string>> = { '½': '5', '¼': '25', '¾': '75' };
/** Fractions that have an exact decimal. */
const FRACTIONS: Readonly<Record<string, string>> = {
  '1/2': '0.5',
  '1/4': '0.25',
  '3/4': '0.75',
  '1/8': '0.125',
};

/** A number that stands at a place: its exact decimal, and how many pieces it has. */
export interface NumberPiece {
  /** 0.05, 1500: a digit before the point, no zeros at the end, no sign. */
  readonly value: string;
  readonly length: number;
  /** Written with zeros before it, as in a date: never an amount. */
  readonly padded?: true;
  /** Written with more than digits: never a count. */
  readonly marked?: true;
  /** Its thousands are parted by spaces. */
  readonly grouped?: true;
  /** Its mark parts thousands in one language and decimals in another: 1,500. */
  readonly either?: true;
  /** A whole number with a part behind it: 1 1/2, 5½. */
  readonly mixed?: true;
}

const MIXED = { marked: true, mixed: true } as const;

/**
 * Returns all numbers that may stand at a place. A mark that parts thousands in one language and
 * decimals in another has both values: "1,500" where the comma is the decimal sign.
 */
export function numbersAt(
  parts: readonly string[],
  at: number,
  sign: DecimalSign,
): readonly NumberPiece[] {
  const [piece = '', second = '', third = '', fourth = ''] = parts.slice(at, at + 4);
  if (!isNumber(piece) || piece.replace(/\D/g, '').length > MOST_DIGITS) return [];
  const fraction = FRACTIONS[`${piece}${second}${third}`];
  const mixed = /^\d{1,2}$/.test(piece) ? FRACTIONS[`${second}${third}${fourth}`] : undefined;
  const part = /^\d{1,2}$/.test(piece) ? PARTS[second] : undefined;
  if (part) return [{ value: `${whole(piece)}.${part}`, length: 2, ...MIXED }];
  return [
    ...(fraction ? [{ value: fraction, length: 3, marked: true as const }] : []),
    ...(mixed ? [{ value: `${whole(piece)}${mixed.slice(1)}`, length: 4, ...MIXED }] : []),
    ...spaced(parts, at),
    ...valuesOf(piece, sign).map((value) => ({
      value,
      length: 1,
      ...(/^0\d/.test(piece) && { padded: true as const }),
      ...(/\D/.test(piece) && { marked: true as const }),
      ...(EITHER.test(piece) && { either: true as const }),
      ...(/\d[½¼¾]$/.test(piece) && { mixed: true as const }),
    })),
  ];
}

/** 10 000: thousands parted by spaces. 2 500 may also be 2 of 500, so that both are there. */
function spaced(parts: readonly string[], at: number): NumberPiece[] {
  if (!/^[1-9]\d{0,2}$/.test(parts[at] ?? '')) return [];
  let end = at + 1;
  while (/^\d{3}$/.test(parts[end] ?? '') && end < at + 3) end++;
  const value = parts.slice(at, end).join('');
  return end > at + 1 ? [{ value, length: end - at, marked: true, grouped: true }] : [];
}

/** What has another value in a language with the other decimal sign. */
const EITHER = /^[1-9]\d{0,2}[.,]\d{3}$/;
const GROUPED = { '.': /^[1-9]\d{0,2}(?:\.\d{3})+$/, ',': /^[1-9]\d{0,2}(?:,\d{3})+$/ };

export function valuesOf(piece: string, sign: DecimalSign): readonly string[] {
  if (piece.endsWith('½') || piece.endsWith('¼') || piece.endsWith('¾')) {
    const rest = piece.slice(0, -1);
    return /^(?:[1-9]\d*)?$/.test(rest) ? [`${whole(rest)}.${PARTS[piece.slice(-1)]}`] : [];
  }
  if (/^\d+$/.test(piece)) return [whole(piece)];
  const other = sign === '.' ? ',' : '.';
  const grouped = GROUPED[other].test(piece) ? [piece.replaceAll(other, '')] : [];
  // Whoever writes with a decimal comma may mean thousands by one too, as in English.
  const doubtful = sign === ',' && GROUPED[sign].test(piece) ? [piece.replaceAll(sign, '')] : [];
  const [before = '', after = '', ...more] = piece.split(/[.,]/);
  if (more.length > 0) return [...grouped, ...doubtful];
  const english = sign === '.' && piece.includes(',');
  const decimal = english && grouped.length > 0 ? [] : [decimalOf(before, after)];
  return [...new Set([...grouped, ...doubtful, ...decimal])];
}

export const whole = (digits: string) => digits.replace(/^0+(?=\d)/, '') || '0';

/** Returns the exact decimal of the digits before a mark and behind it. */
export function decimalOf(before: string, after: string): string {
  const kept = trimmedEnd(after, '0');
  return kept === '' ? whole(before) : `${whole(before)}.${kept}`;
}

/** The halves of the day; `whole` is the 24-hour clock. */
const HALVES = new Map<string, 'am' | 'pm' | 'whole'>([
  ['am', 'am'],
  ['pm', 'pm'],
  ['uhr', 'whole'],
]);

const HOURS = new Set(['h', 'hrs', 'hours']);

/** A clock time that stands at a place. */
export interface ClockPiece {
  readonly clock: string;
  readonly length: number;
  /** Whether its word counts for hours before it too: 8 and 20 o'clock. */
  readonly hours?: true;
  /** Whether its half of the day was written: 8 pm. */
  readonly exact?: true;
}

/**
 * Returns the clock time at a place: 8:30, 8h30, 8 pm, 8.30 am, 20 Uhr, 0800. Null for what is
 * written as one and is none, such as 25:00. Undefined where no clock time stands. `military`: a
 * text that writes 0800 also writes 2000.
 */
export function clockAt(
  parts: readonly string[],
  at: number,
  military: boolean,
): ClockPiece | null | undefined {
  const [piece = '', half = ''] = parts.slice(at, at + 2);
  const [, hour = '', minute = '00'] = /^(\d{1,2})(?:[:h.](\d\d))?$/.exec(piece) ?? [];
  const named = HALVES.get(half);
  if (hour && named) return made(hour, minute, named, 2);
  if (isClock(piece)) return made(hour, minute, undefined, 1);
  if (isDotted(parts, at)) return made(piece.slice(0, 2), piece.slice(3), undefined, 1);
  const [, first = '', second = ''] = /^(\d\d)(\d\d)$/.exec(piece) ?? [];
  if (!first || !(military || parts[at - 1] === 'at' || parts[at - 1] === '@')) return undefined;
  return made(first, second, undefined, HOURS.has(half) ? 2 : 1) ?? undefined;
}

/** At 22.00, at 08.00 and 20.00: a clock time with a dot, behind at or behind another one. */
const isDotted = (parts: readonly string[], at: number): boolean =>
  /^\d\d\.\d\d$/.test(parts[at] ?? '') &&
  (/^(?:at|@)$/.test(parts[at - 1] ?? '') ||
    (/^(?:and|&|,)$/.test(parts[at - 1] ?? '') && isDotted(parts, at - 2)));

function made(
  hour: string,
  minute: string,
  half: 'am' | 'pm' | 'whole' | undefined,
  length: number,
): ClockPiece | null {
  const at = whole(hour);
  const twelve = half === 'am' || half === 'pm';
  const inRange = twelve ? /^(?:[1-9]|1[0-2])$/.test(at) : /^(?:1?\d|2[0-3])$/.test(at);
  if (!inRange || minute > '59') return null;
  const hours = ['12', ...Array.from({ length: 11 }, (_, i) => String(i + 1))];
  const shown = twelve ? String(hours.indexOf(at) + (half === 'pm' ? 12 : 0)) : at;
  return {
    clock: `${shown.padStart(2, '0')}:${minute}`,
    length,
    ...(half === 'whole' && { hours: true as const }),
    ...(twelve && { exact: true as const }),
  };
}

/** Returns the date YYYY-MM-DD that a piece like 25.12.2026 says; undefined for another piece. */
export function dateAt(piece: string): string | undefined {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(piece) ?? [];
  return year && `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
