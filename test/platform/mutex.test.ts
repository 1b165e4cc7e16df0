import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
    assert.deepEqual(said, ['a', 'other']);
    await end('a');
    assert.deepEqual(said, ['a', 'other', 'b']);
    const failed = assert.rejects(b, /b/);
    await end('b');
    await end('c');
    await end('other');
    await failed;
    assert.deepEqual(await Promise.all([a, c, other]), ['a', 'c', 'other']);
    assert.deepEqual(said, ['a', 'other', 'b', 'c']);
  });
});
