import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/harness.js';

describe('An embed in the page of another site', () => {
  const service = useService();
  const browser = useBrowser();
  let other: Server;
  let page = '';
  let address = '';

  beforeAll(async () => {
    other = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html; charset=utf-8').end(page),
    );
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    address = `http://localhost:${(other.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  });

  it('shows title and excerpt in a frame as high as its page, and a click leads to the post', async () => {
    const content = 'word '.repeat(200);
    const { body: post } = await service().rest('POST', '/v1/posts', {
      as: 'editor',
      body: { title: 'Salt & pepper', content, status: 'publish' },
    });
    const { body } = await service().rest('GET', '/oembed/1.0/embed', {
      query: { url: post.link, maxwidth: '400' },
    });
    page = `<!doctype html><title>Other</title>${body.html}`;
    const tab = await browser().newPage();
    await tab.goto(address);
    const frame = tab.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Salt & pepper' }).waitFor();
    expect(await frame.getByText('word word').count()).toBeGreaterThan(0);
    await tab.waitForFunction(() => Number(document.querySelector('iframe')?.height) > 225);
    const height = await tab.evaluate(() => Number(document.querySelector('iframe')?.height));
    const inside = await tab
      .frames()[1]
      ?.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
    expect(height).toBe(inside);
    await frame.getByRole('link', { name: 'Salt & pepper' }).click();
    await tab.waitForURL(post.link);
    expect(await tab.getByRole('heading', { name: 'Salt & pepper' }).count()).toBe(1);
    await tab.close();
  });

  it('ignores messages from other frames', async () => {
    const { body: post } = await service().rest('POST', '/v1/posts', {
      as: 'editor',
      body: { title: 'x', content: 'c', status: 'publish' },
    });
    const { body } = await service().rest('GET', '/oembed/1.0/embed', {
      query: { url: post.link },
    });
    page = `<!doctype html><title>Other</title>${body.html}`;
    const tab = await browser().newPage();
    await tab.goto(address);
    await tab.frameLocator('iframe').getByRole('heading').waitFor();
    await tab.waitForFunction(() => document.querySelector('iframe')?.height !== '338');
    const before = await tab.evaluate(() => document.querySelector('iframe')?.height);
    const secret = await tab.getAttribute('iframe', 'data-secret');
    await tab.evaluate((secret) => {
      window.postMessage({ message: 'height', value: 900, secret }, '*');
      window.postMessage({ message: 'link', value: 'https://evil.example/', secret }, '*');
      window.postMessage({ message: 'height', value: 900, secret: 'x"] *' }, '*');
    }, secret);
    await tab.waitForTimeout(200);
    expect(await tab.evaluate(() => document.querySelector('iframe')?.height)).toBe(before);
    expect(tab.url()).toBe(address);
    await tab.close();
  });
});
