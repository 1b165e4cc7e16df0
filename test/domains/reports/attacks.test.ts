// Attacks on the answers about all members, each by its name in the literature. The last two are
// those of Gadotti et al. (2018), "When the Signal is in the Noise", on noise that is the same for
// the same question.
import { serviceContext } from '../../../src/core/service-context.js';
import { renewCells } from '../../../src/domains/reports/rollup/cells.service.js';
import { errorCode, type RoleName, useService } from '../../support/harness.js';
import { makeCrowd } from './crowd.js';

const service = useService();
const RANGE = 'from: "2026-01-01", to: "2026-02-28"';
const ask = async (fields: string, args = '', as: RoleName = 'analyst') => {
  const query = `{ doseReport(${args.includes('from:') ? '' : RANGE} ${args}) { ${fields} } }`;
  return (await service().data(query, {}, as)).doseReport;
};
const total = async (args = '') => (await ask('total { taken }', args)).total.taken as number;

/** 30 who speak language 1, 12 of 2, and one, the victim, of 3. */
const withVictim = () =>
  makeCrowd(service(), [
    { members: 30 },
    { members: 12, language: 2 },
    { members: 1, language: 3, perDay: 4 },
  ]);

describe('Attacks on reports', () => {
  it('small cell: fewer than five accounts are shown nowhere', async () => {
    await withVictim();
    const { rows, suppressed } = await ask('suppressed rows { month language taken }');
    expect(new Set(rows.map(({ language }: { language: string }) => language)).size).toBe(2);
    expect(suppressed % 10).toBe(0);
  });

  it('difference: a question with the victim less one without shows nothing but published cells', async () => {
    await withVictim();
    const codes = (
      await service().database.query<{ code: string }>('SELECT code FROM language WHERE id < 4')
    ).map(({ code }) => `"${code}"`);
    const [first, second, third] = codes;
    const both = await total(`filter: { language: [${first}, ${second}] }`);
    const all = await total(`filter: { language: [${first}, ${second}, ${third}] }`);
    const one = await total(`filter: { language: [${first}] }`);
    expect(all).toBeNull();
    const { rows } = await ask('rows { language taken }');
    const published = rows.find(
      ({ language }: { language: string }) => `"${language}"` === second,
    )?.taken;
    expect(both - one).toBe(published);
  });

  it('complement: the total less its visible parts does not tell what the victim did', async () => {
    await withVictim();
    const truth = new Map([
      ['2026-01-01', 124],
      ['2026-02-01', 112],
    ]);
    const grids = ['language', 'weekday language', 'hour language'];
    const errors: number[] = [];
    for (const grid of grids) {
      const { rows } = await ask(`rows { month ${grid} scheduled }`);
      const whole = (await ask('rows { month scheduled }')).rows;
      for (const { month, scheduled } of whole) {
        const visible = rows
          .filter((row: { month: string }) => row.month === month)
          .reduce((sum: number, row: { scheduled: number }) => sum + row.scheduled, 0);
        errors.push(Math.abs(scheduled - visible - (truth.get(month) as number)));
      }
    }
    const mean = errors.reduce((sum, error) => sum + error) / errors.length;
    expect(mean).toBeGreaterThan(20);
  });

  it('tracker: adding a suppressed cell to a large one is as adding what does not exist', async () => {
    await withVictim();
    const rows = await service().database.query<{ code: string }>(
      'SELECT code FROM language WHERE id IN (1, 3, 4) ORDER BY id',
    );
    const [large, victim, absent] = rows.map(({ code }) => `"${code}"`);
    for (const fields of ['rows { month taken members }', 'rows { day taken }'])
      expect(await ask(fields, `filter: { language: [${large}, ${victim}] }`)).toStrictEqual(
        await ask(fields, `filter: { language: [${large}, ${absent}] }`),
      );
  });

  it('time slice: moving an end by a day adds the published cell of that day, or nothing', async () => {
    await withVictim();
    const months = (to: string) => total(`from: "2026-01-01", to: "${to}"`);
    const { rows } = await ask('rows { day taken }', 'from: "2026-02-11", to: "2026-02-11"');
    expect((await months('2026-02-11')) - (await months('2026-02-10'))).toBe(rows[0].taken);
    const days = async (to: string) =>
      (await ask('rows { day taken } total { taken }', `from: "2026-01-01", to: "${to}"`)) as {
        rows: { day: string; taken: number }[];
        total: { taken: number };
      };
    const [shorter, longer] = [await days('2026-01-09'), await days('2026-01-10')];
    expect(longer.total.taken - shorter.total.taken).toBe(longer.rows.at(-1)?.taken);
  });

  it('second account: whoever asks is answered the same', async () => {
    await withVictim();
    const fields = 'rows { month medicineType taken missed members } total { taken }';
    expect(await ask(fields, '', 'administrator')).toStrictEqual(await ask(fields));
  });

  it('before and after: the noise is another one when an account leaves', async () => {
    const [victim] = (await makeCrowd(service(), [{ members: 31 }])) as [number];
    const fields = 'rows { weekday hour scheduled }';
    const before = (await ask(fields)).rows;
    await service().database.query('DELETE FROM account WHERE id = $1', [victim]);
    await renewCells(await serviceContext(service().app.deps, 'test'));
    const after = (await ask(fields)).rows;
    const losses = before.map(
      (row: { scheduled: number }, i: number) => row.scheduled - after[i].scheduled,
    );
    // The victim had 8 or 9 doses in each of these cells.
    const hits = losses.filter((loss: number) => loss === 10).length;
    expect(hits).toBeLessThan(losses.length / 2);
    expect(new Set(losses).size).toBeGreaterThan(3);
  });

  it('interval: its width tells the average account but for a factor of two, and no largest one', async () => {
    const widths = new Set<number>();
    for (const perDay of [2, 3, 6, 12]) {
      await service().clean();
      await makeCrowd(
        service(),
        [
          { members: 30, perDay: 1 },
          { members: 1, perDay },
        ],
        31,
      );
      const { rows } = await ask('rows { month interval { taken { low high } } }');
      widths.add(rows[0].interval.taken.high - rows[0].interval.taken.low);
    }
    // The bound is rounded at a place that is secret: one step may lie between these.
    expect(widths.size).toBeLessThanOrEqual(2);
  });

  it('differential noise exploitation: no two questions differ by a condition on the victim', async () => {
    await withVictim();
    for (const filter of [
      '{ not: { language: ["de"] } }',
      '{ language_not: ["de"] }',
      '{ members: ["1"] }',
      '{ hour: [8] }',
      '{ day: ["2026-01-01"] }',
    ]) {
      const query = `{ doseReport(${RANGE}, filter: ${filter}) { total { taken } } }`;
      expect(errorCode(await service().ask(query, {}, 'analyst')), filter).toBe(
        'GRAPHQL_VALIDATION_FAILED',
      );
    }
    // What a condition that holds for all selects is a cell of another grid, with a noise of its
    // own, which does not depend on who else is selected.
    const kinds = await total('filter: { scheduleKind: ["calendar"] }');
    expect(kinds).not.toBeNull();
    expect(await total('filter: { scheduleKind: ["calendar", "once"] }')).toBeNull();
  });

  it('noise exploitation by cloning: conditions without effect draw no further noise', async () => {
    await withVictim();
    const clones = [
      ...Array.from({ length: 10 }, (_, i) => `filter: { medicineType: ["tablet", "dummy${i}"] }`),
      'filter: { medicineType: ["tablet", null] }',
      'filter: { medicineType: ["tablet"] }, first: 7',
      'filter: { medicineType: ["tablet"] }, compare: PREVIOUS_PERIOD',
    ];
    // A value that does not exist is answered as one that is hidden: with nothing.
    const answers = new Set<number>();
    for (const clone of clones) {
      const answer = await total(clone);
      if (answer !== null) answers.add(answer);
    }
    expect(answers.size).toBe(1);
    const fields = ['rows { month language taken }', 'rows { language a: taken month taken }'];
    const [one, other] = [await ask(fields[0] as string), await ask(fields[1] as string)];
    expect(other.rows.map(({ taken }: { taken: number }) => taken)).toStrictEqual(
      one.rows.map(({ taken }: { taken: number }) => taken),
    );
  });
});
