import fc from 'fast-check';
import { fold } from '../../src/core/folding.js';
import { useService } from '../support/harness.js';

/** Letters that Unicode has had since 2020 or later: some libraries of databases lack their case. */
const NEW =
  /[\u1c89\u2c2f\ua7c0-\ua7f5\u{10570}-\u{105ff}\u{10d40}-\u{10d8f}\u{16ea0}-\u{16edf}\u{1cc00}-\u{1ceff}\u{1e030}-\u{1e08f}]/u;

const CHARACTERS = Array.from({ length: 0x20000 }, (_, point) => point)
  .filter((point) => point > 0 && (point < 0xd800 || point > 0xdfff))
  .map((point) => String.fromCodePoint(point))
  .filter((character) => !NEW.test(character));

const character = fc.nat(CHARACTERS.length - 1).map((i) => CHARACTERS[i] as string);
const texts = fc.array(character, { maxLength: 30 }).map((characters) => characters.join(''));

describe('Folding', () => {
  const service = useService();
  const folded = async (texts: readonly string[]): Promise<string[]> => {
    const rows = await service().database.query<{ folded: string }>(
      'SELECT folded(text) FROM unnest($1::text[]) WITH ORDINALITY given(text, place) ORDER BY place',
      [texts],
    );
    return rows.map((row) => row.folded);
  };

  it('is the same in the service and in the database', async () => {
    expect(await folded(CHARACTERS)).toStrictEqual(CHARACTERS.map(fold));
    const sample = fc.sample(texts, 2_000);
    expect(await folded(sample)).toStrictEqual(sample.map(fold));
  });

  it('leaves what it folded', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
    );
  });
});
