import fc from 'fast-check';
import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { makeMedicine } from '../../support/factories.js';
import { errorCode, mutation, useService } from '../../support/harness.js';

const RUNS = Math.ceil(Number(process.env.PROPERTY_RUNS ?? 1000) / 100);
/** Ten-thousandths of a dose, 0.0001 to 100,000: half of the doses are small. */
const parts = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 1, max: 1_000_000_000 }),
);
/** Writes ten-thousandths with digits alone: the plain form of what a client sends. */
function plain(count: number): string {
  const digits = String(count).padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, '');
}

const NOTHING = { amount: 0, text: '0 mg', isCertain: true };
const AMOUNT = 'amount { value text }';

describe('An amount is exact', () => {
  const service = useService();
  const act = (what: string, input: object, fields = '__typename') =>
    service().data(mutation(what, fields), { input });
  const begin = async (fields: object = {}) => {
    service().at('2026-03-10T07:00:00Z');
    return makeMedicine(service(), { startDate: '2026-03-10T08:00:00', ...fields });
  };
  const set = (id: number, amount: number, unit = 'mg') =>
    act('setDoseAmounts', { id, unit, steps: [{ amount }] });
  const reminder = async (id: number, fields: string) =>
    (await service().data(`{ medicineReminder(id: ${id}) { ${fields} } }`)).medicineReminder;
  const amounts = async (id: number) =>
    (await reminder(id, 'amounts { value text }')).amounts as [{ value: number; text: string }];
  const stock = async (id: number) =>
    (await reminder(id, 'stock { amount text isCertain packs { amount left text } }')).stock;
  const inGerman = async () => {
    const { id } = await service().account('subscriber');
    const { prisma } = service().database;
    const language = await prisma.language.findUniqueOrThrow({ where: { code: 'de' } });
    await prisma.account.update({ where: { id }, data: { languageId: language.id } });
  };
  /** What a push at 08:00 says. */
  const told = async (): Promise<string> => {
    service().at('2026-03-10T08:00:00Z');
    await planDue(service().app.deps);
    await handOver(service().app.deps);
    const { notifications } = await service().data('{ notifications { nodes { body } } }');
    return notifications.nodes[0].body;
  };
  /** What the events of the calendar feed are called. */
  const feed = async () => {
    const headers = await service().session('subscriber');
    const input = { titles: true };
    const make = mutation('createCalendarFeed', 'calendarFeed { url }');
    const { body } = await service().graphql(make, { input }, { headers });
    const { pathname } = new URL(body.data.createCalendarFeed.calendarFeed.url);
    const { text } = await service().fetch(pathname, { method: 'GET' });
    return [...new Set(text.match(/(?<=^SUMMARY:).*(?=\r)/gm))].sort();
  };
  /** The amounts in the member's own export. */
  const exported = async () => {
    const { exportMyData } = await service().data(
      'mutation { exportMyData { export { document } } }',
    );
    const { reminders, doses } = exportMyData.export.document;
    return {
      reminders: reminders.map((one: { amounts: { amount: string }[] }) => one.amounts[0]?.amount),
      doses: doses.map((one: { amount: string; fromStock: string }) => [one.amount, one.fromStock]),
    };
  };
  const empty = async () => {
    const { prisma } = service().database;
    await prisma.notification.deleteMany();
    await prisma.dose.deleteMany();
    await prisma.reminder.deleteMany();
    await prisma.careSetting.deleteMany();
  };

  it('from the input to the graph, by doses and stock, and back', async () => {
    await fc.assert(
      fc.asyncProperty(parts, async (count) => {
        const text = plain(count);
        const id = await begin();
        await set(id, Number(text));
        const [amount] = await amounts(id);
        expect(amount).toStrictEqual({ value: Number(text), text: `${text} mg` });
        await set(id, amount.value);
        expect(await amounts(id)).toStrictEqual([amount]);
        const packs = [{ amount: amount.value, expiresOn: '2027-01-01' }];
        await act('setMedicineStock', { id, amount: amount.value, packs });
        const held = { amount: amount.value, text: amount.text };
        expect(await stock(id)).toStrictEqual({
          ...held,
          isCertain: true,
          packs: [{ ...held, left: amount.value }],
        });
        const { logDose } = await act('logDose', { reminderId: id }, `event { ${AMOUNT} }`);
        expect(logDose.event.amount).toStrictEqual(amount);
        expect(await stock(id)).toStrictEqual({ ...NOTHING, packs: [] });
      }),
      { numRuns: RUNS },
    );
  });

  it('in a push, the calendar feed and the export', async () => {
    await act('updateNotificationPreference', { lockScreenNames: true });
    const several = fc.array(parts, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(several, async (counts) => {
        await empty();
        const sent = counts.map(plain);
        for (const [i, text] of sent.entries()) {
          const id = await begin({ name: `M${i}` });
          await set(id, Number(text));
          await act('setMedicineStock', { id, amount: 1_000_000 });
          await act('logDose', { reminderId: id });
        }
        const said = sent.map((text, i) => `M${i} (${text} mg)`);
        const body = await told();
        for (const words of said) expect(body).toContain(words);
        expect(await feed()).toStrictEqual([...said].sort());
        const { reminders, doses } = await exported();
        expect(reminders).toStrictEqual(sent);
        expect(doses).toStrictEqual(sent.map((text) => [text, text]));
      }),
      { numRuns: RUNS },
    );
  });

  it('of ten doses of 0.1, and of 16 of 0.0625, which leave nothing of 1', async () => {
    for (const [amount, times] of [
      [0.1, 10],
      [0.0625, 16],
    ] as const) {
      const id = await begin({ frequencyType: 'as needed' });
      await set(id, amount, 'ml');
      await act('setMedicineStock', { id, amount: 1 });
      for (let i = 0; i < times; i++) await act('logDose', { reminderId: id });
      expect(await stock(id)).toMatchObject({ amount: 0, text: '0 ml', isCertain: true });
      await act('refillMedicineStock', { id, amount: 0.3 });
      await act('refillMedicineStock', { id, amount: 0.1 });
      await act('logDose', { reminderId: id });
      const left = amount === 0.1 ? 0.3 : 0.3375;
      expect(await stock(id)).toMatchObject({ amount: left, text: `${left} ml` });
    }
  });

  it('when what was taken is summed', async () => {
    const id = await begin();
    await set(id, 0.1);
    for (const day of ['10', '11', '12', '13']) {
      service().at(`2026-03-${day}T08:10:00Z`);
      const { calendar } = await service().data(
        `{ calendar(from: "2026-03-${day}", to: "2026-03-${day}") { events { occurrenceId } } }`,
      );
      await act('takeDose', { occurrenceId: calendar.events[0].occurrenceId });
      if (day === '12') await set(id, 0.0625);
    }
    const { adherence } = await service().data(
      '{ adherence { medicines { amountsTaken { value unit text } } } }',
    );
    const sum = { value: 0.3625, unit: 'mg', text: '0.3625 mg' };
    expect(adherence.medicines).toStrictEqual([{ amountsTaken: [sum] }]);
  });

  it.each([
    ['en', 0.05, '0.05 mg'],
    ['en', 0.0625, '0.0625 mg'],
    ['en', 62.5, '62.5 mg'],
    ['en', 1, '1 mg'],
    ['en', 1500, '1500 mg'],
    ['en', 100_000, '100000 mg'],
    ['en', 0.0001, '0.0001 mg'],
    ['en', 99_999.9999, '99999.9999 mg'],
    ['de', 0.05, '0,05 mg'],
    ['fr', 1234.5, '1234,5 mg'],
    ['es', 12_345.0625, '12345,0625 mg'],
    ['pt', 0.5, '0,5 mg'],
    ['ar-EG', 0.05, '٠٫٠٥ mg'],
    ['de-CH', 1234.5, '1234.5 mg'],
    ['es-MX', 1234.5, '1234.5 mg'],
    ['nl', 0.05, '0,05 mg'],
    ['tlh', 0.05, '0.05 mg'],
  ])('and shown as safe prescribing asks: in %s %d is %s', async (language, amount, text) => {
    const id = await begin();
    await set(id, amount);
    const query = `query($l: String) { medicineReminder(id: ${id}) { amounts { text(language: $l) } } }`;
    const { medicineReminder } = await service().data(query, { l: language });
    expect(medicineReminder.amounts).toStrictEqual([{ text }]);
  });

  it("and shown in the member's language unless told", async () => {
    const id = await begin();
    await set(id, 0.05);
    await inGerman();
    const query = `{ medicineReminder(id: ${id}) { amounts { text } } }`;
    const { medicineReminder } = await service().data(query);
    expect(medicineReminder.amounts).toStrictEqual([{ text: '0,05 mg' }]);
  });

  it('to four decimals, and no more', async () => {
    const id = await begin();
    const refused = [
      0.000_05, 0.000_01, 0.062_55, 1.000_01, 100_000.0001, 100_001, 0, -0.05, 1e-7, 1e300,
    ];
    for (const amount of refused) {
      const steps = [{ amount }];
      const answer = await service().ask(mutation('setDoseAmounts', '__typename'), {
        input: { id, unit: 'mg', steps },
      });
      expect(errorCode(answer), String(amount)).toBe('BAD_USER_INPUT');
      expect(answer.errors[0].extensions.problems[0].message).toBe(
        'must be a number of 0.0001 to 100,000 with at most four decimals',
      );
    }
    // What a client's doubles add behind the 15th digit is no decimal that somebody meant.
    const { setDoseAmounts } = await act(
      'setDoseAmounts',
      { id, unit: 'mg', steps: [{ amount: 0.1 + 0.2 }] },
      'reminder { amounts { value text } }',
    );
    expect(setDoseAmounts.reminder.amounts).toStrictEqual([{ value: 0.3, text: '0.3 mg' }]);
  });
});
