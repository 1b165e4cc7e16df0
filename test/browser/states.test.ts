import type { BrowserContext, Page } from 'playwright-core';
import { makeCrowd, noteCounted } from '../domains/reports/crowd.js';
import { faultsOf, picture, unreached, useBrowser } from '../support/browser.js';
import { useService } from '../support/harness.js';

const PASSWORD = 'somebody who asks for numbers';
const VIEWS = ['Table', 'Lines', 'Bars', 'Stacked bars', 'Heat map', 'Numbers'];

describe('Each state of the playground', () => {
  const service = useService();
  const browser = useBrowser();
  let context: BrowserContext;
  let page: Page;
  /** What axe-core finds, by the name of the state. */
  let found: Record<string, readonly string[]>;

  beforeEach(async () => {
    await makeCrowd(service(), [
      { members: 20 },
      { members: 30, language: 2, type: 'drops' },
      { members: 2, type: 'spray' },
    ]);
    await noteCounted(service(), '2026-02-20');
    await service().data(
      `mutation { createUser(input: { username: "ana", email: "ana@example.org", name: "Ana",
        password: "${PASSWORD}", roles: [ANALYST], language: 1 }) { account { id } } }`,
      {},
      { headers: await service().session('administrator') },
    );
    found = {};
  });
  afterEach(() => context?.close());

  async function open(path: string, colorScheme: 'light' | 'dark' = 'light') {
    context = await browser().newContext({ viewport: { width: 1400, height: 1000 }, colorScheme });
    page = await context.newPage();
    await page.goto(service().url + path);
  }

  async function signIn() {
    await page.getByRole('button', { name: 'Sign in' }).click();
    await fillIn(PASSWORD);
    await page.getByText('ana analyst').waitFor();
  }

  async function fillIn(password: string) {
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('User name or e-mail').fill('ana');
    await dialog.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
  }

  /** Looks at a state: keeps a picture, and what axe-core finds. */
  async function look(name: string) {
    await picture(page, `state-${name}`);
    const faults = await faultsOf(page);
    if (faults.length > 0) found[name] = faults;
  }

  const written = () => page.getByLabel(/read back into the choices/);
  const told = (text: string | RegExp) => page.getByText(text).first().waitFor();

  async function ask(query: string) {
    await written().fill(query);
    const answered = page.waitForResponse((response) =>
      Boolean(response.request().postData()?.includes('Report(')),
    );
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await answered;
    await page.locator('.care-result[aria-busy=false]').waitFor();
  }

  const RANGE = 'from: "2026-01-01", to: "2026-02-28"';

  for (const scheme of ['light', 'dark'] as const) {
    it(`of reports has no fault that axe-core finds, ${scheme}`, async () => {
      await open('/graphql', scheme);
      await told('Sign in at the top right.');
      await look(`${scheme}-nobody`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await look(`${scheme}-dialog`);
      await fillIn('another password');
      await page.getByRole('alert').getByText(/./).first().waitFor();
      await look(`${scheme}-dialog-refused`);
      await fillIn(PASSWORD);
      await page.getByLabel('About').waitFor();
      for (const summary of await page.locator('form summary').all()) await summary.click();
      await look(`${scheme}-choices`);
      await ask(`{ doseReport(${RANGE}) { rows { month language taken missed withheld } } }`);
      for (const view of VIEWS) {
        await page.getByRole('radio', { name: view, exact: true }).check();
        await page.waitForTimeout(300);
        await look(`${scheme}-${view}`);
      }
      await page.getByRole('radio', { name: 'Table' }).check();
      await page.getByRole('button', { name: 'taken', exact: true }).click();
      await look(`${scheme}-ordered`);
      await ask(
        `{ doseReport(${RANGE}, filter: { medicineType: ["spray"] }) { rows { month taken withheld } } }`,
      );
      await told(/^Nothing is shown: .* too few people are behind all of it/);
      await look(`${scheme}-hidden`);
      await ask('{ doseReport(from: "2024-01-01", to: "2024-02-29") { rows { month taken } } }');
      await told(/^Nothing is shown: /);
      await look(`${scheme}-empty`);
      await ask('{ doseReport(from: "2006-01-01", to: "2026-01-01") { rows { month taken } } }');
      await page
        .getByRole('alert')
        .getByText(/Choose a shorter time/)
        .waitFor();
      await look(`${scheme}-refused`);
      await written().fill('{ posts { totalCount } }');
      await told(/The builder has no report named posts/);
      await look(`${scheme}-unreadable`);
      await context.setOffline(true);
      await told(/^You are offline/);
      await look(`${scheme}-offline`);
      await context.setOffline(false);
      await page.route('**/graphql', (route) =>
        route.request().postData()?.includes('__') ? route.abort() : route.continue(),
      );
      await page.goto(`${service().url}/graphql`);
      await told(/What can be asked is not known/);
      await look(`${scheme}-not-known`);
      expect(found).toStrictEqual({});
    });

    it(`of a board has no fault that axe-core finds, ${scheme}`, async () => {
      await open('/graphql?board=', scheme);
      await told('Sign in as clinician, analyst or administrator');
      await look(`${scheme}-board-nobody`);
      await signIn();
      await page.getByRole('link', { name: 'Board' }).click();
      await page.getByRole('button', { name: 'Refresh all' }).waitFor();
      await look(`${scheme}-board-empty`);
      await page.getByRole('link', { name: 'Reports', exact: true }).click();
      for (const [name, query] of [
        ['By language', `{ doseReport(${RANGE}) { rows { month language taken } } }`],
        [
          'Hidden',
          `{ doseReport(${RANGE}, filter: { medicineType: ["spray"] }) { rows { month taken } } }`,
        ],
        [
          'Too long',
          '{ doseReport(from: "2006-01-01", to: "2026-01-01") { rows { month taken } } }',
        ],
      ] as const) {
        await page.getByRole('button', { name: 'New question' }).click();
        await written().fill(query);
        await page.getByLabel('Name', { exact: true }).fill(name);
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await told('Saved. The address of this page opens it.');
      }
      await page.getByRole('link', { name: 'Board' }).click();
      for (const name of ['By language', 'Hidden', 'Too long'])
        await page.getByLabel(name, { exact: true }).check();
      await page.locator('.care-tile svg').first().waitFor();
      await told(/Choose a shorter time/);
      await look(`${scheme}-board`);
      await page.goto(`${service().url}/graphql?board=nothing`);
      await page.locator('.care-tile[aria-busy=false] .care-objection').waitFor();
      await look(`${scheme}-board-nothing`);
      await page.emulateMedia({ media: 'print' });
      await look(`${scheme}-board-print`);
      expect(found).toStrictEqual({});
    });

    it(`of the page from REST has no fault that axe-core finds, ${scheme}`, async () => {
      await open('/graphql/rest', scheme);
      await page.locator('summary').first().waitFor();
      await look(`${scheme}-rest`);
      await page.getByLabel('A REST address or a curl line').fill('nothing of the kind');
      await page.getByRole('button', { name: 'Find the operation' }).click();
      await page.getByRole('alert').getByText(/./).first().waitFor();
      await look(`${scheme}-rest-mistaken`);
      await page.getByLabel('A REST address or a curl line').fill('/api/v1/posts?per_page=3');
      await page.getByRole('button', { name: 'Find the operation' }).click();
      await page.getByRole('heading', { name: 'ListPosts' }).waitFor();
      await page.locator('summary').last().click();
      await look(`${scheme}-rest-found`);
      await page.getByRole('searchbox').fill('no route has this');
      await look(`${scheme}-rest-none`);
      await page.route('**/operations.json', (route) => route.abort());
      await page.reload();
      await told(/The routes could not be read/);
      await look(`${scheme}-rest-unread`);
      expect(found).toStrictEqual({});
    });

    it(`of the editor that does not come has no fault that axe-core finds, ${scheme}`, async () => {
      await open('/graphql', scheme);
      await page.route('**/editor-*', (route) => route.abort());
      await page.getByRole('link', { name: 'Code', exact: true }).first().click();
      await told(/The editor could not be loaded/);
      await look(`${scheme}-code-not-loaded`);
      expect(found).toStrictEqual({});
    });
  }

  it('of Code is reached by the keyboard alone', async () => {
    await open(`/graphql?${new URLSearchParams({ query: '{ site { title } }' })}`);
    await page.getByRole('button', { name: /execute query/i }).waitFor();
    await signIn();
    await page.getByRole('button', { name: 'Show Reports' }).click();
    expect(await unreached(page)).toStrictEqual([]);
    // Into the editor by Enter, and out of it again.
    await page.locator('.graphiql-editor').first().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('query Typed { viewer { username } }');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('.graphiql-response').getByText('"ana"').waitFor();
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    const isInside = 'Boolean(document.activeElement?.closest(".monaco-editor"))';
    expect(await page.evaluate(isInside)).toBe(false);
  });

  it('of the page from REST is reached by the keyboard alone', async () => {
    await open('/graphql/rest');
    await page.locator('summary').first().waitFor();
    await page.getByLabel('A REST address or a curl line').fill('/api/v1/posts?per_page=3');
    await page.getByRole('button', { name: 'Find the operation' }).press('Enter');
    await page.getByRole('heading', { name: 'ListPosts' }).waitFor();
    await page.getByRole('searchbox').fill('post');
    expect(await unreached(page)).toStrictEqual([]);
  });
});
