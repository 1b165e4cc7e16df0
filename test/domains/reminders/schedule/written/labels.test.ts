// Directions of one kind each in several languages: what each of them can mean, and nothing else.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from '../words/shown.js';
import * as labels from './labels.js';

/** Asserts that each direction means what it should, in all that it can mean. */
function judge(directions: Iterable<labels.Labelled>): void {
  const wrong: string[] = [];
  let count = 0;
  for (const { text, means } of directions) {
    count++;
    const found = meaningsOf(text).map(shown).sort().join(' || ');
    const meant = [...means].sort().join(' || ');
    if (found !== meant) wrong.push(`${text}: ${found || 'nothing'}, not ${meant || 'nothing'}`);
  }
  expect(count).toBeGreaterThan(0);
  expect(wrong).toStrictEqual([]);
}

describe('Directions of a kind', () => {
  it('ask whether a number and a part behind a name are one number, or a strength and a part', () => {
    judge(labels.partsBehindNames());
  });

  it('have no more than four pieces and a part', () => {
    judge(labels.partsAlone());
  });

  it('ask whether a number behind a name is how many, or a strength', () => {
    judge(labels.numbersBehindNames());
  });

  it('mean both sides by the abbreviations of German, and say nothing of how often', () => {
    judge(labels.sides());
  });

  it('mean the right eye by od beside what goes into one', () => {
    judge(labels.rightEyes());
  });

  it('ask whether a meal is one of them or each, where nothing else says how often', () => {
    judge(labels.meals());
  });

  it('keep forms apart that are used otherwise', () => {
    judge(labels.formsApart());
  });

  it('say the volume of spoons where it is written', () => {
    judge(labels.spoons());
  });

  it('are one every so many hours where a slash parts them', () => {
    judge(labels.slashedHours());
  });
});
