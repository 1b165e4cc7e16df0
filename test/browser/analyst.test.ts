import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { makeCrowd, noteCounted } from '../domains/reports/crowd.js';
import { faultsOf, PATIENCE, picture } from '../support/browser.js';
import { useService } from '../support/harness.js';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
];
const PASSWORD = 'an analyst looks at numbers';
const MONTHS = `query Months($from: LocalDate!, $to: LocalDate!) {
  doseReport(from: $from, to: $to) { rows { month language scheduled adherenceRate } suppressed }
}`;
const VARIABLES = { from: '2026-01-01', to: '2026-02-28' };

describe('An analyst in the playground', () => {
  const service = useService();
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: FLAGS,
    });
  });
  afterAll(() => browser?.close());
  afterEach(() => page?.close());

  /** Makes an analyst, 50 members in two languages with their doses, and a saved report. */
  async function prepare(): Promise<string> {
    await makeCrowd(service(), [{ members: 20 }, { members: 30, language: 2, type: 'drops' }]);
    await noteCounted(service(), '2026-03-20');
    await service().data(
      `mutation { createUser(input: { username: "ana", email: "ana@example.org", name: "Ana",
        password: "${PASSWORD}", roles: [ANALYST], language: 1 }) { account { id } } }`,
      {},
      { headers: await service().session('administrator') },
    );
    const { createSavedReport } = await service().data(
      `mutation Save($input: CreateSavedReportInput!) {
        createSavedReport(input: $input) { savedReport { id } } }`,
      {
        input: {
          name: 'Doses by month and language',
          query: MONTHS,
          variables: JSON.stringify(VARIABLES),
          view: 'STACK',
          isShared: true,
        },
      },
      'administrator',
    );
    return createSavedReport.savedReport.id;
  }

  async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}) {
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
    complaints = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (/content security policy|could not create web worker/i.test(message.text()))
        complaints.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith('http') && host !== new URL(service().url).host)
        complaints.push(request.url());
    });
    await page.goto(service().url + path);
  }

  async function signIn(name = 'ana', password = PASSWORD) {
    await page.getByRole('button', { name: 'Sign in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('User name or e-mail').fill(name);
    await dialog.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
  }

  /** Runs what stands in the tab, by the keyboard. */
  async function run() {
    await page.locator('.monaco-editor[data-uri*="operation"]').click();
    await page.keyboard.press('ControlOrMeta+Enter');
  }

  const chart = () => page.locator('.care-chart figure, .care-chart svg').first();

  /** Faults that axe-core finds, as text. */
  const faults = () => faultsOf(page);

  it('signs in, opens a shared report by its address, sees the chart, and gets its CSV', async () => {
    const id = await prepare();
    await open(`/graphql?report=${encodeURIComponent(id)}`);
    await page.getByText('Sign in to open this report.').waitFor(PATIENCE);
    await signIn();
    await page.getByText('ana analyst').waitFor();
    await chart().waitFor(PATIENCE);
    const { doseReport } = await service().data(MONTHS, VARIABLES, 'analyst');
    const bars = page.locator('.care-chart [aria-label="bar"] rect');
    expect(await bars.count()).toBe(doseReport.rows.length);
    const heights = await bars.evaluateAll((marks) =>
      marks.map((mark) => [Number(mark.getAttribute('height')), mark.textContent ?? ''] as const),
    );
    const scheduled = doseReport.rows.map((row: { scheduled: number }) => row.scheduled);
    const [[first = 0] = [], [second = 1] = []] = heights;
    expect(first / second).toBeCloseTo(scheduled[0] / scheduled[1], 1);
    const axes = await page.locator('.care-chart').innerText();
    for (const label of ['2026-01', '2026-02', 'month →', '↑ scheduled', 'en'])
      expect(axes).toContain(label);
    await picture(page, 'report-light');

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const download = await downloading;
    const text = readFileSync(await download.path(), 'utf8');
    expect(download.suggestedFilename()).toBe('Doses-by-month-and-language.csv');
    const [names = '', ...lines] = text.split('\r\n');
    expect(names.startsWith('month,language,scheduled,adherenceRate,interval.')).toBe(true);
    for (const [index, row] of doseReport.rows.entries())
      expect(lines[index]?.startsWith(`${Object.values(row as object).join(',')},`)).toBe(true);
    for (const [button, start] of [
      ['PNG', '\x89PNG'],
      ['SVG', '<svg'],
    ] as const) {
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: button, exact: true }).click();
      const bytes = readFileSync(await (await coming).path(), 'latin1');
      expect(bytes.startsWith(start)).toBe(true);
    }
    expect(complaints).toStrictEqual([]);
  });

  it('goes on asking when the access token expires: one refresh, whoever notices it', async () => {
    await prepare();
    await open(`/graphql?${new URLSearchParams({ query: 'query Me { viewer { username } }' })}`);
    await page.getByRole('button', { name: /execute query/i }).waitFor(PATIENCE);
    // Whoever signs in is shown the schema: what is counted below begins after that.
    const schema = page.waitForResponse((response) =>
      (response.request().postData() ?? '').includes('query IntrospectionQuery'),
    );
    await signIn();
    await page.getByText('ana analyst').waitFor();
    await (await schema).finished();
    await run();
    await page.locator('.graphiql-response').getByText('"ana"').waitFor();
    const first = await page.evaluate(() => sessionStorage.getItem('care:refresh-token'));
    const asked: string[] = [];
    page.on('response', (response) => {
      const name = /(?:query|mutation) (\w+)/.exec(response.request().postData() ?? '')?.[1];
      if (new URL(response.url()).pathname === '/graphql')
        asked.push(`${name} ${response.status()}`);
    });
    /** Asks, and returns what went over the wire until the answer was there. */
    const ask = async () => {
      asked.length = 0;
      const answered = page.waitForResponse(
        (response) => response.ok() && (response.request().postData() ?? '').includes('query Me'),
      );
      await run();
      await answered;
      await page.locator('.graphiql-response').getByText('"ana"').waitFor();
      await page.getByText(/^Status 200 · [^·]* · \d+ ms$/).waitFor();
      return [...asked];
    };
    expect(await ask()).toStrictEqual(['Me 200']);

    // Only the service knows that the token expired, as after a sleep of the computer.
    service().at(service().now() + 16 * 60_000);
    expect(await ask()).toStrictEqual(['Me 401', 'Refresh 200', 'Me 200']);
    const second = await page.evaluate(() => sessionStorage.getItem('care:refresh-token'));
    expect(second).not.toBe(first);
    expect(await ask()).toStrictEqual(['Me 200']);

    // The page knows it as well, and renews the token before it asks.
    await page.clock.install({ time: Date.now() + 16 * 60_000 });
    service().at(service().now() + 16 * 60_000);
    expect(await ask()).toStrictEqual(['Refresh 200', 'Me 200']);
    expect(await ask()).toStrictEqual(['Me 200']);
    await page.getByText('ana analyst').waitFor();
    expect(complaints).toStrictEqual([]);
  });

  it('is refused what an analyst may not see, and told which questions are too wide', async () => {
    await prepare();
    await open(`/graphql?${new URLSearchParams({ query: '{ accounts { nodes { name } } }' })}`);
    await page.getByRole('button', { name: /execute query/i }).waitFor(PATIENCE);
    await signIn();
    await page.getByText('ana analyst').waitFor();
    await run();
    await page.locator('.graphiql-response').getByText('FORBIDDEN').waitFor();
    await page.getByText(/^Status 200 · .* · 1 error$/).waitFor();
    await page.getByRole('radio', { name: 'Lines' }).click();
    await page.getByText(/Nothing to draw: The answer has no list/).waitFor();
  });

  it('saves a report, finds it after a reload, and shares it by the keyboard alone', async () => {
    await prepare();
    await open(`/graphql?${new URLSearchParams({ query: 'query Titles { site { title } }' })}`);
    await page.getByRole('button', { name: /execute query/i }).waitFor(PATIENCE);
    await signIn();
    await page.getByText('ana analyst').waitFor();
    await page.getByRole('button', { name: 'Show Reports' }).press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('The title');
    await page.getByLabel(/Share with/).press('Space');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await page.getByText('ana analyst').waitFor(PATIENCE);
    await page.getByRole('link', { name: 'The title', exact: true }).waitFor();
    const { savedReports } = await service().data(
      '{ savedReports { nodes { name query isShared isOwn } } }',
      {},
      'clinician',
    );
    expect(savedReports.nodes[0]).toStrictEqual({
      name: 'The title',
      query: 'query Titles { site { title } }',
      isShared: true,
      isOwn: false,
    });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).toBe('{}');
  });

  it('comes from a pasted curl line to the operation that answers it, filled in', async () => {
    await open('/graphql/rest');
    await page
      .getByLabel('A REST address or a curl line')
      .fill("curl 'https://care.example/api/v1/posts?per_page=3&status=publish&page=2'");
    await page.getByRole('button', { name: 'Find the operation' }).click();
    await page.getByText('GraphQL has no variable for: page.').waitFor(PATIENCE);
    await page.getByRole('searchbox').fill('getpost');
    await page.getByText('/v1/posts/{id}').first().click();
    await page.getByRole('region', { name: 'Operation' }).last().waitFor();
    await picture(page, 'from-rest');
    expect(await faults()).toStrictEqual([]);
    await page.getByRole('link', { name: 'Open in the playground' }).first().click();
    await page.locator('.graphiql-tab').getByText('ListPosts').waitFor(PATIENCE);
    expect(page.url()).toBe(`${service().url}/graphql?code`);
    await page.getByText('"per_page": 3').waitFor();
    await run();
    await page.getByText(/^Status 200 · /).waitFor();
    expect(complaints).toStrictEqual([]);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`has no fault that axe-core finds, ${colorScheme}, also on 390 pixels`, async () => {
      const id = await prepare();
      await open(`/graphql?report=${encodeURIComponent(id)}`, { colorScheme });
      await signIn();
      await chart().waitFor(PATIENCE);
      await page.getByText('The values as a table').click();
      await page.getByRole('button', { name: 'scheduled', exact: true }).click();
      await page.locator('th[aria-sort=ascending]').waitFor();
      await page.getByRole('searchbox').fill('2026-01');
      await page.getByText(/^2 of 4 rows$/).waitFor();
      await picture(page, `report-${colorScheme}-table`);
      expect(await faults()).toStrictEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.locator('.care-chart').scrollIntoViewIfNeeded();
      await picture(page, `report-${colorScheme}-390`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(390);
      const box = await page.locator('.care-chart svg').last().boundingBox();
      expect((box?.x ?? 999) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
      expect(await faults()).toStrictEqual([]);
    });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no fault that axe-core finds under Code, ${colorScheme}`, async () => {
      await prepare();
      const query = 'query Titles { site { title } }';
      await open(`/graphql?${new URLSearchParams({ query })}`, { colorScheme });
      await signIn();
      await page.getByText('ana analyst').waitFor();
      await run();
      await page.getByText(/^Status 200 · /).waitFor();
      for (const panel of ['Documentation Explorer', 'History', 'Reports']) {
        await page.getByRole('button', { name: new RegExp(`Show ${panel}`) }).click();
        expect(await faults(), panel).toStrictEqual([]);
      }
      await picture(page, `code-${colorScheme}`);
    });

    it(`has no fault that axe-core finds in an embedded report, ${colorScheme}`, async () => {
      const reportId = await prepare();
      const { createReportEmbed } = await service().data(
        `mutation Embed($input: CreateReportEmbedInput!) { createReportEmbed(input: $input) { url } }`,
        { input: { reportId, origins: ['https://www.example.org'] } },
        { headers: await service().session('administrator') },
      );
      const { pathname } = new URL(createReportEmbed.url);
      await open(pathname, { colorScheme });
      await page.getByRole('table').first().waitFor();
      await picture(page, `embedded-${colorScheme}`, true);
      expect(await faults()).toStrictEqual([]);
      await open(`${pathname}x`, { colorScheme });
      expect(await faults()).toStrictEqual([]);
    });
  }
});
