// Values of filters that nobody has: each filter of each subject refuses them by name, or answers
// them as what is hidden, for a reason.
import { serviceContext } from '../../../src/core/service-context.js';
import { SUBJECTS } from '../../../src/domains/reports/catalogue/catalogue.js';
import type { Dimension } from '../../../src/domains/reports/catalogue/subject.js';
import { renewRollups } from '../../../src/domains/reports/rollup/rollup.service.js';
import { useService } from '../../support/harness.js';

const service = useService();
const NOW = '2026-03-10T12:00:00Z';
const RANGE = 'from: "2026-03-01", to: "2026-03-31"';

/** Why a filter takes any text; undefined for one that refuses what there is not. */
const reasonToTakeAll = ({ isFreeText }: Dimension): string | undefined =>
  isFreeText && 'people write it, so a refusal would tell whether somebody wrote it';

const FILTERS = SUBJECTS.flatMap(({ name, dimensions, measures }) =>
  dimensions
    .filter(({ time }) => !time)
    .map((dimension) => ({ subject: name, dimension, measure: measures[0]?.name ?? '' })),
);
const casesOf = (isTaken: boolean) =>
  FILTERS.filter(({ dimension }) => (reasonToTakeAll(dimension) !== undefined) === isTaken).map(
    ({ subject, dimension, measure }) => [subject, dimension.name, measure] as const,
  );

const ask = async (subject: string, filter: string, fields: string) => {
  const document = `{ ${subject}Report(${RANGE}, filter: { ${filter} }) { ${fields} } }`;
  const { errors, data } = await service().ask(document, {}, 'analyst');
  return { error: errors?.[0], report: data?.[`${subject}Report`] };
};
const refusalOf = async (subject: string, filter: string): Promise<string | undefined> =>
  (await ask(subject, filter, 'total { margin }')).error?.message;

/** Makes cells of which one has a value that no list has. */
async function store(subject: string, dimension: string, value: string, eligible: number) {
  await service().database.query(
    `INSERT INTO report_cell (subject, grid, date, keys, accounts, sums, tops, eligible)
     VALUES ($1, $2, '2026-03-01', ARRAY[$3], $4::int, '{1}', '{1}', $4::int)`,
    [subject, dimension, value, eligible],
  );
}

describe('A misspelt value of a filter', () => {
  it.each(casesOf(false))('of %s is refused by its name: %s', async (subject, name, measure) => {
    service().at(NOW);
    const { error } = await ask(subject, `${name}: ["misspelt"]`, `total { ${measure} }`);
    expect(error?.extensions.code).toBe('FILTER_INVALID');
    expect(error?.message).toMatch(
      new RegExp(`^There is no ${name} "misspelt"; there is (none|[^,]+(, [^,]+)*)\\.$`),
    );
  });

  it.each(casesOf(true))(
    'of %s is answered as one that is hidden, since people write it: %s',
    async (subject, name, measure) => {
      service().at(NOW);
      const asked = [subject, `${name}: ["misspelt"]`, `total { ${measure} withheld }`] as const;
      const none = await ask(...asked);
      await store(subject, name, 'misspelt', 3);
      const hidden = await ask(...asked);
      for (const { report } of [none, hidden])
        expect(report).toStrictEqual({ total: { [measure]: null, withheld: 'FEW_ACCOUNTS' } });
    },
  );

  it.each([
    ['notification', 'kind', 'Reminder', 'message, test, reminder, '],
    ['content', 'kind', 'posts', 'post, page, healthcare.'],
    ['content', 'format', 'Standard', 'standard, aside, chat, '],
    ['account', 'zone', 'europe/berlin', 'Europe/Berlin, '],
    ['account', 'zone', 'Europe/Berln', 'Europe/Berlin, '],
    ['account', 'zone', '+2:00', 'Africa/Abidjan, '],
    ['account', 'country', 'Germany', 'GE, GA, GB, GD, GF, GG, GH, GI, GL, '],
    ['account', 'country', 'de', 'DE, '],
    ['cohort', 'signUpWeek', '2026-03-03', '2026-03-09, 2026-03-02, 2026-0'],
    ['reminderCohort', 'startWeek', '2026-02-30', '2026-02-23, 2026-02-16, '],
    ['reminderCohort', 'startWeek', '2026-03-16', '2026-03-09, 2026-03-02, '],
  ])('%s.%s "%s" is refused with what there is', async (subject, name, value, there) => {
    service().at(NOW);
    const message = await refusalOf(subject, `${name}: ["${value}"]`);
    expect(message?.slice(0, 60 + there.length)).toContain(
      `There is no ${name} "${value}"; there is ${there}`,
    );
    expect(message?.length).toBeLessThan(800);
  });

  it.each([
    ['notification', 'kind', ['reminder', 'missed', 'stock_expiring', null]],
    ['content', 'kind', ['post', 'page', 'healthcare']],
    ['content', 'format', ['standard', 'audio']],
    [
      'account',
      'zone',
      ['Asia/Kolkata', 'Asia/Calcutta', 'Etc/GMT+5', 'UTC', '+02:00', '-09:30', 'BST', null],
    ],
    ['account', 'country', ['DE', 'IN', 'EH', null]],
    ['cohort', 'signUpWeek', ['2026-03-09', '2026-02-23', '1999-12-27', null]],
    ['reminderCohort', 'startWeek', ['2026-03-02']],
  ])('%s.%s is none of %j', async (subject, name, values) => {
    service().at(NOW);
    expect(await refusalOf(subject, `${name}: ${JSON.stringify(values)}`)).toBeUndefined();
  });

  it('is none that was stored before lists changed', async () => {
    service().at(NOW);
    await store('notification', 'kind', 'of_an_old_version', 1);
    await store('content', 'kind', 'recipe', 1);
    await store('account', 'zone', 'US/Pacific-New', 20);
    await store('account', 'country', 'YU', 20);
    for (const [subject, filter] of [
      ['notification', 'kind: ["of_an_old_version", "reminder"]'],
      ['content', 'kind: ["recipe"]'],
      ['account', 'zone: ["US/Pacific-New"]'],
      ['account', 'country: ["YU"]'],
    ] as const)
      expect([filter, await refusalOf(subject, filter)]).toStrictEqual([filter, undefined]);
    expect(await refusalOf('content', 'kind: ["recipes"]')).toBe(
      'There is no kind "recipes"; there is post, page, healthcare, recipe.',
    );
  });

  it('is one that fewer than twenty accounts have, of zones and countries that no list has', async () => {
    service().at(NOW);
    const filters = ['zone: ["Mars/Olympus"]', 'country: ["XX"]'];
    const before: (string | undefined)[] = [];
    for (const filter of filters) before.push(await refusalOf('account', filter));
    await store('account', 'zone', 'Mars/Olympus', 19);
    await store('account', 'country', 'XX', 19);
    for (const [i, filter] of filters.entries())
      expect(await refusalOf('account', filter)).toBe(before[i]);
    expect(before.every((message) => message?.startsWith('There is no '))).toBe(true);
  });

  it('is no country that the database has of a zone', async () => {
    const countries = await service().database.query<{ country: string }>(
      `SELECT DISTINCT report_country(name) AS country FROM unnest($1::text[]) name
       WHERE report_country(name) IS NOT NULL`,
      [Intl.supportedValuesOf('timeZone')],
    );
    expect(countries.length).toBeGreaterThan(200);
    const all = countries.map(({ country }) => country);
    for (let from = 0; from < all.length; from += 100) {
      const values = JSON.stringify(all.slice(from, from + 100));
      expect(await refusalOf('account', `country: ${values}`)).toBeUndefined();
    }
  });

  it('is none that rows of the service have', async () => {
    service().at(NOW);
    await service().post({ title: 'One', date_gmt: '2026-03-05T00:00:00', format: 'aside' });
    await renewRollups(await serviceContext(service().app.deps, 'test'));
    const cells = await service().database.query<{ subject: string; name: string; value: string }>(
      `SELECT DISTINCT subject, grid AS name, keys[1] AS value FROM report_cell
       WHERE grid = ANY($1) AND keys[1] <> ''`,
      [FILTERS.map(({ dimension }) => dimension.name)],
    );
    expect(cells.length).toBeGreaterThan(2);
    for (const { subject, name, value } of cells)
      expect([value, await refusalOf(subject, `${name}: ["${value}"]`)]).toStrictEqual([
        value,
        undefined,
      ]);
  });
});
