import { type Answer, useService } from '../support/harness.js';
import { Visitor } from '../support/visitor.js';

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
    const query =
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
    const input = {
      username: 'mina',
      email: 'mina@example.com',
      password: PASSWORD,
    };
    await service().graphql(query, { input }, { as: 'administrator' });
    // No name can be given like this any more: one that was stored before is shown as text.
    const stored = { where: { usernameKey: 'mina' }, data: { name: 'Mina <b>' } };
    await service().database.prisma.account.update(stored);
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
    expect(entered.status, entered.text).toBe(302);
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
      expect(address).toBe(`${service().url}${site}${PAGE}`);
      expect((await new Visitor(service()).get(new URL(address).pathname)).status).toBe(302);
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
    expect(away.status).toBe(302);
    expect(new URL(location(away), service().url).pathname).toBe('/admin/login');
    const back = await visitor.submit(await visitor.get(location(away)), {
      username: 'mina',
      password: PASSWORD,
    });
    expect(back.status).toBe(302);
    const page = await visitor.get(location(back));
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/Pill box asks to use your account/);
    expect(page.text).toMatch(/<strong>app\.example<\/strong>/);
    expect(page.text).toMatch(/name="app_name" value="Pill box"/);
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
    expect(status).toBe(302);
    const to = headers.get('location') ?? '';
    expect(to.startsWith('https://app.example/cb?state=a%20b&flag&site_url='), to).toBe(true);
    expect(to.endsWith('#part')).toBe(true);
    const { searchParams } = new URL(to);
    expect(searchParams.get('site_url')).toBe(service().url);
    expect(searchParams.get('user_login')).toBe('mina');
    expect(searchParams.get('password') ?? '').toMatch(/^[A-Za-z0-9]{24}$/);
    expect(await viewer(basic('mina', searchParams.get('password') ?? ''))).toStrictEqual({
      username: 'mina',
    });
    const [made] = await passwords();
    expect([made?.name, made?.appId]).toStrictEqual(['My pill box', APP_ID]);
    expect(await audited('application_password.create')).toBe(1);
    expect(headers.get('cache-control') ?? '').toMatch(/no-store/);
  });

  it('makes another for a name that is used already', async () => {
    const visited = await visitor();
    for (const count of [1, 2]) {
      const page = await visited.get(asking({ app_name: 'Twice', success_url: 'app:back' }));
      expect(
        location(await visited.submit(page, { app_name: 'Twice', approve: '1' })).slice(0, 9),
      ).toBe('app:back?');
      expect(await passwords()).toHaveLength(count);
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
    expect(searchParams.get('site_url')).toBe(`${service().url}/v3`);
    expect(
      (await visited.get(PAGE)).status,
      'the cookie of one edition is not sent to the other',
    ).toBe(302);
  });

  it('shows the password once when there is nowhere to go', async () => {
    const visited = await visitor();
    const answer = await visited.submit(await visited.get(PAGE), {
      app_name: 'Desk',
      approve: '1',
    });
    expect(answer.status).toBe(200);
    const [, shown = ''] = /<code class="secret">([^<]+)<\/code>/.exec(answer.text) ?? [];
    expect(shown).toMatch(/^(\w{4} ){5}\w{4}$/);
    expect(await viewer(basic('mina', shown))).toStrictEqual({ username: 'mina' });
  });

  it('refuses by the way that the application names, else by success=false, else by a page', async () => {
    const visited = await visitor();
    const refuse = async (parameters: Record<string, string>) =>
      visited.submit(await visited.get(asking(parameters)), { app_name: 'x', reject: '1' });
    const success_url = 'https://app.example/cb?a=1';
    expect(location(await refuse({ success_url, reject_url: 'https://app.example/no?b=2' }))).toBe(
      'https://app.example/no?b=2',
    );
    expect(location(await refuse({ success_url }))).toBe(
      'https://app.example/cb?a=1&success=false',
    );
    const page = await refuse({});
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/was not connected/);
    expect(await passwords()).toHaveLength(0);
  });

  it('needs a name of 1 to 200 bytes, and keeps what was typed', async () => {
    const visited = await visitor();
    const page = await visited.get(asking({ success_url: 'https://app.example/' }));
    for (const app_name of ['', '   ', 'ü'.repeat(101)]) {
      const answer = await visited.submit(page, { app_name, approve: '1' });
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(/role="alert"/);
      expect(answer.text).toMatch(new RegExp(`name="app_name" value="${app_name.trim()}"`));
    }
    expect((await visited.submit(page, { app_name: 'ü'.repeat(100), approve: '1' })).status).toBe(
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
      expect(read.status, JSON.stringify(parameters)).toBe(400);
      expect(read.text).toMatch(sentence);
      const sent = await visited.submit(form, { app_name: 'x', approve: '1', ...parameters });
      expect(sent.status).toBe(400);
      expect(location(sent)).toBe('');
    }
    expect(await passwords()).toHaveLength(0);
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
      expect(page.status).toBe(200);
      const source =
        /form-action 'self' (\S+?)(;|$)/.exec(
          page.headers.get('content-security-policy') ?? '',
        )?.[1] ?? '';
      expect(address.startsWith(source), source).toBe(true);
      expect(
        location(await visited.submit(page, { app_name: 'x', approve: '1' })).startsWith(
          `${address}?site_url=`,
        ),
      ).toBe(true);
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
    expect(text).not.toMatch(/<script|<b>/);
    expect(text).toContain('&quot;&gt; script&gt;alert(1) /script&gt; asks to use');
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
        expect(policy, part).toContain(part);
      expect(policy).not.toMatch(/unsafe|script-src/);
      expect(text).not.toMatch(/<script|style="|\son\w+=/);
      expect(text).toMatch(/<html lang="en">/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
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
      expect(fields.length).toBeGreaterThan(0);
      for (const id of fields) expect(text).toMatch(new RegExp(`<label for="${id}">`));
      expect([...text.matchAll(/<input (?!type="hidden")/g)]).toHaveLength(fields.length);
    }
  });

  describe('refuses a form that is not its own: 403 "The link you followed has expired."', () => {
    const expired = ({ status, text }: Answer) => {
      expect(status).toBe(403);
      expect(text).toMatch(/The link you followed has expired\./);
    };

    it('without a token, with a made-up one, with another session’s', async () => {
      const visited = await visitor();
      const page = await visited.get(PAGE);
      const other = new Visitor(service());
      await other.submit(await other.get('/admin/login'), { username: 'mina', password: PASSWORD });
      const [, foreign = ''] =
        /name="_token" value="([^"]+)"/.exec((await other.get(PAGE)).text) ?? [];
      expect(foreign).toBeTruthy();
      for (const _token of ['', 'x', foreign, '99999999999.AAAA'])
        expired(await visited.submit(page, { app_name: 'x', approve: '1', _token }));
      expect(await passwords()).toHaveLength(0);
    });

    it('that lay open for more than an hour', async () => {
      const visited = await visitor();
      const page = await visited.get(PAGE);
      const now = Date.now();
      service().at(now + HOUR + 1000);
      const late = await visited.submit(page, { app_name: 'x', approve: '1' });
      expired(late);
      expect(late.text).toMatch(/href="\/admin\/authorize-application\.php/);
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
      expect((await visited.get(PAGE)).status).toBe(200);
      expired(
        await new Visitor(service()).post('/admin/login', { username: 'mina', password: PASSWORD }),
      );
    });
  });
});
