import { QUOTAS } from '../../../src/core/quota.js';
import { parseFrequency } from '../../../src/domains/reminders/schedule/frequency.js';
import { doubtAbout } from '../../../src/domains/reminders/schedule/words/doubt.js';
import { partsRead } from '../../../src/domains/reminders/schedule/words/partial.js';
import { plain } from '../../../src/domains/reminders/schedule/words/plain.js';
import { meaningsOf, readingsOf } from '../../../src/domains/reminders/schedule/words/read.js';
import { makeMedicine } from '../../support/factories.js';
import { useService } from '../../support/harness.js';

/** What is written, what of it was read, and what was not. */
const PARTS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['take 1 tablet daily as directed', ['take 1 tablet', 'daily'], ['as directed']],
  ['2 tablets blorp twice daily', ['2 tablets', 'twice', 'daily'], ['blorp']],
  ['as directed', [], ['as directed']],
  ['1 comprimido cada noche según pauta', ['1 comprimido', 'cada noche'], ['segun pauta']],
  ['once daily bd', ['once', 'daily', 'bd'], []],
  ['~ 2 tablets', [], ['~ 2 tablets']],
];

describe('What was not understood', () => {
  const service = useService();
  const doubt = async (frequencyType: string, fields: string) => {
    service().at('2026-03-10T07:00:00Z');
    const id = await makeMedicine(service(), { frequencyType, startDate: '2026-03-10' });
    const document = `{ medicineReminder(id: ${id}) { frequencyDoubt { ${fields} } } }`;
    return (await service().data(document)).medicineReminder.frequencyDoubt;
  };

  it.each(PARTS)('says which part was not: %s', (text, read, unread) => {
    expect(partsRead(text)).toStrictEqual({ read, unread });
  });

  it.each([
    ['spaces', `once${' '.repeat(1_000)}daily`],
    ['signs', '1-'.repeat(32_000)],
    ['brackets', '()'.repeat(32_000)],
    ['words', 'once daily '.repeat(100)],
  ])('is not read at all where it has more than 1,000 characters: %s', (_, text) => {
    expect([parseFrequency(text).kind, doubtAbout(text), meaningsOf(text)]).toStrictEqual([
      'unrecognized',
      'unknown',
      [],
    ]);
    expect(partsRead(text)).toStrictEqual({ read: [], unread: [text.trim().slice(0, 200)] });
    expect(plain(text) === undefined, 'its pieces are not looked for').toBe(true);
  });

  it('is read once, however often it is shown', () => {
    expect(partsRead('as directed')).toBe(partsRead('as directed'));
    expect(readingsOf('2 daily')).toBe(readingsOf('2 daily'));
  });

  it('is paid for by its length where it is looked for first, and costs nothing more', async () => {
    const ids: number[] = [];
    for (const ending of ['nocte', 'mane', 'at noon', 'hs']) {
      const frequencyType = `${'once daily bd '.repeat(25)}${ending}`;
      ids.push(await makeMedicine(service(), { frequencyType, startDate: '2026-03-10' }));
    }
    service().limit();
    service().at(1_800_000_000_000);
    const { id } = await service().account('subscriber');
    const left = async () =>
      (await service().limits.limiter(QUOTAS.account).take(String(id), 0)).remaining;
    const cost = async () => {
      const before = await left();
      const each = ids.map((one) => `m${one}: medicineReminder(id: ${one}) { ...all }`);
      await service().data(
        `{ ${each.join(' ')} } fragment all on MedicineReminder { frequencyDoubt { read unread } }`,
      );
      return before - (await left());
    };
    const first = await cost();
    expect(first - (await cost())).toBe(7);
  });

  it('is shown with what was read', async () => {
    expect(await doubt('take 1 tablet daily as directed', 'kind read unread')).toStrictEqual({
      kind: 'UNKNOWN',
      read: ['take 1 tablet', 'daily'],
      unread: ['as directed'],
    });
  });

  it('offers the meanings that there are, in words of a language', async () => {
    const choices = (tag: string) => `choices(language: "${tag}") { meaning text isComplete }`;
    expect(await doubt('2 daily', `${choices('en')} es: ${choices('es')}`)).toStrictEqual({
      choices: [
        { meaning: 0, text: 'every day at 08:00 and 20:00', isComplete: true },
        { meaning: 1, text: '2 every day at 08:00', isComplete: true },
      ],
      es: [
        { meaning: 0, text: 'cada día a las 08:00 y 20:00', isComplete: true },
        { meaning: 1, text: '2 cada día a las 08:00', isComplete: true },
      ],
    });
    expect(await doubt('twice a week', choices('es'))).toStrictEqual({
      choices: [{ meaning: 0, text: '2 times a week', isComplete: false }],
    });
  });
});
