import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { FINISHES } from '../../../../../src/domains/reminders/schedule/words/table/finishes.js';

/** Three times a day, how it is said beside words of an end, and a week. */
const BESIDE = {
  en: ['3 times a day', 'for 7 days'],
  es: ['3 veces al día', 'por 7 días'],
  fr: ['3 fois par jour', 'pendant 7 jours'],
  de: ['3x täglich', 'für 7 Tage'],
  pt: ['3 vezes ao dia', 'por 7 dias'],
  ar: ['3 مرات يوميا', 'لمدة 7 أيام'],
} as const;
const ALL = Object.entries(BESIDE).flatMap(([language, beside]) =>
  FINISHES[language as keyof typeof BESIDE].flatMap(([, words]) =>
    words.split('|').map((finish) => ({ finish, beside })),
  ),
);
const daily = { kind: 'calendar', unit: 'day', every: 1, timesADay: 3 };

describe('Until finished', () => {
  it('is an end in each of its words', () => {
    expect(ALL.length).toBeGreaterThan(200);
    for (const { finish, beside } of ALL) {
      const text = `${beside[0]} ${finish}`;
      expect(meaningsOf(text), text).toStrictEqual([{ ...daily, bounds: { kind: 'supply' } }]);
    }
  });

  it('is advice beside a length', () => {
    const bounds = { kind: 'duration', unit: 'day', count: 7 };
    for (const { finish, beside } of ALL) {
      const text = `${beside[0]} ${beside[1]} ${finish}`;
      expect(meaningsOf(text), text).toStrictEqual([{ ...daily, bounds }]);
    }
  });

  it('says nothing alone', () => {
    for (const { finish } of ALL) expect(meaningsOf(finish), finish).toStrictEqual([]);
  });
});
