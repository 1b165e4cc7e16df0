import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { projectRoot } from '../../src/platform/root.js';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How long a page may take to show something while other suites keep the machine busy. */
export const PATIENCE = { timeout: 120_000 };

/** Where the pictures of a run are kept, for people to look at. Git ignores it. */
const PICTURES = process.env.SCREENSHOTS ?? join(projectRoot, 'screenshots');

/** Keeps a picture of what a page shows; the page from top to bottom where `fullPage` says so. */
export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns all faults that axe-core finds in what a page shows, as text. */
export const faultsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    `${AXE}; axe.run().then(({ violations }) => violations
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );

/**
 * Presses Tab through a page. Returns what can be used by a mouse, and was never focused. What has a
 * tabindex of -1 is entered by Enter from what is around it.
 */
export async function unreached(page: Page): Promise<readonly string[]> {
  const usable = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter((element) => element.checkVisibility() && !element.disabled)
    .map((element) => element.tabIndex < 0 ? element.closest('[tabindex="0"]') ?? element : element)
    .filter((element) => element.type !== 'radio' || element.checked)`;
  const count = Number(await page.evaluate(`(document.activeElement?.blur(), ${usable}.length)`));
  for (let press = 0; press < count * 3 + 20; press++) {
    await page.keyboard.press('Tab');
    await page.evaluate("document.activeElement?.setAttribute('data-reached', '')");
  }
  return page.evaluate(
    `${usable}.filter((element) => !element.hasAttribute('data-reached')).map(({ outerHTML }) => outerHTML)`,
  );
}

/** Starts a Chromium for the tests of a describe. Returns a function that returns it. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: FLAGS,
    });
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('The browser runs only inside tests.');
    return browser;
  };
}

/** Collects, from now on, the addresses on other hosts than that of `url` which a page asks. */
export function foreignRequests(page: Page, url: string): string[] {
  const found: string[] = [];
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http') && host !== new URL(url).host) found.push(request.url());
  });
  return found;
}
