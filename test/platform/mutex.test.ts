import { Turns } from '../../src/platform/mutex.js';

describe('Turns', () => {
  it('come one after the other under one key, also after one that failed, and do not wait for other keys', async () => {
    const turns = new Turns<string>();
    const said: string[] = [];
    const done = new Map<string, () => void>();
    const work = (name: string) => () => {
      said.push(name);
      return new Promise<string>((resolve, reject) =>
        done.set(name, () => (name === 'b' ? reject(new Error(name)) : resolve(name))),
      );
    };
    const end = async (name: string) => {
      done.get(name)?.();
      await new Promise(setImmediate);
    };
    const [a, b, c, other] = [
      turns.take('x', work('a')),
      turns.take('x', work('b')),
      turns.take('x', work('c')),
      turns.take('y', work('other')),
    ];
    await new Promise(setImmediate);
    expect(said).toStrictEqual(['a', 'other']);
    expect(['x', 'y', 'z'].map((key) => turns.waiting(key))).toStrictEqual([2, 0, 0]);
    await end('a');
    expect(said).toStrictEqual(['a', 'other', 'b']);
    const failed = expect(b).rejects.toThrow(/b/);
    await end('b');
    await end('c');
    await end('other');
    await failed;
    expect(await Promise.all([a, c, other])).toStrictEqual(['a', 'c', 'other']);
    expect(said).toStrictEqual(['a', 'other', 'b', 'c']);
  });
});
