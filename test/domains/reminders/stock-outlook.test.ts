import fc from 'fast-check';
import { outlookOf, StockOutlook } from '../../../src/domains/reminders/stock/outlook.js';
import { packsLeft } from '../../../src/domains/reminders/stock/packs.js';
import { type Decimal, decimalFrom, partsOf } from '../../../src/platform/decimal.js';

const amount = fc.bigInt({ min: 1n, max: 1_000_000n }).map(decimalFrom);
const day = fc.integer({ min: 0, max: 700 }).map((days) => dayAfter(days));
const dayAfter = (days: number) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10);
const sum = (all: readonly Decimal[]) => all.reduce((a, b) => a + partsOf(b), 0n);

describe('What is at hand of a medicine', () => {
  it('runs out with the first dose that all doses until then leave too little for', () => {
    fc.assert(
      fc.property(amount, fc.array(amount, { maxLength: 60 }), (atHand, doses) => {
        const coming = doses.map((dose, i) => ({ date: dayAfter(i), amount: dose }));
        const short = doses.findIndex((_, i) => sum(doses.slice(0, i + 1)) > sum([atHand]));
        expect(outlookOf(atHand, coming)).toStrictEqual(
          short < 0
            ? { outlook: StockOutlook.LASTS }
            : { outlook: StockOutlook.RUNS_OUT, runsOutOn: dayAfter(short) },
        );
      }),
    );
  });

  it('covers no dose by a pack that has expired', () => {
    const one = (days: number) =>
      Array.from({ length: days }, (_, i) => ({ date: dayAfter(i), amount: '1' as Decimal }));
    const pack = (atHand: string, day: number) => ({
      atHand: atHand as Decimal,
      expiresOn: dayAfter(day),
    });
    const runsOut = (day: number) => ({
      outlook: StockOutlook.RUNS_OUT,
      runsOutOn: dayAfter(day),
    });
    const of = (atHand: string, ...packs: ReturnType<typeof pack>[]) =>
      outlookOf(atHand as Decimal, one(100), packs);
    expect(of('60', pack('50', 10)), 'the day after its last one').toStrictEqual(runsOut(11));
    expect(of('60', pack('50', 0)), 'what has no day is good').toStrictEqual(runsOut(10));
    expect(of('20', pack('10', 4), pack('10', 30))).toStrictEqual(runsOut(15));
    expect(of('3.5', pack('3.5', 9)), 'half a dose').toStrictEqual(runsOut(3));
    expect(of('120', pack('60', 90), pack('60', 120))).toStrictEqual({
      outlook: StockOutlook.LASTS,
    });
  });

  it('is in the packs that expire last, and never more than there is', () => {
    const packs = fc
      .array(fc.record({ amount, expiresOn: day }), { maxLength: 20 })
      .map((all) => all.map((pack, id) => ({ ...pack, id })));
    fc.assert(
      fc.property(packs, amount, (all, atHand) => {
        const left = packsLeft(all, atHand);
        const whole = sum(all.map((pack) => pack.amount));
        expect(sum(left.map((pack) => pack.left))).toBe(
          whole < sum([atHand]) ? whole : sum([atHand]),
        );
        const days = left.map(({ expiresOn }) => expiresOn);
        expect(days).toStrictEqual([...days].sort());
        for (const pack of left.slice(1))
          expect(pack.left, 'the later are whole').toBe(pack.amount);
        const gone = all.filter(({ id }) => !left.some((pack) => pack.id === id));
        for (const { expiresOn } of gone) expect(expiresOn <= (days[0] ?? '9999')).toBe(true);
      }),
    );
  });
});
