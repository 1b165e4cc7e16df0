// What does not exist is answered as what is hidden: whoever asks learns of neither.
import { useService } from '../../support/harness.js';
import { makeCells, makeCrowd } from './crowd.js';

const service = useService();
const query = (sql: string) => service().database.query(sql);
const doses = async (args: string, fields: string) =>
  (await service().data(`{ doseReport(${args}) { ${fields} } }`, {}, 'analyst')).doseReport;
const JANUARY = 'from: "2026-01-01", to: "2026-01-31"';
const BOTH = 'from: "2026-01-01", to: "2026-02-28"';

interface Row {
  readonly [name: string]: unknown;
}

describe('What does not exist', () => {
  beforeEach(() => service().at('2026-04-10T12:00:00Z'));

  it('is answered as what one person has, by a filter and whatever is selected', async () => {
    await makeCrowd(service(), [{ members: 24 }, { members: 1, type: 'truvada', language: 2 }]);
    await query(`DELETE FROM dose_fact WHERE medicine_type = 'truvada'
      AND NOT extract(day FROM day) IN (5, 9)`);
    await makeCells(service());
    const codes = await service().database.query<{ code: string }>(
      'SELECT code FROM language WHERE id IN (2, 4) ORDER BY id',
    );
    const [spoken, unspoken] = codes.map(({ code }) => code);
    for (const [dimension, there, absent] of [
      ['medicineType', 'truvada', 'none'],
      ['language', spoken, unspoken],
    ])
      for (const by of ['', 'date', 'day', 'week', 'month', 'quarter', 'weekday', 'hour'])
        for (const more of ['', ', fill: true', ', compare: PREVIOUS_PERIOD']) {
          const previous = more.includes('compare') ? 'previous { taken withheld }' : '';
          const answer = (value: string | undefined) =>
            doses(
              `${BOTH}, filter: { ${dimension}: ["${value}"] }${more}`,
              `rows { ${by} taken withheld ${previous} } total { taken withheld }`,
            );
          expect([dimension, by, more, await answer(there)]).toStrictEqual([
            ...[dimension, by, more],
            await answer(absent),
          ]);
        }
  });

  it('is answered as what one person had in the period before', async () => {
    await makeCrowd(service(), [
      { members: 24 },
      { members: 24, type: 'drops' },
      { members: 24, type: 'spray' },
    ]);
    await query(`DELETE FROM dose_fact WHERE day < '2026-02-01' AND (medicine_type = 'spray'
      OR medicine_type = 'drops' AND account_id % 24 <> 0)`);
    await makeCells(service());
    for (const by of ['medicineType', 'month medicineType', 'week medicineType']) {
      const range = by.startsWith('week')
        ? 'from: "2026-02-02", to: "2026-02-08"'
        : 'from: "2026-02-01", to: "2026-02-28"';
      const { rows } = await doses(
        `${range}, compare: PREVIOUS_PERIOD`,
        `rows { ${by} previous { taken withheld } }`,
      );
      const previous = (type: string) =>
        rows.find(({ medicineType }: Row) => medicineType === type).previous;
      expect(previous('tablet')).toMatchObject({ withheld: null });
      expect(previous('drops')).toStrictEqual(previous('spray'));
    }
  });

  it('is no other value, as what is hidden is none', async () => {
    await makeCrowd(service(), [{ members: 24 }, { members: 1, type: 'rare' }]);
    await query("DELETE FROM dose_fact WHERE day >= '2026-02-01' AND medicine_type = 'rare'");
    await makeCells(service());
    const top = 'top: { count: 1, by: TAKEN }';
    const { rows } = await doses(`${BOTH}, ${top}`, 'rows { month medicineType isOthers }');
    expect(rows.map(({ isOthers }: Row) => isOthers)).toStrictEqual([false, false]);
    const january = await doses(`${JANUARY}, ${top}`, 'rows { medicineType isOthers }');
    expect(january.rows.length).toBe(1);
  });
});
