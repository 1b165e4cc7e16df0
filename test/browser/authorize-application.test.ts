import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { picture, useBrowser } from '../support/browser.js';
import { useService } from '../support/harness.js';

const PASSWORD = 'correct horse battery';
const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };

describe('The authorization page in a browser', () => {
  const service = useService();
  const browser = useBrowser();
  let application: Server;
  /** Where the application listens, and what it was sent. */
  let callback = '';
  let received: URL[] = [];

  beforeAll(async () => {
    application = createServer((request, response) => {
      const url = new URL(request.url ?? '/', callback);
      if (url.pathname === '/moved')
        response.writeHead(302, { location: `${callback}/cb${url.search}` }).end();
      else if (url.pathname === '/onward')
        response
          .writeHead(302, {
            location: `${callback.replace('127.0.0.1', 'localhost')}/cb${url.search}`,
          })
          .end();
      else {
        if (url.pathname === '/cb') received.push(url);
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>The application</h1>');
      }
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
    callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    application.closeAllConnections();
    await new Promise((resolve) => application.close(resolve));
  });
  beforeEach(async () => {
    received = [];
    const query =
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
    const input = {
      username: 'mina',
      email: 'mina@example.com',
      password: PASSWORD,
      name: 'Mina Berg',
    };
    await service().graphql(query, { input }, { as: 'administrator' });
  });

  const address = (parameters: Record<string, string>) =>
    `${service().url}/admin/authorize-application.php?${new URLSearchParams({ app_name: 'Pill box', ...parameters })}`;
  const shot = (page: Page, name: string) => picture(page, name, true);

  /** A page of a browser of its own, on the way to the authorization page, and past the sign-in. */
  async function open(
    parameters: Record<string, string>,
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const page = await (await browser().newContext({ viewport: DESKTOP, ...options })).newPage();
    await page.goto(address(parameters));
    await page.getByLabel('User name or e-mail address').fill('mina');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Pill box asks to use your account' }).waitFor();
    return page;
  }

  for (const javaScriptEnabled of [true, false]) {
    it(`signs in, approves, and hands the application a password that works, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
      const page = await open({ success_url: `${callback}/cb?state=1` }, { javaScriptEnabled });
      await page.getByLabel('New Application Password Name').fill('My pill box');
      await page.getByRole('button', { name: 'Yes, I approve' }).click();
      await page.getByRole('heading', { name: 'The application' }).waitFor();
      const sent = received[0]?.searchParams;
      expect(sent?.get('state')).toBe('1');
      expect(sent?.get('site_url')).toBe(service().url);
      const credentials = `${sent?.get('user_login')}:${sent?.get('password')}`;
      const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
      const { status } = await service().rest('POST', '/v1/posts', {
        headers: { authorization },
        body: { title: 'x' },
      });
      expect(status, 'a member is signed in, and may not write').toBe(403);
      await page.context().close();
    });
  }

  it('lets an application lead on from where it is called, within its host and beyond', async () => {
    for (const path of ['/moved', '/onward']) {
      const page = await open({ success_url: callback + path });
      await page.getByRole('button', { name: 'Yes, I approve' }).click();
      await page.getByRole('heading', { name: 'The application' }).waitFor();
      expect(received, path).toHaveLength(1);
      received = [];
      await page.context().close();
    }
  });

  it('goes to an application’s own scheme', async () => {
    const page = await open({ success_url: 'com.example.pillbox://connected' });
    const asked = new Promise<string>((resolve) => {
      page.on('request', (request) => {
        if (request.url().startsWith('com.example.pillbox:')) resolve(request.url());
      });
      page.on('requestfailed', (request) => {
        if (request.url().startsWith('com.example.pillbox:')) resolve(request.url());
      });
    });
    const blocked: string[] = [];
    page.on('console', (message) => blocked.push(message.text()));
    const answered = page.waitForResponse((response) => response.status() === 302);
    await page.getByRole('button', { name: 'Yes, I approve' }).click();
    expect((await answered).headers().location ?? '').toMatch(
      /^com\.example\.pillbox:\/\/connected\?site_url=/,
    );
    await Promise.race([asked, page.waitForTimeout(1000)]);
    expect(blocked.filter((text) => /Content Security Policy/.test(text))).toStrictEqual([]);
    await page.context().close();
  });

  it('refuses, and tells the application', async () => {
    const page = await open({ success_url: `${callback}/cb` });
    await page.getByRole('button', { name: 'No, I do not approve' }).click();
    await page.getByRole('heading', { name: 'The application' }).waitFor();
    expect(received[0]?.search).toBe('?success=false');
    await page.context().close();
  });

  it('shows wrong credentials beside the form, and signs out', async () => {
    const page = await (await browser().newContext({ viewport: PHONE })).newPage();
    await page.goto(address({}));
    await shot(page, 'sign-in-phone');
    await page.getByLabel('User name or e-mail address').fill('mina');
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await shot(page, 'sign-in-wrong-phone');
    expect(await page.getByLabel('User name or e-mail address').inputValue()).toBe('mina');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.goto(address({}));
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.context().close();
  });

  it('is clear on a desktop and on a phone, and shows a password once when nobody waits for it', async () => {
    for (const [name, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
      const page = await open({ success_url: 'https://pillbox.example/connected' }, { viewport });
      await shot(page, `authorize-${name}`);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width as number, 'nothing stands beyond the edge').toBeLessThanOrEqual(viewport.width);
      await page.goto(address({}));
      await page.getByRole('button', { name: 'Yes, I approve' }).click();
      expect(await page.locator('.secret').innerText()).toMatch(/^(\w{4} ){5}\w{4}$/);
      await shot(page, `password-${name}`);
      await page.context().close();
    }
  });

  it('cannot be put into a frame', async () => {
    const page = await open({});
    await page.goto(`${callback}/frame`);
    await page.setContent(`<iframe src="${address({})}"></iframe>`);
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await page.waitForTimeout(500);
    expect(await frame?.locator('form').count()).toBe(0);
    await page.context().close();
  });

  it('takes no form that another page sends, though its visitor is signed in', async () => {
    const page = await open({});
    for (const [attacker, answer] of [
      // Another site: no cookie comes with it
      [callback.replace('127.0.0.1', 'localhost'), 'Sign in'],
      // Another port of the same site: the cookie does, our token does not
      [callback, 'The link you followed has expired.'],
    ] as const) {
      await page.goto(`${attacker}/attack`);
      await page.setContent(
        `<form method="post" action="${address({})}"><button name="approve" value="1">Win</button></form>`,
      );
      await page.getByRole('button', { name: 'Win' }).click();
      await page.getByRole('heading', { name: answer }).waitFor();
    }
    expect(
      await service().database.prisma.applicationPassword.count({
        where: { account: { username: 'mina' } },
      }),
    ).toBe(0);
    await page.context().close();
  });
});
