// Directions that are made of their meanings, in six languages: none is understood as something
// else. npm test reads 2,000, `.ci/nightly` 100,000 (DIRECTIONS).
import { isDeepStrictEqual } from 'node:util';
import type { Meaning } from '../../../../../src/domains/reminders/schedule/words/meaning.js';
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from '../words/shown.js';
import { doubtful } from './doubtful.js';
import { ENGLISH } from './english.js';
import { ARABIC, FRENCH, GERMAN, PORTUGUESE, SPANISH } from './latin.js';
import { excepted, hourly, inGroups, inParts, inShortDays, ranged, weekly } from './portions.js';
import {
  type Language,
  type Parts,
  type Pick,
  phased,
  type Written,
  written,
} from './prescription.js';

const ALL = [ENGLISH, SPANISH, FRENCH, GERMAN, PORTUGUESE, ARABIC];
const COUNT = Number(process.env.DIRECTIONS ?? 2_000);
const SEED = Number(process.env.DIRECTIONS_SEED ?? 20_261_125);

/** Returns a choice that is the same for the same seed (mulberry32). */
function picking(seed: number): Pick {
  let state = seed >>> 0;
  return (from) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const part = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    return from[Math.floor(part * from.length)] as (typeof from)[number];
  };
}

/** Some directions of each language, in turn. */
function* directions(count: number, seed = SEED): Generator<Written> {
  const pick = picking(seed);
  for (let i = 0; i < count; i++) yield written(ALL[i % ALL.length] as Language, pick);
}

/** One letter makes another unit of these: nobody can tell. */
const UNITS = ['mg', 'g', 'gm', 'ml', 'ug', 'mcg', 'kg', 'ng', 'l', 'dl', 'cl', 'ملغ', 'مل', 'مجم'];
const OTHER_WORDS: ReadonlySet<string> = new Set(
  UNITS.flatMap((one) => UNITS.map((other) => `${one} > ${other}`)),
);

type Outcome = 'understood' | 'refused' | 'wrong';
/** Several meanings are a doubt, if the right one is among them. */
function outcomeOf(text: string, means: Meaning): Outcome {
  const found = meaningsOf(text);
  const isThere = found.some((one) => isDeepStrictEqual(one, means));
  if (found.length === 1) return isThere ? 'understood' : 'wrong';
  return found.length === 0 || isThere ? 'refused' : 'wrong';
}

const said = ({ text, means }: Omit<Written, 'parts' | 'order'>, found = meaningsOf(text)) =>
  `${text} | ${JSON.stringify(means)} | ${JSON.stringify(found)}`;
const render = ({ order }: Written, parts: Parts) =>
  order(parts)
    .replace(/ {2,}/g, ' ')
    .replace(/ ([,;])/g, '$1')
    .trim();

/**
 * Draws directions of each language in turn: none is understood as something else, and so large a
 * part of each language is understood.
 */
function judge(
  draw: (language: Language, pick: Pick) => Omit<Written, 'parts' | 'order'> | undefined,
  { seed, least, count = COUNT / 2 }: { seed: number; least: number; count?: number },
): void {
  const pick = picking(seed);
  const counts: Record<string, Record<Outcome, number>> = {};
  const wrong: string[] = [];
  for (let i = 0; i < count; i++) {
    const one = draw(ALL[i % ALL.length] as Language, pick);
    if (!one) continue;
    const outcome = outcomeOf(one.text, one.means);
    counts[one.language] ??= { understood: 0, refused: 0, wrong: 0 };
    (counts[one.language] as Record<Outcome, number>)[outcome]++;
    if (outcome === 'wrong' && wrong.length < 20) wrong.push(said(one));
    if (outcome === 'refused' && process.env.SHOW) console.log(said(one));
  }
  expect(wrong).toStrictEqual([]);
  for (const [language, { understood, refused }] of Object.entries(counts))
    expect(understood / (understood + refused), language).toBeGreaterThan(least);
}

describe('Directions as they are written', () => {
  it(`are never understood as something else, and most are understood: ${COUNT}`, () => {
    judge(written, { seed: SEED, count: COUNT, least: 0.9 });
  });

  it('one after the other are a course in phases, and never something else', () => {
    // Each of three phases may be the one with two meanings, such as 2 a day.
    judge(phased, { seed: SEED + 5, least: 0.85 });
  });

  it('of a range, by weekday, or of hours and then days are understood, and never otherwise', () => {
    // 1 to 2 tablets a day are times or amounts.
    judge(ranged, { seed: SEED + 6, least: 0.85 });
    // Behind a comma between excepted days another statement may begin: a doubt.
    judge(weekly, { seed: SEED + 7, least: 0.85 });
    judge(hourly, { seed: SEED + 8, least: 0.85 });
  });

  it('of amounts beside the short names of weekdays are one week of them', () => {
    // Di and Sa, Mi and Do are other days in another language: a doubt.
    judge(inShortDays, { seed: SEED + 10, least: 0.85 });
  });

  it('of two groups of weekdays that a semicolon parts are one week of them', () => {
    judge(inGroups, { seed: SEED + 13, least: 0.85 });
  });

  it('of the amount of a day in so many doses are a part of it each time', () => {
    judge(inParts, { seed: SEED + 14, least: 0.95 });
  });

  it('of excepted days with another amount mean it of all of them, if only among others', () => {
    const pick = picking(SEED + 11);
    for (let i = 0; i < COUNT / 4; i++) {
      const { text, means } = excepted(ALL[i % ALL.length] as Language, pick);
      const found = meaningsOf(text);
      expect(
        found.some((one) => isDeepStrictEqual(one, means)),
        text,
      ).toBe(true);
    }
  });

  it('that nobody can tell have no meaning, or several', () => {
    const pick = picking(SEED + 9);
    for (let i = 0; i < COUNT / 2; i++) {
      const text = doubtful(ALL[i % ALL.length] as Language, pick);
      expect(meaningsOf(text).map(shown), text).not.toHaveLength(1);
    }
  });

  it('mean the same with a route, advice or a course that changes nothing of when', () => {
    for (const one of directions(COUNT / 5, SEED + 1)) {
      if (outcomeOf(one.text, one.means) !== 'understood') continue;
      for (const part of ['route', 'note'] as const) {
        const text = render(one, { ...one.parts, [part]: '' });
        const found = meaningsOf(text);
        if (found.length === 1) expect(found, `${one.text} / ${text}`).toStrictEqual([one.means]);
      }
    }
  });

  it('mean the same with the short und of German', () => {
    for (const one of directions(COUNT, SEED + 12)) {
      if (one.language !== 'de' || !/ und /.test(one.text)) continue;
      const text = one.text.replaceAll(' und ', ' u. ');
      expect(meaningsOf(text), text).toStrictEqual(meaningsOf(one.text));
    }
  });

  it('mean twice the amount when its number is doubled', () => {
    for (const one of directions(COUNT / 5, SEED + 2)) {
      const number = Number(/^\d+(?= )/.exec(one.parts.amount)?.[0]);
      if (!number || number < 2) continue;
      const amount = one.parts.amount.replace(/^\d+/, `${2 * number}`);
      const means = { ...one.means, amount: { ...one.means.amount, value: `${2 * number}` } };
      const text = render(one, { ...one.parts, amount });
      expect(outcomeOf(text, means as Meaning), text).not.toBe('wrong');
    }
  });

  it('never mean the same when a number is gone, unless it stands there twice', () => {
    for (const one of directions(COUNT / 10, SEED + 3)) {
      for (const part of ['amount', 'often'] as const) {
        const words = one.parts[part].split(' ');
        const isTwice = words.some((word) => word.startsWith('('));
        for (const [i, word] of words.entries()) {
          // A single one is what stands there without a number: 1x täglich.
          if (
            isTwice ||
            !/[2-9\u0662-\u0669]/.test(word) ||
            / y | and | et | und | e /.test(one.parts[part])
          )
            continue;
          const rest = words.filter((_, k) => k !== i).join(' ');
          const text = render(one, { ...one.parts, [part]: rest });
          const found = meaningsOf(text);
          const same = found.length === 1 && isDeepStrictEqual(found[0], one.means);
          expect(same, `${one.text} / ${text}`).toBe(false);
        }
      }
    }
  });

  it('with one slip of a letter are understood as nothing else, but for one in five hundred that makes another word', () => {
    const pick = picking(SEED + 4);
    const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
    const others: string[] = [];
    let slips = 0;
    for (const one of directions(COUNT, SEED + 4)) {
      const text = one.text.toLowerCase();
      const place = pick([...text].map((_, i) => i));
      const letter = /[\u0600-\u06ff]/.test(text)
        ? pick([...'ابتثجحخدرزسصطعغفقكلمنهوي'])
        : pick(letters);
      const behind = text.slice(place + 1);
      const slip = pick([
        text.slice(0, place) + letter + text.slice(place),
        text.slice(0, place) + behind,
        text.slice(0, place) + letter + behind,
      ]);
      if (!/\p{L}/u.test(text[place] ?? '') || slip === text) continue;
      if (outcomeOf(one.text, one.means) !== 'understood') continue;
      slips++;
      const found = meaningsOf(slip);
      if (found.length !== 1 || isDeepStrictEqual(found[0], one.means)) continue;
      const [was, is] = [text, slip].map((each) => each.split(/[ ,.]+/));
      const changed = was?.findIndex((word, i) => word !== is?.[i]) ?? 0;
      const pair = `${was?.[changed]} > ${is?.[changed]}`;
      if (!OTHER_WORDS.has(pair)) others.push(`${text} / ${slip}`);
    }
    expect(slips).toBeGreaterThan(COUNT / 3);
    // A unit of one letter, qds for qd: what makes another word of prescriptions nobody can tell.
    expect(others.length / slips, others.join('\n')).toBeLessThan(0.002);
  });
});
