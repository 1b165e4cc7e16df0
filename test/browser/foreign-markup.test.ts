import { safeHtml } from '../../src/platform/oembed/safe-html.js';
import { TEXT_ATTACKS } from '../domains/content/attacks.js';
import { ATTACKS } from '../platform/oembed/attacks.js';
import { MUTATIONS } from '../platform/oembed/mutations.js';
import { useBrowser } from '../support/browser.js';
import { hitsOf, trialOf } from '../support/hits.js';

describe('HTML of another site, in the page of a dashboard', () => {
  const browser = useBrowser();
  const all = [...ATTACKS, ...MUTATIONS, ...TEXT_ATTACKS];

  it('runs nothing, sends nothing and leads nowhere', async () => {
    const safe = all.map((html) => safeHtml(html, 'listed').html);
    const hits = await hitsOf(browser(), safe);
    expect(all.filter((_, i) => (hits[i] ?? 0) > 0)).toStrictEqual([]);
  });

  it('would have run, as it was sent: nothing of it that runs is seen to be idle', async () => {
    const { hits, idle } = await trialOf(browser(), ATTACKS, { all: true });
    expect(hits.filter((hit) => hit > 0).length).toBeGreaterThan(60);
    expect(ATTACKS.filter((_, i) => (hits[i] ?? 0) > 0 && idle[i])).toStrictEqual([]);
  });
});
