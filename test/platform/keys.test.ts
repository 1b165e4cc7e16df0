import fc from 'fast-check';
import { decrypt, encrypt, Keys } from '../../src/platform/keys.js';

const [old, current] = ['o'.repeat(40), 'c'.repeat(40)];

describe('Keys', () => {
  it('are another one for each purpose and secret, with names that tell them apart', () => {
    const keys = [new Keys(old), new Keys(current)].flatMap((made) =>
      ['a', 'b'].map((purpose) => made.current(purpose)),
    );
    expect(new Set(keys.map(({ bytes }) => bytes.toString('hex'))).size).toBe(4);
    expect(new Set(keys.map(({ id }) => id)).size).toBe(4);
  });

  it('of before are found by their names while SECRET_KEY_PREVIOUS is given, and not used for anything new', () => {
    const { id } = new Keys(old).current('a');
    const both = new Keys(current, { previous: old });
    expect(both.current('a').id).toBe(new Keys(current).current('a').id);
    expect(both.named('a', id)?.bytes).toStrictEqual(new Keys(old).current('a').bytes);
    expect(new Keys(current).named('a', id)).toBeUndefined();
    expect(both.previous('a')?.id).toBe(id);
  });

  it('of which one comes next replace none, also where the present one is given twice', () => {
    const next = 'n'.repeat(40);
    expect(new Keys(current, { next }).previous('a')).toBeUndefined();
    expect(new Keys(current, { previous: current, next }).previous('a')).toBeUndefined();
  });

  it('read what they encrypted, and nothing that was changed, moved or encrypted by another', () => {
    const { bytes } = new Keys(current).current('a');
    const property = fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, place) => {
      const encrypted = encrypt(bytes, text, 'about me');
      expect(decrypt(bytes, encrypted, 'about me')?.toString()).toBe(text);
      expect(decrypt(bytes, encrypted, 'about you')).toBeUndefined();
      expect(decrypt(new Keys(old).current('a').bytes, encrypted, 'about me')).toBeUndefined();
      const changed = Buffer.from(encrypted, 'base64url');
      changed[place % changed.length] = (changed[place % changed.length] ?? 0) ^ 1;
      expect(decrypt(bytes, changed.toString('base64url'), 'about me')).toBeUndefined();
      expect(
        decrypt(bytes, encrypted.slice(0, place % encrypted.length), 'about me'),
      ).toBeUndefined();
    });
    fc.assert(property);
  });
});
