// Numbers with a full stop, and ordinals of a finger or a toe, are no days of a month.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from './shown.js';

const NAMES = ['Ramipril 5 mg', 'Metformin 1000 mg', 'Insulin 10 IE', 'Pantoprazol 40 mg'];
const OFTEN = ['morgens', 'abends', 'zur Nacht', 'nüchtern', 'täglich', 'monatlich', ''];
const NUMBERS = [1, 2, 5, 10, 12, 16, 20, 28];
const byMonth = (text: string) =>
  meaningsOf(text).filter((one) => one.kind === 'calendar' && one.monthDays !== undefined);

const wrongOf = (texts: readonly string[]) =>
  texts
    .filter((text) => byMonth(text).length > 0)
    .map((text) => `${text}: ${byMonth(text).map(shown)}`);

describe('A number with a full stop', () => {
  it('is that of a list, or a strength, and no day of a month', () => {
    const texts = NUMBERS.flatMap((number) =>
      OFTEN.flatMap((often) => [
        ...NAMES.map((name) => `${number}. ${name} ${often}`),
        `${number}. 1 Tablette ${often}`,
        `Candesartan ${number}. 1 Tbl. ${often}`,
        `die ${number}. Tablette ${often}`,
      ]),
    );
    expect(wrongOf(texts)).toStrictEqual([]);
  });

  it('is units where an E follows', () => {
    expect(wrongOf(NUMBERS.flatMap((number) => [`${number} E`, `${number} E.`]))).toStrictEqual([]);
  });

  it('is a day of the month behind its preposition', () => {
    for (const [text, days] of [
      ['1 Tablette am 15.', [15]],
      ['1 Tablette am 1. und 15.', [1, 15]],
      ['1 Tablette 1. und 15. des Monats', [1, 15]],
      ['1 comprimé le 1er', [1]],
      ['1 tablet monthly on the 15th', [15]],
      ['1 tablet monthly, 15th', [15]],
    ] as const)
      expect(meaningsOf(text), text).toMatchObject([{ monthDays: days }]);
  });
});

describe('An ordinal before a part of the body', () => {
  it('is no day of a month', () => {
    const texts = ['finger', 'toe', 'finger at night', 'toe daily', 'and 4th toe'].flatMap((body) =>
      ['1 g', 'apply', '1 application'].flatMap((dose) =>
        ['on the 3rd', 'on 2nd', 'to the 1st'].map((ordinal) => `${dose} ${ordinal} ${body}`),
      ),
    );
    expect(wrongOf(texts)).toStrictEqual([]);
  });
});
