import { safeHtml } from '../../src/platform/oembed/safe-html.js';
import { ATTACKS } from '../platform/oembed/attacks.js';
import { useBrowser } from '../support/browser.js';

describe('HTML of another site, in the page of a dashboard', () => {
  const browser = useBrowser();

  /** Puts HTML into a page in every way that pages do, and returns how often something ran. */
  const hitsOf = async (htmls: readonly string[]): Promise<number[]> => {
    const context = await browser().newContext();
    const page = await context.newPage();
    await context.route('**/*', (route) =>
      route.request().url().startsWith('https://dashboard.example/')
        ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><div id="place"></div>' })
        : route.abort(),
    );
    await page.goto('https://dashboard.example/');
    const hits: number[] = [];
    for (const html of htmls) {
      const hit = await page.evaluate(async (text) => {
        const own = window as unknown as { hit: number };
        own.hit = 0;
        const place = document.querySelector('#place') as HTMLElement;
        place.innerHTML = text;
        // What was read once is read again: a second tree may be another one.
        const again = place.innerHTML;
        place.innerHTML = again;
        for (const one of place.querySelectorAll<HTMLElement>('a, [autofocus], [tabindex]')) {
          one.focus();
          one.addEventListener('click', (event) => event.preventDefault(), { once: true });
          if (/^\s*javascript/i.test(one.getAttribute('href') ?? '')) own.hit++;
        }
        for (const frame of place.querySelectorAll('iframe'))
          if (frame.srcdoc || !/^https:/.test(frame.src)) own.hit++;
        const frame = document.createElement('iframe');
        document.body.append(frame);
        const inner = frame.contentDocument as Document;
        inner.open();
        inner.write(`<!doctype html><body>${text}`);
        inner.close();
        await new Promise((resolve) => setTimeout(resolve, 5));
        const inside = (frame.contentWindow as unknown as { hit?: number }).hit ?? 0;
        frame.remove();
        place.replaceChildren();
        return own.hit + inside;
      }, html);
      hits.push(hit);
    }
    await context.close();
    return hits;
  };

  it('runs nothing, sends nothing and leads nowhere', async () => {
    const safe = ATTACKS.map((html) => safeHtml(html, 'listed').html);
    const hits = await hitsOf(safe);
    expect(ATTACKS.filter((_, i) => (hits[i] ?? 0) > 0)).toStrictEqual([]);
  });

  it('would have run, as it was sent', async () => {
    const hits = await hitsOf(ATTACKS);
    expect(hits.filter((hit) => hit > 0).length).toBeGreaterThan(60);
  });
});
