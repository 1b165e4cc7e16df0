import fc from 'fast-check';
import { Tally } from '../../src/platform/tally.js';

test('a tally counts each name by itself, whatever it has forgotten meanwhile', () => {
  const moves = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.constantFrom(1, -1)), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(moves, fc.integer({ min: 0, max: 3_000 }), (moved, passing) => {
      const tally = new Tally();
      const counts = new Map<string, number>();
      moved.forEach(([name, by], i) => {
        if (i === moved.length >> 1) comeAndGo(tally, passing);
        const before = counts.get(`${name}`) ?? 0;
        if (before + by < 0) return;
        counts.set(`${name}`, before + by);
        tally.add(`${name}`, by as 1 | -1);
      });
      for (const [name, count] of counts) expect(tally.of(name)).toBe(count);
      expect(tally.of('never named')).toBe(0);
    }),
    { numRuns: 200 },
  );
});

/** Counts names up and down again. */
function comeAndGo(tally: Tally, names: number): void {
  for (let i = 0; i < names; i++) {
    tally.add(`passing ${i}`, 1);
    tally.add(`passing ${i}`, -1);
  }
}
