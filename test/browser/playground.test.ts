import { type Browser, chromium, type Page } from 'playwright-core';
import { picture } from '../support/browser.js';
import { useService } from '../support/harness.js';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describe('The playground in a browser', () => {
  const service = useService();
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: FLAGS,
    });
  });
  afterAll(() => browser?.close());

  it('opens without asking another host for anything, and runs its example', async () => {
    await service().post({ title: 'Seen in the playground' });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const strangers: string[] = [];
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith('http') && host !== new URL(service().url).host)
        strangers.push(request.url());
    });
    await page.goto(`${service().url}/graphql?code`);
    await run(page, 'Seen in the playground');
    expect(strangers).toStrictEqual([]);
    await picture(page, 'playground');
  });

  const open = async (path = '/graphql?code') => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(service().url + path);
    await page.getByRole('button', { name: /execute query/i }).waitFor();
    return page;
  };
  /** Types into an editor in place of what stands in it. */
  const write = async (page: Page, editor: string, text: string) => {
    await page.locator(`.monaco-editor[data-uri*="${editor}"]`).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  };
  /**
   * Runs what is written until its answer shows: the page takes note of what is typed after a
   * moment.
   */
  const run = async (page: Page, shown: string) => {
    const answer = page.locator('.graphiql-response').getByText(shown).first();
    for (let tries = 0; tries < 20; tries++) {
      await page.getByRole('button', { name: /execute query/i }).click();
      const seen = await answer.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
      if (seen) return;
    }
    throw new Error(
      `${shown} is not shown, but ${await page.locator('.graphiql-response').innerText()}`,
    );
  };
  const kept = (page: Page) =>
    page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

  it('never puts what is typed into its address, and shows what was written and answered again on reload', async () => {
    const page = await open();
    await write(page, 'operation', 'query Secretive { site { title } }');
    await run(page, '"site"');
    expect(page.url()).toBe(`${service().url}/graphql?code`);
    // The page keeps a tab, by its id, and the answer of that id each a moment later.
    await page.waitForFunction(() => {
      const tabs = sessionStorage.getItem('graphiql:tabState') ?? '';
      const answers = JSON.parse(sessionStorage.getItem('care:answers') ?? '{}');
      return (
        tabs.includes('Secretive') &&
        Object.keys(answers).some((id) => tabs.includes(id) && answers[id].includes('"site"'))
      );
    });
    await page.reload();
    await page.getByRole('button', { name: /execute query/i }).waitFor();
    await page.locator('.graphiql-response').getByText('"site"').first().waitFor();
    expect(page.url()).toBe(`${service().url}/graphql?code`);
    await page.close();
  });

  it('opens also at an address that names a document, and runs nothing of it by itself', async () => {
    const page = await open(
      `/graphql?${new URLSearchParams({ query: 'query Linked { site { title } }' })}`,
    );
    await page.getByText('Linked').first().waitFor();
    expect(await page.locator('.graphiql-response').getByText('"title"').count()).toBe(0);
    await page.close();
  });

  it('signs in by a header too, and keeps none when it is not asked to', async () => {
    const page = await open();
    const { authorization = '' } = await service().authorization('analyst');
    await page.getByRole('button', { name: 'Headers', exact: true }).click();
    await write(page, 'headers', JSON.stringify({ Authorization: authorization }));
    await write(page, 'operation', 'query Whose { viewer { username } }');
    await run(page, '"analyst"');
    await picture(page, 'playground-signed-in');
    const secret = authorization.slice('Basic '.length);
    expect(await kept(page)).not.toContain(secret);
    await page.reload();
    await page.getByRole('button', { name: /execute query/i }).waitFor();
    expect(await kept(page)).not.toContain(secret);
    const { local, session } = await page.evaluate(() => ({
      local: localStorage.length,
      session: sessionStorage.length,
    }));
    expect(local, 'nothing outlives the tab').toBe(0);
    expect(session, 'the tab keeps what was written').toBeGreaterThan(0);
    await page.close();
  });
});
