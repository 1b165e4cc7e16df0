import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { projectRoot } from '../../src/platform/root.js';

/** What draws, as a script that sets `playground`. */
async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { draw } from './result/drawing.ts';
        export { tablesOf } from '../src/platform/pictures/table.ts';
        export { rolesOf } from '../src/platform/pictures/kind.ts';`,
      resolveDir: join(projectRoot, 'playground'),
    },
    ...{ bundle: true, write: false, format: 'iife', globalName: 'playground' },
  });
  return outputFiles[0]?.text ?? '';
}

describe('A drawing of the playground', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    });
  });
  afterAll(() => browser?.close());

  it.each(['bar', 'stack', 'line'])('has a cross where a part is hidden: %s', async (kind) => {
    const rows = ['2026-01-01', '2026-02-01'].flatMap((month, m) =>
      ['a', 'b'].map((type, i) => ({
        ...{ month, type, taken: m === 1 && i === 1 ? null : 10 + i },
        withheld: m === 1 && i === 1 ? 'FEW_ACCOUNTS' : null,
      })),
    );
    const page = await browser.newPage();
    await page.addScriptTag({ content: await bundled() });
    const crosses = await page.evaluate(
      `(() => {
        const known = { addsUp: (name) => name === 'taken' };
        const [table] = playground.tablesOf({ doseReport: { rows: ${JSON.stringify(rows)} } }, known);
        const [measure] = playground.rolesOf(table).measures;
        const drawn = playground.draw({ table, measure, kind: '${kind}', width: 600 });
        return [...drawn.querySelectorAll('text')].filter((text) => text.textContent.includes('×')).length;
      })()`,
    );
    expect(crosses).toBe(1);
  });
});
