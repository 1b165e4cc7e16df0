import type { BrowserContext, Page } from 'playwright-core';
import { makeCrowd, noteCounted } from '../domains/reports/crowd.js';
import { faultsOf, picture, unreached, useBrowser } from '../support/browser.js';
import { useService } from '../support/harness.js';

const PASSWORD = 'somebody who asks for numbers';

describe('The builder of reports in a browser', () => {
  const service = useService();
  const browser = useBrowser();
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeEach(async () => {
    await makeCrowd(service(), [{ members: 20 }, { members: 30, language: 2, type: 'drops' }]);
    await noteCounted(service(), '2026-02-20');
    for (const [name, role] of [
      ['ana', 'ANALYST'],
      ['bo', 'ANALYST'],
    ])
      await service().data(
        `mutation { createUser(input: { username: "${name}", email: "${name}@example.org",
          name: "${name}", password: "${PASSWORD}", roles: [${role}], language: 1 }) {
          account { id } } }`,
        {},
        { headers: await service().session('administrator') },
      );
    context = await browser().newContext({ viewport: { width: 1400, height: 900 } });
    complaints = [];
    page = await open('/graphql');
  });
  afterEach(() => context?.close());

  async function open(path: string): Promise<Page> {
    const opened = await context.newPage();
    opened.on('pageerror', ({ message }) => complaints.push(message));
    await opened.goto(service().url + path);
    return opened;
  }

  async function signIn(name = 'ana', on = page) {
    await on.getByRole('button', { name: 'Sign in' }).click();
    const dialog = on.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('User name or e-mail').fill(name);
    await dialog.getByLabel('Password').fill(PASSWORD);
    await on.keyboard.press('Enter');
    await on.getByText(`${name} analyst`).waitFor();
  }

  const group = (name: string) => page.getByRole('group', { name: new RegExp(`^${name}`) });
  const written = () => page.getByLabel(/read back into the choices/);
  const chart = (on = page) => on.locator('.care-chart svg').first();

  /** Presses Ask, and waits for the answer. */
  async function ask() {
    const answered = page
      .waitForResponse(({ request }) => Boolean(request().postData()?.includes('Report')))
      .catch(() => undefined);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await answered;
    await page.locator('.care-result[aria-busy=false]').waitFor();
  }

  async function choosePeriod(from = '2026-01-01', to = '2026-02-28') {
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Days that I choose');
    await page.getByLabel('First day').fill(from);
    await page.getByLabel('Last day').fill(to);
  }

  async function byMonth() {
    await group('By').getByLabel('Date', { exact: true }).uncheck();
    await group('By').getByLabel('Month').check();
  }

  /** Saves what is asked under a name. Returns its address. */
  async function save(name: string, isShared = false): Promise<string> {
    await page.getByLabel('Name', { exact: true }).fill(name);
    if (isShared) await page.getByLabel(/Share with/).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. The address of this page opens it.').waitFor();
    return page.url().slice(service().url.length);
  }

  it('asks by clicks, with values of a filter, and writes the GraphQL beside it', async () => {
    expect(await faultsOf(page)).toStrictEqual([]);
    await signIn();
    await choosePeriod();
    await byMonth();
    await group('By').getByLabel('Language', { exact: true }).check();
    await group('Numbers').getByLabel('Taken').check();
    await group('Only').getByText('Medicine type').click();
    await page.getByLabel('Values of Medicine type').getByLabel('drops').check();
    expect(await written().inputValue()).toContain('filter: { medicineType: ["drops"] }');
    await ask();
    await chart().waitFor();
    await page.getByText(/^2026-02 is not over/).waitFor();
    await page.getByText('The values as a table').click();
    const { doseReport } = await service().data(
      `{ doseReport(from: "2026-01-01", to: "2026-02-28", filter: { medicineType: "drops" }) {
        rows { month language taken adherenceRate } } }`,
      {},
      'analyst',
    );
    expect(doseReport.rows.length).toBeGreaterThan(0);
    const shown = await page.locator('.care-rows tbody tr').allInnerTexts();
    for (const [index, { month, taken }] of doseReport.rows.entries()) {
      expect(shown[index]).toContain(month);
      expect(shown[index]).toContain(taken.toLocaleString('en'));
    }
    await picture(page, 'builder');
    expect(await faultsOf(page)).toStrictEqual([]);
    expect(complaints).toStrictEqual([]);
  });

  it('reads back what is written, and says what it cannot show', async () => {
    await signIn();
    await written().fill(
      '{ accountReport(from: "2026-01-01", to: "2026-02-28") { rows { month signUps } } }',
    );
    expect(await page.getByLabel('About').inputValue()).toBe('accountReport');
    expect(await group('Numbers').getByLabel('Sign ups').isChecked()).toBe(true);
    await written().fill('{ posts { totalCount } }');
    await page.getByText(/The builder has no report named posts/).waitFor();
    await picture(page, 'builder-unreadable');
    expect(await faultsOf(page)).toStrictEqual([]);
  });

  it('runs a saved report when it is opened; who may not see it is told so', async () => {
    await signIn();
    await choosePeriod();
    const own = await save('Adherence of the winter');
    const other = await open(own);
    await chart(other).waitFor();
    await other.getByRole('heading', { name: 'Adherence of the winter' }).waitFor();
    const stranger = await (await browser().newContext()).newPage();
    await stranger.goto(service().url + own);
    await stranger.getByText('Sign in to open this report.').waitFor();
    await signIn('bo', stranger);
    await stranger.getByText(/There is no such report, or it is not shared with you/).waitFor();
    await picture(stranger, 'builder-not-shared');
    expect(await faultsOf(stranger)).toStrictEqual([]);
    await stranger.context().close();
    expect(complaints).toStrictEqual([]);
  });

  it('shares the sign-in with other tabs, and keeps question, answer and history on reload', async () => {
    await signIn();
    await choosePeriod();
    await ask();
    await chart().waitFor();
    await page.reload();
    await chart().waitFor();
    expect(await page.getByLabel('First day').inputValue()).toBe('2026-01-01');
    await page.getByRole('button', { name: /^Dose: adherence rate by date/ }).waitFor();
    const second = await open('/graphql');
    await second.getByText('ana analyst').waitFor();
    expect(await second.evaluate(() => localStorage.length)).toBe(0);
    await second.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('care:asked-at'))).toBeNull();
    await signIn('bo', second);
    await page.getByText('bo analyst').waitFor();
    expect(complaints).toStrictEqual([]);
  });

  it('shows an answer under its own name until the next one, with its time', async () => {
    await signIn();
    await choosePeriod();
    await ask();
    await chart().waitFor();
    await page.getByText(/^Asked .*, counted up to /).waitFor();
    await page.getByLabel('About').selectOption('accountReport');
    await page.getByText('The question has changed since this answer. Ask again.').waitFor();
    await page.getByRole('heading', { name: /^Dose: adherence rate by date/ }).waitFor();
    expect(await page.getByRole('heading', { name: /^Account:/ }).count()).toBe(0);
    await chart().waitFor();
    await page.reload();
    await page.getByRole('heading', { name: /^Dose: adherence rate by date/ }).waitFor();
    await page.getByText(/^Asked .*, counted up to /).waitFor();
    expect(complaints).toStrictEqual([]);
  });

  it('says that there are more rows than it asks for', async () => {
    await signIn();
    await choosePeriod();
    await byMonth();
    await page.getByText('Order, comparison and more').click();
    await page.getByLabel('Rows at most').fill('1');
    await ask();
    await page.getByText('This is the first row: there are more.').waitFor();
  });

  it('renews an expired session in one tab, and the others take it', async () => {
    await signIn();
    await choosePeriod();
    const second = await open('/graphql');
    await second.getByText('ana analyst').waitFor();
    const asked: string[] = [];
    for (const tab of [page, second])
      tab.on('request', (request) => {
        if (request.postData()?.includes('mutation Refresh')) asked.push('Refresh');
      });
    service().at(service().now() + 16 * 60_000);
    await Promise.all(
      [page, second].map((tab) => tab.getByRole('button', { name: 'Ask', exact: true }).click()),
    );
    await chart().waitFor();
    await second
      .locator('.care-result[aria-busy=false]')
      .getByText(/Nothing is shown|hidden|values/)
      .first()
      .waitFor();
    expect(asked).toStrictEqual(['Refresh']);
    await page.getByText('ana analyst').waitFor();
  });

  it('says what to do when it is offline, and when the service refuses; the answer stays', async () => {
    await signIn();
    await choosePeriod();
    await ask();
    await chart().waitFor();
    await context.setOffline(true);
    await page
      .getByText(/^You are offline. What is on the page stays/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/^You are offline/)
      .waitFor();
    await chart().waitFor();
    await picture(page, 'builder-offline');
    expect(await faultsOf(page)).toStrictEqual([]);
    await context.setOffline(false);
    await group('By').getByLabel('Date', { exact: true }).uncheck();
    await group('By').getByLabel('Day', { exact: true }).check();
    await group('By').getByLabel('Hour').check();
    await choosePeriod('2026-01-01', '2026-02-20');
    await ask();
    await page.getByText(/Leave out a group or filter, or ask for whole months/).waitFor();
    await choosePeriod('2026-03-01', '2026-02-20');
    await page.getByText('The first day is after the last: exchange them.').waitFor();
    expect(await page.getByRole('button', { name: 'Ask', exact: true }).isDisabled()).toBe(true);
    expect(await faultsOf(page)).toStrictEqual([]);
  });

  it('says why it is empty', async () => {
    await signIn();
    await choosePeriod('2024-01-01', '2024-02-29');
    await ask();
    await page
      .getByText(/Nothing is shown|hidden/)
      .first()
      .waitFor();
    await picture(page, 'builder-empty');
    expect(await faultsOf(page)).toStrictEqual([]);
    await choosePeriod('2126-01-01', '2126-02-01');
    await ask();
    await page
      .getByRole('alert')
      .getByText(/begins in the future, where nothing has happened yet\. Choose other days\.$/)
      .waitFor();
    await choosePeriod('2006-01-01', '2026-01-01');
    await ask();
    await page
      .getByRole('alert')
      .getByText(/Choose a shorter time\.$/)
      .waitFor();
    await picture(page, 'builder-too-long');
  });

  it('has a board of saved reports, which is its address, and can be printed', async () => {
    await signIn();
    await choosePeriod();
    await byMonth();
    await save('Adherence by month', true);
    await group('By').getByLabel('Medicine type').check();
    await page.getByLabel('Name', { exact: true }).fill('By type');
    await page.getByLabel(/Share with/).uncheck();
    await page.getByRole('button', { name: 'Save as new' }).click();
    await page.getByRole('link', { name: 'By type' }).waitFor();
    await page.getByRole('link', { name: 'Board' }).click();
    await page.getByLabel('Adherence by month').check();
    await page.getByLabel('By type').check();
    await page.locator('.care-tile svg').nth(1).waitFor();
    await page.getByLabel('Name of the board').fill('The winter');
    await page.getByText('What stands on it').click();
    expect(page.url()).toContain('name=The%20winter');
    const address = page.url();
    await page.goto(address);
    await page.getByRole('heading', { name: 'The winter' }).waitFor();
    await page.locator('.care-tile svg').nth(1).waitFor();
    const dots = page.locator('.care-tile').nth(1).locator('[aria-label=dot] circle');
    expect(await dots.count(), 'two months of two types').toBe(4);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.postData() ?? ''));
    await page.getByRole('button', { name: 'Refresh all' }).click();
    await page.waitForTimeout(1_000);
    expect(asked.filter((text) => text.includes('doseReport(')).length).toBe(2);
    await picture(page, 'board');
    expect(await faultsOf(page)).toStrictEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    await picture(page, 'board-print');
    await page.emulateMedia({ media: 'screen' });
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Refresh all' }).click();
    await page
      .getByText(/What is on the page stays/)
      .nth(2)
      .waitFor();
    expect(await page.locator('.care-tile svg').count()).toBeGreaterThan(1);
    await page.locator('.care-tile').getByRole('heading', { name: 'By type' }).waitFor();
    await context.setOffline(false);
    // Another analyst sees of it what is shared.
    const stranger = await (await browser().newContext()).newPage();
    await stranger.goto(address);
    await stranger.getByText('Sign in as clinician, analyst or administrator').waitFor();
    await signIn('bo', stranger);
    await stranger.locator('.care-tile svg').first().waitFor();
    await stranger.getByText(/is not shared with you/).waitFor();
    await stranger.context().close();
  });

  it('stays signed in when the service is busy while the session is renewed', async () => {
    await signIn();
    await ask();
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation Refresh')) return route.fallback();
      const errors = [{ message: 'Not now.', extensions: { code: 'UNAVAILABLE' } }];
      return route.fulfill({ status: 503, json: { errors } });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.unroute('**/graphql');
    await page.reload();
    await page.getByText('ana analyst').waitFor();
    await page.locator('.care-result table, .care-result svg').first().waitFor();
  });

  it('leaves the address of a report for another question', async () => {
    await signIn();
    await choosePeriod();
    await byMonth();
    const address = await save('By month');
    await page.getByLabel('About').selectOption({ index: 1 });
    expect(new URL(page.url()).search).toBe('');
    expect(new URL(address, service().url).search).toContain('report=');
    await ask();
    await page.getByRole('list').getByRole('button', { name: /month/i }).first().click();
    expect(new URL(page.url()).search).toBe('');
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
  });

  it('keeps the relative range of a saved report', async () => {
    await signIn();
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Last 90 days');
    const address = await save('The last days');
    const [saved] = await service().database.query<{ query: string }>(
      'SELECT query FROM saved_report',
    );
    expect(saved?.query).toContain('range: LAST_90_DAYS');
    const other = await open(address);
    await other.getByRole('heading', { name: 'The last days' }).waitFor();
    const period = other.getByRole('combobox', { name: 'Time' });
    expect(await period.locator('option:checked').innerText()).toBe('Last 90 days');
  });

  it('has twelve reports at most on a board, each once, whatever its address says', async () => {
    await signIn();
    await save('The thirteenth');
    const ids = Array.from({ length: 13 }, (_, index) => `report${index}`);
    await page.goto(`${service().url}/graphql?board=${['report0', ...ids].join(',')}`);
    await page.locator('.care-tile').nth(11).waitFor();
    expect(await page.locator('.care-tile').count()).toBe(12);
    await page.getByText('What stands on it').click();
    expect(await page.getByLabel('The thirteenth').isDisabled()).toBe(true);
  });

  for (const view of ['reports', 'board'] as const)
    it(`is reached by the keyboard alone: ${view}`, async () => {
      await signIn();
      await page.getByRole('button', { name: 'Ask', exact: true }).waitFor();
      await choosePeriod();
      await ask();
      await chart().waitFor();
      await save('Adherence by month');
      if (view === 'board') {
        await page.getByRole('link', { name: 'Board' }).click();
        await page.getByLabel('Adherence by month').check();
        await page.locator('.care-tile svg').first().waitFor();
      }
      expect(await unreached(page)).toStrictEqual([]);
    });
});
