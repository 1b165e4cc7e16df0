import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
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

  before(async () => {
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  });
  after(() => browser?.close());

  it('opens without asking another host for anything, and runs its example', async () => {
    await service().post({ title: 'Seen in the playground' });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const strangers: string[] = [];
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith('http') && host !== new URL(service().url).host) strangers.push(request.url());
    });
    await page.goto(`${service().url}/graphql`);
    await page.getByRole('button', { name: /execute query/i }).click();
    const result = page.locator('.graphiql-response');
    await result.getByText('Seen in the playground').waitFor({ timeout: 30_000 });
    assert.deepEqual(strangers, []);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/playground.png` });
  });
});
