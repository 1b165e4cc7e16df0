import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/app/app.js';
import { readConfig } from '../../src/config/config.js';
import { makeListener } from '../../src/process/listener.js';
import { type Answer, bearer, useService } from '../support/harness.js';
import { whenOver } from '../support/running.js';
import { Visitor } from '../support/visitor.js';

const PASSWORD = 'correct horse battery';
const PAGE = '/admin/authorize-application.php';
const HOUR = 60 * 60 * 1000;
const location = ({ headers }: Answer) => headers.get('location') ?? '';

describe('The sign-in of the pages', () => {
  const service = useService();
  const member = (): Promise<unknown> =>
    service().graphql(
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }',
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
    expect(wrong.status).toBe(401);
    expect(wrong.text).toMatch(/role="alert"[^>]*>The user name or the password is not right\./);
    const without = (text: string) => text.replace(/value="[^"]*"/g, '');
    expect(without(unknown.text)).toBe(without(wrong.text));
    expect(wrong.text).toMatch(/name="username" value="mina"/);
    expect(wrong.text).not.toMatch(/value="wrong"/);
    const known = await service().statements(() => enter(visitor, { password: 'wrong' }));
    expect(await service().statements(() => enter(visitor, { username: 'nobody' }))).toBe(known);
    const events = await service().database.prisma.auditEvent.findMany({
      where: { action: 'session.refused' },
    });
    expect(new Set(events.map(({ detail }) => detail))).toStrictEqual(new Set([null]));
  });

  it('is braked as every sign-in is, by the address behind a trusted proxy, and says how long', async () => {
    await member();
    const now = Date.now();
    service().at(now);
    service().limit();
    const behind = await service().under({ TRUSTED_PROXIES: '1' });
    whenOver(() => behind.stop());
    const visitor = new Visitor(behind);
    const from = async (address: string, password: string) =>
      visitor.submit(
        await visitor.get('/admin/login'),
        { username: 'mina', password },
        { 'x-forwarded-for': address, 'user-agent': 'Firefox' },
      );
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await from('192.0.2.1', 'wrong')).status);
    expect(statuses).toStrictEqual([401, 401, 401, 401, 401]);
    const braked = await from('192.0.2.1', PASSWORD);
    expect(braked.status).toBe(429);
    expect(braked.headers.get('retry-after')).toBe('30');
    expect(braked.text).toMatch(
      /role="alert"[^>]*>Too many attempts to sign in\. Try again later\./,
    );
    expect((await from('192.0.2.2', PASSWORD)).status).toBe(302);
    const [session] = await service().database.prisma.session.findMany();
    expect([session?.kind, session?.userAgent]).toStrictEqual(['page', 'Firefox']);
  });

  it('pays 20 points for the signing in and one for its form, by address', async () => {
    await member();
    const now = Date.now();
    service().at(now);
    service().limit();
    const visitor = new Visitor(service());
    const statuses: number[] = [];
    for (let i = 0; i < 48; i++)
      statuses.push((await enter(visitor, { username: `nobody ${i}`, password: 'x' })).status);
    expect(new Set(statuses.slice(0, 47))).toStrictEqual(new Set([401]));
    expect(statuses[47]).toBe(429);
  });

  it('gives a cookie that only the browser reads, only for the pages, only for our own links', async () => {
    await member();
    const visitor = new Visitor(service());
    await enter(visitor, {});
    const cookie = visitor.cookies.get('care_page');
    expect(cookie?.attributes ?? '').toMatch(/HttpOnly; SameSite=Strict/);
    expect(cookie?.attributes ?? '').toMatch(/Max-Age=28800/);
    expect(cookie?.path).toBe('/admin');
    expect(cookie?.attributes ?? '').not.toMatch(/Secure/);
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
    expect(response.headers.get('set-cookie') ?? '').toMatch(
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
      expect(to.origin, target).toBe(service().url);
      expect(location(answer).startsWith('/admin/'), `${target} led to ${location(answer)}`).toBe(
        true,
      );
      const again = await visitor.get(
        `/admin/login?${new URLSearchParams({ redirect_to: target })}`,
      );
      expect(location(again).startsWith('/admin/'), `${target} led to ${location(again)}`).toBe(
        true,
      );
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
      bearer(body.data.login.token),
      { cookie: `care_page=${body.data.login.token}` },
    ])
      expect((await new Visitor(service()).get(PAGE, headers)).status).toBe(302);
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
    expect(asCookie.body.data.viewer).toBeNull();
    const { status } = await service().rest('POST', '/v1/posts', {
      headers: { cookie: `care_page=${value}` },
      body: { title: 'x' },
    });
    expect(status).toBe(401);
    for (const authorization of [`Bearer ${value}`, `Bearer ${id}`]) {
      expect(
        (await service().rest('GET', '/v1/events', { headers: { authorization } })).status,
      ).toBe(401);
    }
    for (const login of ['mina', id]) {
      const authorization = `Basic ${Buffer.from(`${login}:${value}`).toString('base64')}`;
      expect(
        (await service().graphql(query, {}, { headers: { authorization } })).body.data.viewer,
      ).toBeNull();
    }
    const accountId = (
      await service().database.prisma.account.findFirstOrThrow({ where: { username: 'mina' } })
    ).id;
    const token = await service().app.deps.tokens.signAccess(
      { accountId, sessionId: id, counter: 0 },
      service().now(),
    );
    const forged = await service().rest('GET', '/v1/events', {
      headers: bearer(token),
    });
    expect(forged.status, 'not even a token of its session would be taken').toBe(401);
  });

  it('ends by the button, for good, and after eight hours', async () => {
    await member();
    const visitor = new Visitor(service());
    await enter(visitor, {});
    const home = await visitor.get('/admin/');
    const kept = visitor.cookies.get('care_page');
    expect((await visitor.submit(home, {})).status).toBe(302);
    expect(visitor.cookies.has('care_page')).toBe(false);
    if (kept) visitor.cookies.set('care_page', kept);
    expect((await visitor.get(PAGE)).status, 'a kept cookie is of no use').toBe(302);

    const second = new Visitor(service());
    const now = Date.now();
    service().at(now);
    await enter(second, {});
    service().at(now + 8 * HOUR - 1000);
    expect((await second.get(PAGE)).status).toBe(200);
    service().at(now + 8 * HOUR + 1000);
    expect((await second.get(PAGE)).status).toBe(302);
  });

  it('takes no cookie that was changed', async () => {
    await member();
    const visitor = new Visitor(service());
    await enter(visitor, {});
    const kept = visitor.cookies.get('care_page');
    if (!kept) throw new Error('there is no cookie');
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
      expect((await visitor.get(PAGE)).status, value.slice(0, 80)).toBe(302);
    }
  });

  it('reads no body that is too large or broken as a form', async () => {
    const visitor = new Visitor(service());
    expect((await visitor.post('/admin/login', { username: 'x'.repeat(70_000) })).status).toBe(413);
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, '1']));
    expect((await visitor.post('/admin/login', many)).status).toBe(413);
    const encoded = await service().fetch('/admin/login', {
      method: 'POST',
      body: 'x',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'content-encoding': 'nonsense',
      },
    });
    expect(encoded.status).toBe(415);
    expect((await service().fetch('/admin/login', { method: 'POST' })).status).toBe(403);
  });
});
