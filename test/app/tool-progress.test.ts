import { progressOf } from '../../src/app/tools/progress.js';

/** Shows progress, and returns the lines that were said, and what was written to the terminal. */
function shown(isTTY: boolean, steps: readonly [string, number, number][], columns = 80) {
  const said: string[] = [];
  let written = '';
  const terminal = { isTTY, columns, write: (text: string) => (written += text) };
  const progress = progressOf((line) => said.push(line), terminal);
  for (const step of steps) progress.step(...step);
  progress.end();
  return { said, written };
}

/** What a terminal shows of a text: what is written over is gone. */
const screenOf = (written: string) =>
  written.split('\n').map((line) => line.split('\r').at(-1)?.replace('\u001b[K', ''));

describe('The progress of an import or export', () => {
  it('is a bar for each kind on a terminal, drawn over itself, which stays', () => {
    const { said, written } = shown(true, [
      ['accounts', 5, 10],
      ['accounts', 6, 10],
      ['accounts', 10, 10],
      ['posts', 1, 3],
    ]);
    expect(said).toStrictEqual([]);
    expect(screenOf(written)).toStrictEqual([
      `${'#'.repeat(30)} 100 %  accounts: 10 of 10`,
      `${'#'.repeat(10)}${'.'.repeat(20)}  33 %  posts: 1 of 3`,
      '',
    ]);
  });

  it('keeps the bar of a kind of which fewer rows came than were counted', () => {
    const { written } = shown(true, [
      ['posts', 1, 2],
      ['terms', 2, 2],
    ]);
    expect(screenOf(written)).toStrictEqual([
      `${'#'.repeat(15)}${'.'.repeat(15)}  50 %  posts: 1 of 2`,
      `${'#'.repeat(30)} 100 %  terms: 2 of 2`,
      '',
    ]);
  });

  it('fits the terminal', () => {
    const { written } = shown(true, [['terms', 2, 2]], 20);
    expect(screenOf(written)).toStrictEqual(['#'.repeat(19), '']);
    const { written: sizeless } = shown(true, [['terms', 2, 2]], 0);
    expect(screenOf(sizeless)).toStrictEqual([`${'#'.repeat(30)} 100 %  terms: 2 of 2`, '']);
  });

  it('is a line for each kind that is done elsewhere', () => {
    const { said, written } = shown(false, [
      ['accounts', 5, 10],
      ['accounts', 10, 10],
    ]);
    expect([said, written]).toStrictEqual([['accounts: 10 of 10'], '']);
  });
});
