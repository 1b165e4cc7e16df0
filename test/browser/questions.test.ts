import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FieldNode, Kind, parse, type SelectionSetNode } from 'graphql';
import type { Page } from 'playwright-core';
import { projectRoot } from '../../src/platform/root.js';
import { makeYear } from '../domains/reports/year.js';
import { picture, useBrowser } from '../support/browser.js';
import { useService } from '../support/harness.js';
import { makeClinic } from './clinic.js';

/** What is clicked for a question, by the labels of the page. */
interface Clicks {
  readonly about?: string;
  readonly time: string;
  readonly numbers: readonly string[];
  readonly by?: readonly string[];
  /** Values that are kept, by the label of the dimension. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  /** Values of options by their labels, in the order in which they are chosen. */
  readonly options?: Readonly<Record<string, string | true>>;
}

const YEAR = 'Last 12 months';
/** Milliseconds in which a question is asked and answered, by somebody who takes a second for each choice. */
const LONGEST = 60_000;
const A_CHOICE = 1_000;

/** The questions of docs/reports.md, in its words. */
const QUESTIONS: Readonly<Record<string, Clicks>> = {
  'How well do members keep to their plans, by month?': {
    ...{ time: YEAR, numbers: ['Adherence rate'], by: ['Month'] },
  },
  'How many doses were missed in each week?': {
    ...{ time: 'Last 90 days', numbers: ['Missed'], by: ['Week'] },
  },
  'Which languages keep to their plans best?': {
    ...{ time: YEAR, numbers: ['Adherence rate'], by: ['Language'] },
    options: { 'Order by': 'Adherence rate' },
  },
  'At what hour are doses missed?': { time: YEAR, numbers: ['Missed'], by: ['Hour'] },
  'On which day of the week, and at what hour?': {
    ...{ time: YEAR, numbers: ['Missed', 'Adherence rate'], by: ['Weekday', 'Hour'] },
  },
  'Which types of medicine are taken most?': {
    ...{ time: YEAR, numbers: ['Taken'], by: ['Medicine type'] },
    options: { 'Order by': 'Taken', 'Rows at most': '3' },
  },
  'How do drops do by language and month?': {
    ...{ time: YEAR, numbers: ['Scheduled', 'Adherence rate'], by: ['Month', 'Language'] },
    only: { 'Medicine type': ['drops'] },
  },
  'And drops together with sprays?': {
    ...{ time: YEAR, numbers: ['Taken'], by: ['Month'] },
    only: { 'Medicine type': ['drops', 'spray'] },
  },
  'How many doses have no type?': {
    ...{ time: YEAR, numbers: ['Scheduled'], by: ['Quarter'] },
    only: { 'Medicine type': ['none'] },
  },
  'How many different members had doses in each quarter?': {
    ...{ time: YEAR, numbers: ['Members'], by: ['Quarter'] },
  },
  'Is it better than in the quarter before?': {
    ...{ time: 'Last quarter', numbers: ['Adherence rate'], by: ['Month'] },
    options: { 'Compare with': 'Previous period' },
  },
  'How was each of the last days, also where nothing happened?': {
    ...{ time: 'Last 30 days', numbers: ['Scheduled', 'Skipped'], by: ['Date'] },
    options: { 'Length of dates': 'Day', 'Fill gaps': true },
  },
  'How many doses were logged as needed, by kind of schedule?': {
    ...{ time: YEAR, numbers: ['As needed'], by: ['Schedule kind'] },
  },
  'How many doses were there at all?': { time: 'Last year', numbers: ['Scheduled', 'Taken'] },
  'Is it getting better, the ups and downs of weeks aside?': {
    ...{ time: 'Last 90 days', numbers: ['Adherence rate'], by: ['Date'] },
    options: {
      ...{ 'Length of dates': 'Week', 'Weeks begin on': 'Sunday', 'Moving average': true },
      'Rows of the moving average': '4',
    },
  },
  'How many doses were taken up to each month?': {
    ...{ time: YEAR, numbers: ['Taken'], by: ['Date'] },
    options: { 'Length of dates': 'Month', 'Running sum': true },
  },
  'Which types lead in each month, and what is the rest?': {
    ...{ time: YEAR, numbers: ['Taken'], by: ['Date', 'Medicine type'] },
    options: { 'Length of dates': 'Month', 'Leading values': '2' },
  },
  'How many accounts signed up by month?': {
    ...{ about: 'Account', time: YEAR, numbers: ['Sign ups'], by: ['Month'] },
  },
  'Are there more than in the year before?': {
    ...{ about: 'Account', time: 'Last quarter', numbers: ['Sign ups'], by: ['Month'] },
    options: { 'Compare with': 'Previous year' },
  },
  'How many accounts were active?': {
    ...{ about: 'Account', time: YEAR, numbers: ['Active'], by: ['Month'] },
  },
  'In which countries are they, and since when?': {
    ...{ about: 'Account', time: 'Last quarter', numbers: ['Active'] },
    by: ['Country', 'Account age'],
  },
  'What was answered in polls?': {
    ...{ about: 'Poll choice', time: YEAR, numbers: ['Choices'], by: ['Poll', 'Option'] },
  },
  'Are appointments that are made early attended more?': {
    ...{ about: 'Appointment', time: 'Last quarter', numbers: ['Planned', 'Attendance rate'] },
    by: ['Lead time'],
  },
  'Do reminders reach each platform?': {
    ...{ about: 'Notification', time: 'Last 90 days', by: ['Platform'] },
    numbers: ['Deliveries', 'Delivery rate'],
  },
  'How many directions are not understood?': {
    ...{ about: 'Reminder', time: YEAR, numbers: ['Created', 'Unrecognized rate'], by: ['Kind'] },
  },
  'How punctually are doses taken?': { time: YEAR, numbers: ['Scheduled'], by: ['Punctuality'] },
  'How late are doses, usually and one in ten?': {
    ...{ time: 'Last quarter', numbers: ['Median lateness', 'P90 lateness'], by: ['Month'] },
  },
  'Do members keep to a reminder while it ages?': {
    ...{ time: YEAR, numbers: ['Adherence rate'], by: ['Reminder age'] },
  },
  'How many accounts stay, week by week after signing up?': {
    ...{ about: 'Cohort', time: YEAR, numbers: ['Active rate'], by: ['Weeks since'] },
  },
  'When do reminders stop?': {
    ...{ about: 'Reminder cohort', time: YEAR, numbers: ['Drop off rate'], by: ['Weeks since'] },
  },
};

/** The recipes of docs/reports.md: the GraphQL of a question, written by hand, by its words. */
const RECIPES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...readFileSync(join(projectRoot, 'docs/reports.md'), 'utf8').matchAll(
      /^# (.+\?)\nask '([^']+)'; echo$/gm,
    ),
  ].map(([, words, query]) => [words, query]),
);

/** Reports of which nothing is in this data: they are asked all the same. */
const OTHERS = ['Poll', 'Form', 'Content'];

const PASSWORD = 'somebody who asks for numbers';

describe('Questions of care, asked by the builder alone', () => {
  const service = useService();
  const browser = useBrowser();
  let page: Page;
  /** Clicks and choices made for the question. */
  let acts = 0;

  beforeEach(async () => {
    service().at('2026-01-10T12:00:00Z');
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

  /** Waits for one click or choice of a person, and counts it. */
  function act<T>(made: Promise<T>): Promise<T> {
    acts++;
    return made;
  }

  /** Leaves the boxes of a group checked that are named. */
  async function check(name: string, labels: readonly string[]) {
    const boxes = group(name).getByRole('checkbox', { checked: true });
    while ((await boxes.count()) > 0) await act(boxes.first().uncheck());
    for (const label of labels) await act(group(name).getByLabel(label, { exact: true }).check());
  }

  async function choose({
    about = 'Dose',
    time,
    numbers,
    by = [],
    only = {},
    options = {},
  }: Clicks) {
    await act(page.getByRole('button', { name: 'New question' }).click());
    await act(page.getByLabel('About').selectOption(about));
    await act(page.getByRole('combobox', { name: 'Time' }).selectOption(time));
    await check('Numbers', numbers);
    await check('By', by);
    for (const [dimension, values] of Object.entries(only)) {
      await act(group('Only').getByText(dimension, { exact: true }).click());
      const list = page.getByLabel(`Values of ${dimension}`);
      for (const value of values) await act(list.getByLabel(value, { exact: true }).check());
    }
    if (Object.keys(options).length > 0 && !(await page.getByLabel('Order by').isVisible()))
      await act(page.getByText('Order, comparison and more').click());
    for (const [label, value] of Object.entries(options)) await act(chooseOption(label, value));
  }

  async function chooseOption(name: string, value: string | true) {
    const named = { name, exact: true };
    if (value === true) return page.getByRole('checkbox', named).check();
    const list = page.getByRole('combobox', named);
    if ((await list.count()) > 0) await list.selectOption(value);
    else await page.getByRole('spinbutton', named).fill(value);
  }

  /** Presses Ask, shows the table, and returns the columns that are wanted. */
  async function answer(columns: readonly string[]): Promise<readonly (readonly string[])[]> {
    await act(page.getByRole('button', { name: 'Ask', exact: true }).click());
    await page.getByText('The question has changed since this answer').waitFor({ state: 'hidden' });
    await page.locator('.care-result[aria-busy=false] .care-views').waitFor();
    await act(page.getByRole('radio', { name: 'Table' }).check());
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

  it('has a recipe for each of them, and clicks for each recipe', () => {
    expect(Object.keys(QUESTIONS)).toStrictEqual(Object.keys(RECIPES));
  });

  it(`asks ${Object.keys(QUESTIONS).length} of them by clicks, and each answer is right`, async () => {
    await makeYear(service(), 240);
    await makeClinic(service());
    let all = 0;
    for (const [words, clicks] of Object.entries(QUESTIONS)) {
      const recipe = RECIPES[words] ?? '';
      const { report, paths } = selectedIn(recipe);
      const started = performance.now();
      acts = 0;
      await choose(clicks);
      // The builder shows the name of a poll or an option in the place of its number.
      const shown = await answer(paths.map((path) => path.replace(/Name$/, '')));
      const took = performance.now() - started;
      all += took;
      process.stdout.write(`${(took / 1000).toFixed(1)} s, ${acts} clicks: ${words}\n`);
      expect(took + acts * A_CHOICE, words).toBeLessThan(LONGEST);
      const { rows } = (await service().data(recipe, {}, 'analyst'))[report];
      const right = rows.map((row: Row) => paths.map((path) => textAt(row, path)));
      expect(shown, words).toStrictEqual(right);
      const number = paths.filter((path) => !/\b(withheld|isOthers)$/.test(path)).at(-1) ?? '';
      expect(
        rows.some((row: Row) => typeof valueAt(row, number) === 'number'),
        words,
      ).toBe(true);
    }
    process.stdout.write(`${(all / 1000).toFixed(1)} s: all of them\n`);
    await picture(page, 'questions');
  });

  for (const about of OTHERS)
    it(`asks about ${about.toLowerCase()}s, and says why there is nothing`, async () => {
      await page.getByLabel('About').selectOption(about);
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page
        .getByText(/^Nothing is shown|hidden/)
        .first()
        .waitFor();
      expect(await page.getByRole('alert').allInnerTexts()).toStrictEqual([]);
    });
});

type Row = Readonly<Record<string, unknown>>;

const valueAt = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Row | null)?.[key], row);

/** Returns a value as the table shows it. */
function textAt(row: Row, path: string): string {
  const value = valueAt(row, path);
  // What is not among the leading values has no value of its own.
  if (value === null && row.isOthers === true && path === 'medicineType') return 'others';
  return typeof value === 'number'
    ? value.toLocaleString('en', { maximumFractionDigits: 4 })
    : String(value ?? '');
}

const fieldsOf = (set: SelectionSetNode | undefined): readonly FieldNode[] =>
  (set?.selections ?? []).filter((selection) => selection.kind === Kind.FIELD);

/** Returns the report of a recipe, and the paths of what it selects of rows. */
function selectedIn(recipe: string): { report: string; paths: readonly string[] } {
  const [operation] = parse(recipe).definitions;
  const [root] =
    operation?.kind === Kind.OPERATION_DEFINITION ? fieldsOf(operation.selectionSet) : [];
  const rows = fieldsOf(root?.selectionSet).find(({ name }) => name.value === 'rows');
  const paths = fieldsOf(rows?.selectionSet).flatMap(({ name, selectionSet }) =>
    selectionSet
      ? fieldsOf(selectionSet).map((inner) => `${name.value}.${inner.name.value}`)
      : [name.value],
  );
  return { report: root?.name.value ?? '', paths };
}
