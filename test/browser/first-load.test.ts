import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/harness.js';

/** Bytes that the first page may take, compressed. */
const MOST = 1_000_000;

describe('The first load of the playground', () => {
  const service = useService();
  const browser = useBrowser();

  /** Opens a page, and returns what it transferred and how long it took until something showed. */
  async function load(page: Page, path: string, shown: string) {
    const started = performance.now();
    await page.goto(service().url + path);
    await page.locator(shown).first().waitFor({ timeout: 60_000 });
    const took = performance.now() - started;
    const files = (await page.evaluate(
      `performance.getEntriesByType('resource').map(({ name, encodedBodySize, transferSize }) =>
        ({ name: name.split('/').at(-1), size: encodedBodySize, sent: transferSize }))`,
    )) as { name: string; size: number; sent: number }[];
    return { took, files, size: files.reduce((sum, { size }) => sum + size, 0) };
  }

  it('takes at most 1 MB compressed, and the second one sends nothing again', async () => {
    const page = await (await browser().newContext()).newPage();
    const cold = await load(page, '/graphql', process.env.SHOWN ?? 'main h2');
    const warm = await load(page, '/graphql', process.env.SHOWN ?? 'main h2');
    const again = await load(page, '/graphql', process.env.SHOWN ?? 'main h2');
    process.stdout.write(
      `first load: ${cold.size} bytes; ${[cold, warm, again].map(({ took }) => took.toFixed(0))} ms\n`,
    );
    expect(cold.size).toBeLessThanOrEqual(MOST);
    expect(
      warm.files.filter(({ name, sent }) => /\.(js|css)$/.test(name) && sent > 0),
    ).toStrictEqual([]);
  });
});
