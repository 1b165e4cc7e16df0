import { Generations } from '../../src/platform/generations.js';

describe('A map of two generations', () => {
  const weightOf = (_key: string, { length }: string) => length;

  it('keeps what is used, and forgets what was not used for half of its weight', () => {
    const kept = new Generations<string>(100, weightOf);
    kept.set('used', 'xxxxx');
    kept.set('left', 'xxxxx');
    for (let i = 0; i < 50; i++) {
      kept.set(`other ${i}`, 'xxxxx');
      expect(kept.get('used')).toBe('xxxxx');
    }
    expect(kept.get('left')).toBeUndefined();
    expect(kept.get('other 49')).toBe('xxxxx');
  });

  it('never holds more than its weight', () => {
    const kept = new Generations<string>(100, weightOf);
    for (let i = 0; i < 1_000; i++) kept.set(`${i}`, 'x'.repeat(i % 17));
    const held = Array.from({ length: 1_000 }, (_, i) => i)
      .reverse()
      .reduce((sum, i) => sum + (kept.get(`${i}`)?.length ?? 0), 0);
    expect(held).toBeGreaterThan(40);
    expect(held).toBeLessThanOrEqual(116);
  });

  it('replaces a value', () => {
    const kept = new Generations<string>(100, weightOf);
    kept.set('a', 'one');
    kept.set('a', 'two');
    expect(kept.get('a')).toBe('two');
  });
});
