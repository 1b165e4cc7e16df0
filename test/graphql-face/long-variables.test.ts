import { buildSchema, type OperationDefinitionNode, parse } from 'graphql';
import { coerced } from '../../src/graphql/document-variables.js';
import { cpuOf } from '../support/cpu.js';

const SCHEMA = buildSchema('input Given { a: Int } type Query { give(given: Given): Int }');
const [OPERATION] = parse('query($given: Given) { give(given: $given) }').definitions;
const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
const mistakesOf = (given: object) => {
  const answer = coerced(SCHEMA, OPERATION as OperationDefinitionNode, { given });
  return 'errors' in answer ? answer.errors : [];
};

describe('Mistakes in variables', () => {
  it('are all told of short variables', () => {
    expect(mistakesOf(unknown(30))).toHaveLength(30);
  });

  it('are few, with fifty places, of long variables', () => {
    for (const given of [unknown(8_000), { ...unknown(200), text: 'x'.repeat(100_000) }]) {
      const mistakes = mistakesOf(given);
      expect(mistakes.length).toBeLessThan(5);
      expect(mistakes[0]?.extensions.problems).toHaveLength(50);
    }
  });

  it('take little time, however long the variables are', () => {
    // The least of some runs: what compiles or collects beside one of them is not counted.
    const runs = Array.from({ length: 6 }, () => cpuOf(() => mistakesOf(unknown(8_000))));
    expect(Math.min(...runs)).toBeLessThan(100);
  });
});
