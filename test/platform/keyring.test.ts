import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Keyring } from '../../src/platform/keyring.js';

const [OLD, NEW] = ['o'.repeat(40), 'n'.repeat(40)];

describe('The keyring', () => {
  const keys = new Keyring(OLD);

  it('opens what it sealed, and seals the same text differently each time', () => {
    for (const text of ['', 'x', 'ünïcode 💊', 'x'.repeat(10_000)]) assert.equal(keys.open('a', keys.seal('a', text)), text);
    assert.notEqual(keys.seal('a', 'x'), keys.seal('a', 'x'));
  });

  it('opens after a change of key what the key before sealed, and not after another', () => {
    const sealed = keys.seal('a', 'secret');
    assert.equal(new Keyring(NEW, OLD).open('a', sealed), 'secret');
    assert.equal(new Keyring(NEW).open('a', sealed), undefined);
  });

  it('opens nothing for another purpose, and nothing that was altered', () => {
    const sealed = keys.seal('a', 'secret');
    assert.equal(keys.open('b', sealed), undefined);
    for (let i = 0; i < sealed.length - 1; i++) {
      const altered = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
      assert.equal(keys.open('a', altered), undefined, `character ${i}`);
    }
    for (const nothing of ['', 'x', '💊', 'A'.repeat(37)]) assert.equal(keys.open('a', nothing), undefined);
  });

  it('gives each purpose, text and key its own code', () => {
    const codes = [keys.mac('a', 'x'), keys.mac('b', 'x'), keys.mac('a', 'y'), new Keyring(NEW, OLD).mac('a', 'x')];
    assert.equal(new Set(codes.map((code) => code.toString('hex'))).size, 4);
    assert.deepEqual(keys.mac('a', 'x'), new Keyring(OLD, NEW).mac('a', 'x'));
  });
});
