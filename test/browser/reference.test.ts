import { foreignRequests, PATIENCE, useBrowser } from '../support/browser.js';
import { useService } from '../support/harness.js';

describe('The reference in a browser', () => {
  const service = useService();
  const browser = useBrowser();

  it('shows a route and runs it, asks no other host, and breaks no rule of its policy', async () => {
    await service().post({ title: 'Seen in the reference' });
    const page = await browser().newPage({ viewport: { width: 1280, height: 800 } });
    const strangers = foreignRequests(page, service().url);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) complaints.push(message.text());
    });
    await page.goto(`${service().url}/api/reference`);
    await page.getByText('Care management, edition A').waitFor(PATIENCE);
    await page.locator('#operations-tag-content').click();
    await page.locator('#operations-content-ListPosts .opblock-summary-control').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    const answer = page.locator('.live-responses-table');
    await answer.getByText('Seen in the reference').first().waitFor(PATIENCE);
    expect(strangers).toStrictEqual([]);
    expect(complaints).toStrictEqual([]);
  });
});
