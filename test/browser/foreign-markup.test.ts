import { safeHtml } from '../../src/platform/oembed/safe-html.js';
import { TEXT_ATTACKS } from '../domains/content/attacks.js';
import { ATTACKS } from '../platform/oembed/attacks.js';
import { MUTATIONS } from '../platform/oembed/mutations.js';
import { useBrowser } from '../support/browser.js';
import { hitsOf } from '../support/hits.js';

describe('HTML of another site, in the page of a dashboard', () => {
  const browser = useBrowser();
  const all = [...ATTACKS, ...MUTATIONS, ...TEXT_ATTACKS];

  it('runs nothing, sends nothing and leads nowhere', async () => {
    const safe = all.map((html) => safeHtml(html, 'listed').html);
    const hits = await hitsOf(browser(), safe);
    expect(all.filter((_, i) => (hits[i] ?? 0) > 0)).toStrictEqual([]);
  });

  it('would have run, as it was sent', async () => {
    const hits = await hitsOf(browser(), ATTACKS);
    expect(hits.filter((hit) => hit > 0).length).toBeGreaterThan(60);
  });
});
