import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createApp } from '../../src/app/app.js';
import { readConfig } from '../../src/config/config.js';
import { makeListener } from '../../src/process/listener.js';
import { type Answer, useService } from '../support/harness.js';
import { plain, Visitor } from '../support/visitor.js';

const PASSWORD = 'correct horse battery';
const APP_ID = '0b1f5f9e-3f5c-4b9f-9f0a-2f6f0f6f0f6f';
const PAGE = '/admin/authorize-application.php';
const HOUR = 60 * 60 * 1000;
const asking = (parameters: Record<string, string>, page = PAGE) =>
  `${page}?${new URLSearchParams(parameters)}`;
const location = ({ headers }: Answer) => headers.get('location') ?? '';

describe('The authorization page', () => {
  const service = useService();

  async function member(): Promise<void> {
    const query = 'mutation($input: CreateUserInput!) { createUser(input: $input) { id } }';
    const input = {
      username: 'mina',
      email: 'mina@example.com',
      password: PASSWORD,
      name: 'Mina <b>',
    };
    await service().graphql(query, { input }, { as: 'administrator' });
  }

  /** A visitor who has signed in as the member. */
  async function visitor(home = '/admin'): Promise<Visitor> {
    await member();
    const visitor = new Visitor(service());
    const page = await visitor.get(`${home}/login`);
    const entered = await visitor.submit(page, {
      username: 'Mina@example.com',
      password: PASSWORD,
    });
    assert.equal(entered.status, 302, entered.text);
    return visitor;
  }

  const passwords = () =>
    service().database.prisma.applicationPassword.findMany({
      where: { account: { username: 'mina' } },
    });
  const audited = async (action: string) =>
    service().database.prisma.auditEvent.count({ where: { action } });
  const basic = (login: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
  });
  const viewer = async (headers: Record<string, string>) =>
    (await service().graphql('{ viewer { username } }', {}, { headers })).body.data?.viewer;

  it('is the address that the descriptor of each edition names', async () => {
    for (const [edition, site] of [
      ['A', ''],
      ['B', '/v3'],
    ] as const) {
      const { body } = await service().rest('GET', '/', { edition });
      const address = body.authentication['application-passwords'].endpoints.authorization;
      assert.equal(address, `${service().url}${site}${PAGE}`);
      assert.equal((await new Visitor(service()).get(new URL(address).pathname)).status, 302);
    }
  });

  it('sends who is not signed in to the sign-in page, with the way back', async () => {
    const address = asking({
      app_name: 'Pill box',
      app_id: APP_ID,
      success_url: 'https://app.example/cb?a=1',
    });
    const visitor = new Visitor(service());
    await member();
    const away = await visitor.get(address);
    assert.equal(away.status, 302);
    assert.equal(new URL(location(away), service().url).pathname, '/admin/login');
    const back = await visitor.submit(await visitor.get(location(away)), {
      username: 'mina',
      password: PASSWORD,
    });
    assert.equal(back.status, 302);
    const page = await visitor.get(location(back));
    assert.equal(page.status, 200);
    assert.match(page.text, /Pill box asks to use your account/);
    assert.match(page.text, /<strong>app\.example<\/strong>/);
    assert.match(page.text, /name="app_name" value="Pill box"/);
  });

  it('makes the password on approval and hands it over in the address, behind what stands there', async () => {
    const visited = await visitor();
    const success = 'https://app.example/cb?state=a%20b&flag#part';
    const page = await visited.get(
      asking({ app_name: 'Pill box', app_id: APP_ID.toUpperCase(), success_url: success }),
    );
    const { status, headers } = await visited.submit(page, {
      app_name: 'My pill box',
      approve: '1',
    });
    assert.equal(status, 302);
    const to = headers.get('location') ?? '';
    assert.ok(to.startsWith('https://app.example/cb?state=a%20b&flag&site_url='), to);
    assert.ok(to.endsWith('#part'));
    const { searchParams } = new URL(to);
    assert.equal(searchParams.get('site_url'), service().url);
    assert.equal(searchParams.get('user_login'), 'mina');
    assert.match(searchParams.get('password') ?? '', /^[A-Za-z0-9]{24}$/);
    assert.deepEqual(await viewer(basic('mina', searchParams.get('password') ?? '')), {
      username: 'mina',
    });
    const [made] = await passwords();
    assert.deepEqual([made?.name, made?.appId], ['My pill box', APP_ID]);
    assert.equal(await audited('application_password.create'), 1);
    assert.match(headers.get('cache-control') ?? '', /no-store/);
  });

  it('makes another for a name that is used already', async () => {
    const visited = await visitor();
    for (const count of [1, 2]) {
      const page = await visited.get(asking({ app_name: 'Twice', success_url: 'app:back' }));
      assert.equal(
        location(await visited.submit(page, { app_name: 'Twice', approve: '1' })).slice(0, 9),
        'app:back?',
      );
      assert.equal((await passwords()).length, count);
    }
  });

  it('of edition B stands under /v3 and says so to the application', async () => {
    const visited = await visitor('/v3/admin');
    const page = await visited.get(
      asking({ app_name: 'B', success_url: 'https://app.example/' }, `/v3${PAGE}`),
    );
    const { searchParams } = new URL(
      location(await visited.submit(page, { app_name: 'B', approve: '1' })),
    );
    assert.equal(searchParams.get('site_url'), `${service().url}/v3`);
    assert.equal(
      (await visited.get(PAGE)).status,
      302,
      'the cookie of one edition is not sent to the other',
    );
  });

  it('shows the password once when there is nowhere to go', async () => {
    const visited = await visitor();
    const answer = await visited.submit(await visited.get(PAGE), {
      app_name: 'Desk',
      approve: '1',
    });
    assert.equal(answer.status, 200);
    const [, shown = ''] = /<code class="secret">([^<]+)<\/code>/.exec(answer.text) ?? [];
    assert.match(shown, /^(\w{4} ){5}\w{4}$/);
    assert.deepEqual(await viewer(basic('mina', shown)), { username: 'mina' });
  });

  it('refuses by the way that the application names, else by success=false, else by a page', async () => {
    const visited = await visitor();
    const refuse = async (parameters: Record<string, string>) =>
      visited.submit(await visited.get(asking(parameters)), { app_name: 'x', reject: '1' });
    const success_url = 'https://app.example/cb?a=1';
    assert.equal(
      location(await refuse({ success_url, reject_url: 'https://app.example/no?b=2' })),
      'https://app.example/no?b=2',
    );
    assert.equal(
      location(await refuse({ success_url })),
      'https://app.example/cb?a=1&success=false',
    );
    const page = await refuse({});
    assert.equal(page.status, 200);
    assert.match(page.text, /was not connected/);
    assert.equal((await passwords()).length, 0);
  });

  it('needs a name of 1 to 200 bytes, and keeps what was typed', async () => {
    const visited = await visitor();
    const page = await visited.get(asking({ success_url: 'https://app.example/' }));
    for (const app_name of ['', '   ', 'ü'.repeat(101)]) {
      const answer = await visited.submit(page, { app_name, approve: '1' });
      assert.equal(answer.status, 400);
      assert.match(answer.text, /role="alert"/);
      assert.match(answer.text, new RegExp(`name="app_name" value="${app_name.trim()}"`));
    }
    assert.equal(
      (await visited.submit(page, { app_name: 'ü'.repeat(100), approve: '1' })).status,
      302,
    );
  });

  it('refuses addresses and ids that it cannot grant, on reading and on approving', async () => {
    const refused: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ app_id: 'one' }, /The application ID must be a UUID\./],
      ...[
        'javascript:alert(1)',
        'JavaScript:alert(1)',
        'java\nscript:alert(1)',
        ' javascript:alert(1)',
        'data:text/html,x',
        'vbscript:x',
        'file:///etc/passwd',
        'blob:https://a.example/x',
        'ftp://app.example/',
        'smb://app.example/share',
        'upi://pay?pa=somebody',
        'telprompt:112',
        'x-man-page://ls',
        'vnd.youtube:watch',
        'mailto:eve@evil.example',
        'tel:+491234',
        'sms:+491234',
        'intent://scan/#Intent;scheme=zxing;package=com.evil;end',
        'android-app://com.evil/http/evil.example',
        'view-source:https://app.example/',
        'about:blank',
        'vbscript:msgbox(1)',
        'ws://app.example/',
        'wss://app.example/',
        'chrome://settings',
        'ms-settings:privacy',
        'search-ms:query=x&crumb=location:\\\\evil.example',
        'itms-services://?action=download-manifest&url=https://evil.example/x',
        'ssh://evil.example/',
        'web+app://x',
        'not an address',
        '/admin/login',
        '//evil.example',
        'https://',
        `https://app.example/${'x'.repeat(2000)}`,
        "https://app.example;script-src'unsafe-inline'/",
      ].map((address) => [{ success_url: address }, /Invalid URL format\./] as const),
      [{ success_url: 'http://app.example/' }, /The URL must be served over a secure connection\./],
      [{ success_url: 'http://127.0.0.1.evil.example/' }, /secure connection/],
      [{ reject_url: 'javascript:1' }, /Invalid URL format\./],
    ];
    const visited = await visitor();
    const form = await visited.get(PAGE);
    for (const [parameters, sentence] of refused) {
      const read = await visited.get(asking(parameters));
      assert.equal(read.status, 400, JSON.stringify(parameters));
      assert.match(read.text, sentence);
      const sent = await visited.submit(form, { app_name: 'x', approve: '1', ...parameters });
      assert.equal(sent.status, 400);
      assert.equal(location(sent), '');
    }
    assert.equal((await passwords()).length, 0);
  });

  for (const address of [
    'http://127.0.0.1:4567/cb',
    'http://localhost/cb',
    'http://[::1]:4567/cb',
    'com.example.app://cb',
    'app:/x',
    'https://[2001:db8::1]/',
  ]) {
    it(`may go to ${address}`, async () => {
      const visited = await visitor();
      const page = await visited.get(asking({ success_url: address }));
      assert.equal(page.status, 200);
      const source =
        /form-action 'self' (\S+?)(;|$)/.exec(
          page.headers.get('content-security-policy') ?? '',
        )?.[1] ?? '';
      assert.ok(address.startsWith(source), source);
      assert.ok(
        location(await visited.submit(page, { app_name: 'x', approve: '1' })).startsWith(
          `${address}?site_url=`,
        ),
      );
    });
  }

  it('shows what an application says of itself as text', async () => {
    const visited = await visitor();
    const { text } = await visited.get(
      asking({
        app_name: '"><script>alert(1)</script>',
        success_url: 'https://app.example/?"><b>',
      }),
    );
    assert.doesNotMatch(text, /<script|<b>/);
    assert.match(plain(text), /"><script>alert\(1\)<\/script> asks to use/);
  });

  it('stands in nobody’s frame, runs no script, and is kept by nobody', async () => {
    const visited = await visitor();
    const pages = [
      await visited.get(PAGE),
      await new Visitor(service()).get('/admin/login'),
      await visited.get('/admin/'),
    ];
    for (const { headers, text } of pages) {
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
      ])
        assert.ok(policy.includes(part), part);
      assert.doesNotMatch(policy, /unsafe|script-src/);
      assert.doesNotMatch(text, /<script|style="|\son\w+=/);
      assert.match(text, /<html lang="en">/);
      assert.equal(headers.get('x-frame-options'), 'DENY');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
  });

  it('labels every field', async () => {
    const visited = await visitor();
    for (const { text } of [
      await visited.get(PAGE),
      await new Visitor(service()).get('/admin/login'),
    ]) {
      const fields = [...text.matchAll(/<input (?!type="hidden")[^>]*id="(\w+)"/g)].map(
        ([, id]) => id,
      );
      assert.ok(fields.length > 0);
      for (const id of fields) assert.match(text, new RegExp(`<label for="${id}">`));
      assert.equal([...text.matchAll(/<input (?!type="hidden")/g)].length, fields.length);
    }
  });

  describe('refuses a form that is not its own: 403 "The link you followed has expired."', () => {
    const expired = ({ status, text }: Answer) => {
      assert.equal(status, 403);
      assert.match(text, /The link you followed has expired\./);
    };

    it('without a token, with a made-up one, with another session’s', async () => {
      const visited = await visitor();
      const page = await visited.get(PAGE);
      const other = new Visitor(service());
      await other.submit(await other.get('/admin/login'), { username: 'mina', password: PASSWORD });
      const [, foreign = ''] =
        /name="_token" value="([^"]+)"/.exec((await other.get(PAGE)).text) ?? [];
      assert.ok(foreign);
      for (const _token of ['', 'x', foreign, '99999999999.AAAA'])
        expired(await visited.submit(page, { app_name: 'x', approve: '1', _token }));
      assert.equal((await passwords()).length, 0);
    });

    it('that lay open for more than an hour', async () => {
      const visited = await visitor();
      const page = await visited.get(PAGE);
      const now = Date.now();
      service().now = () => now + HOUR + 1000;
      const late = await visited.submit(page, { app_name: 'x', approve: '1' });
      expired(late);
      assert.match(late.text, /href="\/admin\/authorize-application\.php/);
    });

    it('that another site sent', async () => {
      const visited = await visitor();
      const page = await visited.get(PAGE);
      expired(
        await visited.submit(
          page,
          { app_name: 'x', approve: '1' },
          { 'sec-fetch-site': 'cross-site' },
        ),
      );
    });

    it('for signing in and out as well', async () => {
      const visited = await visitor();
      expired(await visited.post('/admin/logout', {}));
      assert.equal((await visited.get(PAGE)).status, 200);
      expired(
        await new Visitor(service()).post('/admin/login', { username: 'mina', password: PASSWORD }),
      );
    });
  });
});

describe('The sign-in of the pages', () => {
  const service = useService();
  const member = (): Promise<unknown> =>
    service().graphql(
      'mutation($input: CreateUserInput!) { createUser(input: $input) { id } }',
      { input: { username: 'mina', email: 'mina@example.com', password: PASSWORD } },
      { as: 'administrator' },
    );
  const enter = async (visitor: Visitor, fields: Record<string, string>, path = '/admin/login') =>
    visitor.submit(await visitor.get(path), { username: 'mina', password: PASSWORD, ...fields });

  it('answers wrong passwords and unknown accounts alike, after the same statements, and keeps the name', async () => {
    await member();
    const visitor = new Visitor(service());
    const wrong = await enter(visitor, { password: 'wrong' });
    const unknown = await enter(visitor, { username: 'nobody' });
    assert.equal(wrong.status, 401);
    assert.match(wrong.text, /role="alert"[^>]*>The user name or the password is not right\./);
    const without = (text: string) => text.replace(/value="[^"]*"/g, '');
    assert.equal(without(unknown.text), without(wrong.text));
    assert.match(wrong.text, /name="username" value="mina"/);
    assert.doesNotMatch(wrong.text, /value="wrong"/);
    const known = await service().statements(() => enter(visitor, { password: 'wrong' }));
    assert.equal(await service().statements(() => enter(visitor, { username: 'nobody' })), known);
    const events = await service().database.prisma.auditEvent.findMany({
      where: { action: 'session.refused' },
    });
    assert.deepEqual(new Set(events.map(({ detail }) => detail)), new Set([null]));
  });

  it('is braked as every sign-in is, by the address behind a trusted proxy, and says how long', async (test) => {
    await member();
    const now = Date.now();
    service().now = () => now;
    service().limit();
    const behind = await service().under({ TRUSTED_PROXIES: '1' });
    test.after(() => behind.stop());
    const visitor = new Visitor(behind);
    const from = async (address: string, password: string) =>
      visitor.submit(
        await visitor.get('/admin/login'),
        { username: 'mina', password },
        { 'x-forwarded-for': address, 'user-agent': 'Firefox' },
      );
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await from('192.0.2.1', 'wrong')).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401]);
    const braked = await from('192.0.2.1', PASSWORD);
    assert.equal(braked.status, 429);
    assert.equal(braked.headers.get('retry-after'), '30');
    assert.match(braked.text, /role="alert"[^>]*>Too many attempts to sign in\. Try again later\./);
    assert.equal((await from('192.0.2.2', PASSWORD)).status, 302);
    const [session] = await service().database.prisma.session.findMany();
    assert.deepEqual([session?.kind, session?.userAgent], ['page', 'Firefox']);
  });

  it('pays for the signing in, by address', async () => {
    await member();
    const now = Date.now();
    service().now = () => now;
    service().limit();
    const visitor = new Visitor(service());
    const statuses: number[] = [];
    for (let i = 0; i < 51; i++)
      statuses.push((await enter(visitor, { username: `nobody ${i}`, password: 'x' })).status);
    assert.deepEqual(new Set(statuses.slice(0, 50)), new Set([401]));
    assert.equal(statuses[50], 429);
  });

  it('gives a cookie that only the browser reads, only for the pages, only for our own links', async () => {
    await member();
    const visitor = new Visitor(service());
    await enter(visitor, {});
    const cookie = visitor.cookies.get('care_page');
    assert.match(cookie?.attributes ?? '', /HttpOnly; SameSite=Strict/);
    assert.match(cookie?.attributes ?? '', /Max-Age=28800/);
    assert.equal(cookie?.path, '/admin');
    assert.doesNotMatch(cookie?.attributes ?? '', /Secure/);
  });

  it('gives it over https alone where the service is reached by https', async () => {
    const config = readConfig({ SEED: 'none', ADMIN_DIR: 'staff', LOG_LEVEL: 'silent' });
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { listener } = await makeListener(
      createApp({ ...service().app.deps, config }),
      http,
      'https://care.example',
    );
    http.on('request', listener);
    const response = await fetch(
      `http://127.0.0.1:${(http.address() as AddressInfo).port}/staff/login`,
    );
    assert.match(
      response.headers.get('set-cookie') ?? '',
      /^__Secure-care_form=.*Path=\/staff;.*; Secure/,
    );
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });

  it('leads on to pages of ours alone', async () => {
    await member();
    for (const target of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      '/admin/../../evil',
      '/admin/..//evil.example',
      '/admin/\\..\\..\\//evil.example',
      '/adminevil',
      'javascript:alert(1)',
      '',
      `/admin/${'%'.repeat(3)}`,
    ]) {
      const visitor = new Visitor(service());
      const answer = await enter(
        visitor,
        {},
        `/admin/login?${new URLSearchParams({ redirect_to: target })}`,
      );
      const to = new URL(location(answer), service().url);
      assert.equal(to.origin, service().url, target);
      assert.ok(location(answer).startsWith('/admin/'), `${target} led to ${location(answer)}`);
      const again = await visitor.get(
        `/admin/login?${new URLSearchParams({ redirect_to: target })}`,
      );
      assert.ok(location(again).startsWith('/admin/'), `${target} led to ${location(again)}`);
    }
  });

  it('is asked of everybody, whatever the request brings besides the cookie', async () => {
    await member();
    const administrator = await service().authorization('administrator');
    const login = 'mutation($input: LoginInput!) { login(input: $input) { token } }';
    const { body } = await service().graphql(login, {
      input: { username: 'mina', password: PASSWORD },
    });
    for (const headers of [
      administrator,
      { authorization: `Bearer ${body.data.login.token}` },
      { cookie: `care_page=${body.data.login.token}` },
    ])
      assert.equal((await new Visitor(service()).get(PAGE, headers)).status, 302);
  });

  it('gives a cookie that neither face of the interface takes, in whatever form', async () => {
    await member();
    const visitor = new Visitor(service());
    await enter(visitor, {});
    const value = visitor.cookies.get('care_page')?.value ?? '';
    const { id } = await service().database.prisma.session.findFirstOrThrow();
    const query = '{ viewer { id } }';
    const asCookie = await service().graphql(
      query,
      {},
      { headers: { cookie: `care_page=${value}` } },
    );
    assert.equal(asCookie.body.data.viewer, null);
    const { status } = await service().rest('POST', '/v1/posts', {
      headers: { cookie: `care_page=${value}` },
      body: { title: 'x' },
    });
    assert.equal(status, 401);
    for (const authorization of [`Bearer ${value}`, `Bearer ${id}`]) {
      assert.equal(
        (await service().rest('GET', '/v1/posts', { headers: { authorization } })).status,
        401,
      );
    }
    for (const login of ['mina', id]) {
      const authorization = `Basic ${Buffer.from(`${login}:${value}`).toString('base64')}`;
      assert.equal(
        (await service().graphql(query, {}, { headers: { authorization } })).body.data.viewer,
        null,
      );
    }
    const accountId = (
      await service().database.prisma.account.findFirstOrThrow({ where: { username: 'mina' } })
    ).id;
    const token = await service().app.deps.tokens.signAccess(
      { accountId, sessionId: id, counter: 0 },
      service().now(),
    );
    const forged = await service().rest('GET', '/v1/posts', {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(forged.status, 401, 'not even a token of its session would be taken');
  });

  it('ends by the button, for good, and after eight hours', async () => {
    await member();
    const visitor = new Visitor(service());
    await enter(visitor, {});
    const home = await visitor.get('/admin/');
    const kept = visitor.cookies.get('care_page');
    assert.equal((await visitor.submit(home, {})).status, 302);
    assert.equal(visitor.cookies.has('care_page'), false);
    if (kept) visitor.cookies.set('care_page', kept);
    assert.equal((await visitor.get(PAGE)).status, 302, 'a kept cookie is of no use');

    const second = new Visitor(service());
    const now = Date.now();
    service().now = () => now;
    await enter(second, {});
    service().now = () => now + 8 * HOUR - 1000;
    assert.equal((await second.get(PAGE)).status, 200);
    service().now = () => now + 8 * HOUR + 1000;
    assert.equal((await second.get(PAGE)).status, 302);
  });

  it('takes no cookie that was changed', async () => {
    await member();
    const visitor = new Visitor(service());
    await enter(visitor, {});
    const kept = visitor.cookies.get('care_page');
    assert.ok(kept);
    const [id, expires, mac] = kept.value.split('.');
    for (const value of [
      `${id}.${Number(expires) + 1}.${mac}`,
      `${id}.${expires}.`,
      `${id}.${expires}`,
      '',
      '...',
      'x'.repeat(4000),
    ]) {
      visitor.cookies.set('care_page', { ...kept, value });
      assert.equal((await visitor.get(PAGE)).status, 302, value.slice(0, 80));
    }
  });

  it('reads no body that is too large or broken as a form', async () => {
    const visitor = new Visitor(service());
    assert.equal(
      (await visitor.post('/admin/login', { username: 'x'.repeat(70_000) })).status,
      413,
    );
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, '1']));
    assert.equal((await visitor.post('/admin/login', many)).status, 413);
    const encoded = await service().fetch('/admin/login', {
      method: 'POST',
      body: 'x',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'content-encoding': 'nonsense',
      },
    });
    assert.equal(encoded.status, 415);
    assert.equal((await service().fetch('/admin/login', { method: 'POST' })).status, 403);
  });
});
