import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';

interface Mistake {
  readonly promise: string;
  readonly file: string;
  readonly right: string;
}

const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

describe('A mistake that .ci/mistakes.mjs seeds', () => {
  it('has one place in the compiled service', () => {
    const mistakes: Mistake[] = JSON.parse(textOf('.ci/mistakes.json'));
    const lost = mistakes.filter(
      ({ file, right }) => textOf(`dist-test/src/${file}.js`).split(right).length !== 2,
    );
    expect(lost.map(({ promise }) => promise)).toStrictEqual([]);
    expect(mistakes.length).toBeGreaterThanOrEqual(40);
  });
});
