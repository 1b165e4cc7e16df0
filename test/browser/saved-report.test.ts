import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { makeCrowd } from '../domains/reports/crowd.js';
import { faultsOf, picture, useBrowser } from '../support/browser.js';
import { useService } from '../support/harness.js';

const PASSWORD = 'somebody who asks for numbers';
/** A name as long as somebody may give, without a space to break it at. */
const LONG = `Adherence ${'ofthewinterbylanguageandmonth'.repeat(3)}`.slice(0, 100);

describe('A saved report in a browser, given to others', () => {
  const service = useService();
  const browser = useBrowser();
  let page: Page;
  let site: Server;
  /** The page of another site, and its address. */
  let framing = '';
  let address = '';

  beforeAll(async () => {
    site = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html; charset=utf-8').end(framing),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    address = `http://localhost:${(site.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
  });

  beforeEach(async () => {
    await makeCrowd(service(), [{ members: 20 }, { members: 30, language: 2, type: 'drops' }]);
    for (const name of ['ana', 'bo'])
      await service().data(
        `mutation { createUser(input: { username: "${name}", email: "${name}@example.org",
          name: "${name}", password: "${PASSWORD}", roles: [ANALYST], language: 1 }) {
          account { id } } }`,
        {},
        { headers: await service().session('administrator') },
      );
    page = await browser().newPage({ viewport: { width: 1400, height: 1000 } });
    await page.goto(`${service().url}/graphql`);
    await signIn('ana');
  });
  afterEach(() => page?.close());

  const prove = (is = true) =>
    service().database.query(
      'UPDATE account SET email_proven_at = CASE WHEN $1 THEN now() END WHERE email IS NOT NULL',
      [is],
    );

  async function signIn(name: string) {
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('User name or e-mail').fill(name);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText(`${name} analyst`).waitFor();
  }

  /** Saves a report of two months, and returns its address. */
  async function save(name: string, isShared = false): Promise<string> {
    await page
      .getByLabel(/read back into the choices/)
      .fill('{ doseReport(from: "2026-01-01", to: "2026-02-28") { rows { month taken } } }');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel(/Share with/).setChecked(isShared);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. The address of this page opens it.').waitFor();
    return page.url();
  }

  const panel = () => page.getByRole('region', { name: /^Give away/ });
  const open = (part: string) => panel().getByText(part, { exact: true }).press('Enter');
  const told = (text: string | RegExp) => panel().getByText(text).waitFor();

  /** Looks at a state: it has no fault of accessibility, and a picture is kept. */
  async function look(name: string) {
    await picture(page, `saved-${name}`);
    expect(await faultsOf(page)).toStrictEqual([]);
  }

  it('is a file of four kinds, which its owner gets by the keyboard', async () => {
    await save(LONG);
    await open('Files');
    for (const [button, end, start] of [
      ['CSV', 'csv', 'month,taken'],
      ['CSV with a byte order mark', 'csv', '\uFEFFmonth,taken'],
      ['XLSX', 'xlsx', 'PK'],
      ['JSON', 'json', '{'],
    ] as const) {
      const coming = page.waitForEvent('download');
      await panel().getByRole('button', { name: button, exact: true }).press('Enter');
      const file = await coming;
      expect(file.suggestedFilename()).toBe(`${LONG.replace(' ', '-')}.${end}`);
      expect(readFileSync(await file.path(), 'utf8').startsWith(start)).toBe(true);
      await told(`${file.suggestedFilename()} is among your downloads.`);
    }
    await look('files');
    await page.setViewportSize({ width: 390, height: 844 });
    await panel().scrollIntoViewIfNeeded();
    await look('files-390');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    await service().database.query('DELETE FROM saved_report');
    await panel().getByRole('button', { name: 'JSON' }).click();
    await told(/There is no such report/);
    await look('file-refused');
  });

  it('is shown on named sites until it is revoked', async () => {
    await save('Doses by month');
    await open('On other sites');
    await told('No other site shows it.');
    const sites = panel().getByLabel('Sites, one a line');
    const make = () => panel().getByRole('button', { name: 'Make the frame' }).press('Enter');
    for (const [written, sentence] of [
      ['', 'Name a site, such as https://www.example.org.'],
      ['clinic', '“clinic” is no site. Write it like https://www.example.org.'],
      ['http://clinic.example', /begins with http\. A site that shows reports begins with https\./],
      ['https://clinic.example/a', /is a page\. Write its site alone: https:\/\/clinic\.example\./],
    ] as const) {
      await sites.fill(written);
      await make();
      await told(sentence);
    }
    await look('frame-mistake');
    await sites.fill(`${address}/\nhttps://a.example`);
    await panel().getByLabel('Last day').fill('2020-01-01');
    await make();
    await told('The last day is over: choose one to come.');
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    await panel().getByLabel('Last day').fill(day);
    await prove(false);
    await make();
    await told(/^Show first that the e-mail address is yours/);
    await look('frame-unproven');
    await prove();
    await make();
    framing = await panel().getByLabel('HTML for the pages').inputValue();
    await told(`${address}, https://a.example`);
    await look('frame-made');

    const other = await browser().newPage();
    await other.goto(address);
    await other.frameLocator('iframe').getByRole('heading', { name: 'Doses by month' }).waitFor();
    await picture(other, 'saved-framed');
    await panel()
      .getByRole('button', { name: /^Revoke the frame/ })
      .press('Enter');
    await panel()
      .getByRole('button', { name: /for good$/ })
      .press('Enter');
    await told(/^revoked on .*: it shows nothing any more$/);
    await look('frame-revoked');
    await other.reload();
    await other
      .frameLocator('iframe')
      .getByText(/^This report was revoked/)
      .waitFor();
    await other.close();
  });

  it('is mailed each week or month to who may see it, until that is ended', async () => {
    await save('Doses by month');
    await prove(false);
    await open('By mail');
    await told(/^Nobody can get it yet/);
    await look('mail-unproven');
    await prove();
    await page.getByLabel(/Share with/).check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await panel().getByRole('checkbox', { name: 'bo' }).waitFor();
    await panel().getByRole('button', { name: 'Mail it' }).press('Enter');
    await told('Choose who gets it.');
    await panel().getByLabel('How often').selectOption('Each month');
    await panel().getByRole('combobox', { name: 'Day' }).selectOption('31st');
    await told('The last day of a month that is shorter.');
    await panel().getByRole('checkbox', { name: 'bo' }).check();
    await look('mail-chosen');
    await panel().getByRole('button', { name: 'Mail it' }).press('Enter');
    await told(/^Mailed on the 31st of each month at 07:00 to bo, next on /);
    await page.getByText(/shared · mailed each month/).waitFor();
    await look('mailed');
    await panel().getByRole('button', { name: 'End the mails' }).press('Enter');
    await panel().getByRole('button', { name: 'End the mails now' }).press('Enter');
    await told('It is not mailed any more.');
    await look('mail-ended');
    const { savedReports } = await service().data(
      '{ savedReports { nodes { mailing { every } } } }',
      {},
      { headers: await service().session('administrator') },
    );
    expect(savedReports.nodes).toStrictEqual([{ mailing: null }]);
  });

  it('is told apart by what others may do with that of somebody else', async () => {
    const own = await save('Doses by month', true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn('bo');
    await page.goto(own);
    await page.getByRole('heading', { name: 'Doses by month' }).waitFor();
    await open('On other sites');
    await told(/^Only who saved a report, or an administrator, can show it/);
    expect(await panel().getByText('No other site shows it.').count()).toBe(0);
    await open('By mail');
    await told(/^Only who saved a report can have it mailed/);
    await look('of-others');
  });

  it('says that it cannot be run any more, where its fields are gone', async () => {
    const own = await save('Doses by month');
    await service().database.query(
      `UPDATE saved_report SET query = '{ doseReport(range: THIS_YEAR) { rows { month gone } } }'`,
    );
    await page.getByRole('button', { name: 'New question' }).click();
    await page.goto(own);
    const sentence = /^“Doses by month” cannot be run any more\. .*"gone".* mended under Code\.$/;
    await page.getByRole('alert').getByText(sentence).waitFor();
    await page.getByText(/own · cannot be run any more/).waitFor();
    await look('broken');
    const id = new URL(own).searchParams.get('report');
    await page.goto(`${service().url}/graphql?board=${id}`);
    await page.locator('.care-tile').getByText(sentence).waitFor();
    await look('broken-board');
  });
});
