import type { Page } from 'playwright-core';
import { makeCrowd, noteCounted } from '../domains/reports/crowd.js';
import { faultsOf, picture, useBrowser } from '../support/browser.js';
import { useService } from '../support/harness.js';

const PASSWORD = 'somebody who asks for numbers';
/** More than twelve types, some of which have long names. */
const TYPES = Array.from({ length: 15 }, (_, index) =>
  index < 3
    ? `a very long name of a type of medicine, as people write it, ${index}`
    : `type${index}`,
);

describe('Series and leading values in a browser', () => {
  const service = useService();
  const browser = useBrowser();
  let page: Page;

  beforeEach(async () => {
    await makeCrowd(
      service(),
      TYPES.map((type, index) => ({ members: 30 + index, type })),
    );
    await noteCounted(service(), '2026-02-22');
    await service().data(
      `mutation { createUser(input: { username: "ana", email: "ana@example.org", name: "Ana",
        password: "${PASSWORD}", roles: [ANALYST], language: 1 }) { account { id } } }`,
      {},
      { headers: await service().session('administrator') },
    );
    page = await browser().newPage({ viewport: { width: 1400, height: 1500 } });
    await page.goto(`${service().url}/graphql`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('User name or e-mail').fill('ana');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('About').waitFor();
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Days that I choose');
    await page.getByLabel('First day').fill('2026-01-01');
    await page.getByLabel('Last day').fill('2026-02-20');
    await group('Numbers').getByLabel('Adherence rate').uncheck();
    await group('Numbers').getByLabel('Taken').check();
    await page.getByText('Order, comparison and more').click();
  });
  afterEach(() => page?.close());

  const group = (name: string) => page.getByRole('group', { name: new RegExp(`^${name}`) });
  const choice = (name: string) => page.getByRole('combobox', { name });
  const chart = () => page.locator('.care-chart svg').first();
  async function ask() {
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('The question has changed since this answer').waitFor({ state: 'hidden' });
    await page.locator('.care-result[aria-busy=false] .care-views').waitFor();
  }

  it('draws a moving average, by days, of as many rows as are chosen', async () => {
    await choice('Length of dates').selectOption('Day');
    await page.getByLabel('Fill gaps').check();
    await page.getByLabel('Moving average', { exact: true }).check();
    await page.getByLabel('Rows of the moving average').fill('5');
    await page.getByLabel('Running sum').check();
    await ask();
    await choice('Measure').selectOption('movingAverage.taken');
    await page.getByText(/^4 values are missing: the rows that it is of begin before/).waitFor();
    await chart().waitFor();
    await picture(page, 'moving-average');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await faultsOf(page)).toStrictEqual([]);
  });

  it('draws leading values and their others, and more series than twelve', async () => {
    await group('By').getByLabel('Medicine type').check();
    await ask();
    await page.getByText(/^The 12 largest of 15 are drawn by name/).waitFor();
    await chart().waitFor();
    await picture(page, 'many-series');
    await page.getByLabel('Leading values', { exact: true }).fill('3');
    await choice('They lead by').selectOption('Members');
    await ask();
    await page.getByText('The values as a table').click();
    await page.getByRole('cell', { name: 'others', exact: true }).first().waitFor();
    await picture(page, 'top-others');
    expect(await faultsOf(page)).toStrictEqual([]);
    await group('By').getByLabel('Date', { exact: true }).uncheck();
    await ask();
    await chart().waitFor();
    await picture(page, 'long-names');
    await page.getByLabel('Running sum').check();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/Group by one of date/)
      .waitFor();
    await picture(page, 'refused');
  });
});
