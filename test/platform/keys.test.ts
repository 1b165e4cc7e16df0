import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decrypt, encrypt, Keys } from '../../src/platform/keys.js';

const [old, current] = ['o'.repeat(40), 'c'.repeat(40)];

describe('Keys', () => {
  it('are another one for each purpose and secret, with names that tell them apart', () => {
    const keys = [new Keys(old), new Keys(current)].flatMap((made) =>
      ['a', 'b'].map((purpose) => made.current(purpose)),
    );
    assert.equal(new Set(keys.map(({ bytes }) => bytes.toString('hex'))).size, 4);
    assert.equal(new Set(keys.map(({ id }) => id)).size, 4);
  });

  it('of before are found by their names while SECRET_KEY_PREVIOUS is given, and not used for anything new', () => {
    const { id } = new Keys(old).current('a');
    const both = new Keys(current, { previous: old });
    assert.equal(both.current('a').id, new Keys(current).current('a').id);
    assert.deepEqual(both.named('a', id)?.bytes, new Keys(old).current('a').bytes);
    assert.equal(new Keys(current).named('a', id), undefined);
    assert.equal(both.previous('a')?.id, id);
  });

  it('of which one comes next replace none, also where the present one is given twice', () => {
    const next = 'n'.repeat(40);
    assert.equal(new Keys(current, { next }).previous('a'), undefined);
    assert.equal(new Keys(current, { previous: current, next }).previous('a'), undefined);
  });

  it('read what they encrypted, and nothing that was changed, moved or encrypted by another', () => {
    const { bytes } = new Keys(current).current('a');
    const property = fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, place) => {
      const encrypted = encrypt(bytes, text, 'about me');
      assert.equal(decrypt(bytes, encrypted, 'about me')?.toString(), text);
      assert.equal(decrypt(bytes, encrypted, 'about you'), undefined);
      assert.equal(decrypt(new Keys(old).current('a').bytes, encrypted, 'about me'), undefined);
      const changed = Buffer.from(encrypted, 'base64url');
      changed[place % changed.length] = (changed[place % changed.length] ?? 0) ^ 1;
      assert.equal(decrypt(bytes, changed.toString('base64url'), 'about me'), undefined);
      assert.equal(
        decrypt(bytes, encrypted.slice(0, place % encrypted.length), 'about me'),
        undefined,
      );
    });
    fc.assert(property);
  });
});
