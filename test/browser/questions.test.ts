import type { Page } from 'playwright-core';
import { makeCrowd } from '../domains/reports/crowd.js';
import { makeYear } from '../domains/reports/year.js';
import { picture, useBrowser } from '../support/browser.js';
import { useService } from '../support/harness.js';

/** A question, what is clicked for it, and the GraphQL that answers it, written by hand. */
interface Case {
  readonly about: string;
  readonly from?: string;
  readonly to?: string;
  readonly numbers: readonly string[];
  readonly by?: readonly string[];
  /** Values that are kept, by the label of the dimension. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  readonly order?: string;
  readonly rows?: number;
  /** Label of an option, and its value. */
  readonly option?: readonly [string, string];
  readonly report: string;
  /** What it takes beside the time, and what is selected of rows. */
  readonly with?: string;
  readonly select: string;
}

const doses = { about: 'Dose', report: 'doseReport' };
const accounts = { about: 'Account', report: 'accountReport' };
const YEAR = { from: '2025-01-01', to: '2025-12-31' };

/** Questions of docs/reports.md that the catalogue can answer, in the words of who asks. */
const QUESTIONS: Readonly<Record<string, Case>> = {
  'How well do members keep to their plans, by month?': {
    ...doses,
    numbers: ['Adherence rate'],
    by: ['Month'],
    select: 'month adherenceRate',
  },
  'How many doses were missed in each week of the summer?': {
    ...doses,
    from: '2025-06-02',
    to: '2025-08-31',
    numbers: ['Missed'],
    by: ['Week'],
    select: 'week missed',
  },
  'Which languages keep to their plans best?': {
    ...doses,
    numbers: ['Adherence rate'],
    by: ['Language'],
    order: 'Adherence rate',
    with: 'orderBy: [{ by: ADHERENCE_RATE, direction: DESC }]',
    select: 'language adherenceRate',
  },
  'At what hour are doses missed?': {
    ...doses,
    numbers: ['Missed'],
    by: ['Hour'],
    select: 'hour missed',
  },
  'On which day of the week, and at what hour?': {
    ...doses,
    numbers: ['Missed', 'Adherence rate'],
    by: ['Weekday', 'Hour'],
    select: 'weekday hour missed adherenceRate',
  },
  'Which types of medicine are taken most?': {
    ...doses,
    numbers: ['Taken'],
    by: ['Medicine type'],
    order: 'Taken',
    rows: 3,
    with: 'orderBy: [{ by: TAKEN, direction: DESC }], first: 3',
    select: 'medicineType taken',
  },
  'How do drops do by language and month?': {
    ...doses,
    numbers: ['Scheduled', 'Adherence rate'],
    by: ['Month', 'Language'],
    only: { 'Medicine type': ['drops'] },
    with: 'filter: { medicineType: ["drops"] }',
    select: 'month language scheduled adherenceRate',
  },
  'And drops together with sprays?': {
    ...doses,
    numbers: ['Taken'],
    by: ['Month'],
    only: { 'Medicine type': ['drops', 'spray'] },
    with: 'filter: { medicineType: ["drops", "spray"] }',
    select: 'month taken',
  },
  'How many doses have no type?': {
    ...doses,
    numbers: ['Scheduled'],
    by: ['Quarter'],
    only: { 'Medicine type': ['none'] },
    with: 'filter: { medicineType: [null] }',
    select: 'quarter scheduled',
  },
  'How many different members had doses in each quarter?': {
    ...doses,
    numbers: ['Members'],
    by: ['Quarter'],
    select: 'quarter members',
  },
  'Is it better than in the months before?': {
    ...doses,
    from: '2025-07-01',
    numbers: ['Adherence rate'],
    by: ['Month'],
    option: ['Compare with', 'Previous period'],
    with: 'compare: PREVIOUS_PERIOD',
    select: 'month adherenceRate',
  },
  'How was each day of March?': {
    ...doses,
    from: '2025-03-01',
    to: '2025-03-31',
    numbers: ['Scheduled', 'Skipped'],
    by: ['Day'],
    select: 'day scheduled skipped',
  },
  'How many doses were logged as needed, by kind of schedule?': {
    ...doses,
    numbers: ['As needed'],
    by: ['Schedule kind'],
    select: 'scheduleKind asNeeded',
  },
  'How many doses were there at all?': {
    ...doses,
    numbers: ['Scheduled', 'Taken'],
    select: 'scheduled taken',
  },
  'How many accounts signed up by month?': {
    ...accounts,
    from: '2026-09-01',
    to: '2026-11-30',
    numbers: ['Sign ups'],
    by: ['Month'],
    select: 'month signUps',
  },
  'How many accounts were active?': {
    ...accounts,
    from: '2026-09-01',
    to: '2026-11-30',
    numbers: ['Active'],
    by: ['Month'],
    select: 'month active',
  },
};

/** Questions that some reports answer with nothing in this data: they are asked all the same. */
const OTHERS = [
  'Reminder',
  'Appointment',
  'Notification',
  'Poll',
  'Poll choice',
  'Form',
  'Content',
];

const PASSWORD = 'somebody who asks for numbers';

describe('Questions of care, asked by the builder alone', () => {
  const service = useService();
  const browser = useBrowser();
  let page: Page;

  beforeEach(async () => {
    await makeYear(service(), 240);
    await makeCrowd(service(), [{ members: 20 }, { members: 30, language: 2, type: 'drops' }]);
    await service().data(
      `mutation { createUser(input: { username: "ana", email: "ana@example.org", name: "Ana",
        password: "${PASSWORD}", roles: [ANALYST], language: 1 }) { account { id } } }`,
      {},
      { headers: await service().session('administrator') },
    );
    page = await browser().newPage({ viewport: { width: 1400, height: 1000 } });
    await page.goto(`${service().url}/graphql`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('User name or e-mail').fill('ana');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('About').waitFor();
  });
  afterEach(() => page?.close());

  const group = (name: string) => page.getByRole('group', { name: new RegExp(`^${name}`) });

  /** Leaves the boxes of a group checked that are named. */
  async function check(name: string, labels: readonly string[]) {
    const boxes = group(name).getByRole('checkbox', { checked: true });
    while ((await boxes.count()) > 0) await boxes.first().uncheck();
    for (const label of labels) await group(name).getByLabel(label, { exact: true }).check();
  }

  async function choose({
    about,
    numbers,
    by = [],
    only = {},
    order,
    rows,
    option,
    ...time
  }: Case) {
    await page.getByRole('button', { name: 'New question' }).click();
    await page.getByLabel('About').selectOption(about);
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Days that I choose');
    await page.getByLabel('First day').fill(time.from ?? YEAR.from);
    await page.getByLabel('Last day').fill(time.to ?? YEAR.to);
    await check('Numbers', numbers);
    await check('By', by);
    for (const [dimension, values] of Object.entries(only)) {
      await group('Only').getByText(dimension, { exact: true }).click();
      const list = page.getByLabel(`Values of ${dimension}`);
      for (const value of values) await list.getByLabel(value, { exact: true }).check();
    }
    const more = page.getByText('Order, comparison and more');
    if ((order || rows || option) && !(await page.getByLabel('Order by').isVisible()))
      await more.click();
    if (order) await page.getByLabel('Order by').selectOption(order);
    if (rows) await page.getByLabel('Rows at most').fill(String(rows));
    if (option) await page.getByLabel(option[0]).selectOption(option[1]);
  }

  /** Presses Ask, shows the table, and returns the columns that are wanted. */
  async function answer(columns: readonly string[]): Promise<readonly (readonly string[])[]> {
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('The question has changed since this answer').waitFor({ state: 'hidden' });
    await page.locator('.care-result[aria-busy=false] .care-views').waitFor();
    await page.getByRole('radio', { name: 'Table' }).check();
    const names = await page.locator('.care-rows th button').allInnerTexts();
    const at = columns.map((column) => names.findIndex((name) => name.split(' ')[0] === column));
    const rows = await page.locator('.care-rows tbody tr').all();
    return Promise.all(
      rows.map(async (row) => {
        const cells = await row.locator('td').allInnerTexts();
        return at.map((index) => cells[index]?.trim() ?? '');
      }),
    );
  }

  const text = (value: unknown) =>
    typeof value === 'number'
      ? value.toLocaleString('en', { maximumFractionDigits: 4 })
      : String(value ?? '');

  it(`asks ${Object.keys(QUESTIONS).length} of them by clicks, and each answer is right`, async () => {
    for (const [words, asked] of Object.entries(QUESTIONS)) {
      const started = performance.now();
      await choose({ ...asked });
      const columns = asked.select.split(' ');
      const shown = await answer(columns);
      const took = performance.now() - started;
      const { from = YEAR.from, to = YEAR.to, with: more = '' } = asked;
      const data = await service().data(
        `{ ${asked.report}(from: "${from}", to: "${to}" ${more && `, ${more}`}) {
          rows { ${asked.select} } } }`,
        {},
        'analyst',
      );
      const right = data[asked.report].rows.map((row: Record<string, unknown>) =>
        columns.map((column) => text(row[column])),
      );
      expect(shown, words).toStrictEqual(right);
      if (asked.report === 'doseReport') expect(shown.length, words).toBeGreaterThan(0);
      process.stdout.write(`${(took / 1000).toFixed(1)} s: ${words}\n`);
    }
    await picture(page, 'questions');
  });

  for (const about of OTHERS)
    it(`asks about ${about.toLowerCase()}s, and says why there is nothing`, async () => {
      await page.getByLabel('About').selectOption(about);
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page
        .getByText(/Nothing happened in this time|hidden/)
        .first()
        .waitFor();
      expect(await page.getByRole('alert').allInnerTexts()).toStrictEqual([]);
    });
});
