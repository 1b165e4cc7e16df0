import { makePasswordLink } from '../../src/domains/passwords/password-link.service.js';
import { errorCode, useService } from '../support/harness.js';
import { Visitor } from '../support/visitor.js';

const PASSWORD = 'correct horse battery';
const DAY = 24 * 60 * 60 * 1000;

describe('A link that sets a password', () => {
  const service = useService();
  const linkFor = async (id: number) =>
    `/admin/set-password?link=${encodeURIComponent(await makePasswordLink(await service().context(), id))}`;
  const set = async (visitor: Visitor, link: string, password: string, again = password) =>
    visitor.submit(await visitor.get(link), { password, again });
  const login = async (password: string) =>
    (await service().rest('POST', '/v1/login', { body: { username: 'administrator', password } }))
      .status;

  it('shows a form as often as it is opened, and sets the password once', async () => {
    const { id } = await service().account('administrator');
    const headers = await service().session('administrator');
    const link = await linkFor(id);
    const visitor = new Visitor(service());
    for (let look = 0; look < 3; look++) {
      const { status, text } = await visitor.get(link);
      expect(status).toBe(200);
      expect(text).toMatch(/Set the password of The administrator/);
    }
    const page = await visitor.get(link);
    const done = await visitor.submit(page, { password: PASSWORD, again: PASSWORD });
    expect([done.status, /Your password was set/.test(done.text)]).toStrictEqual([200, true]);
    expect(await login(PASSWORD)).toBe(200);
    const now = service().now() + 1000;
    service().at(now);
    const { body } = await service().graphql('{ viewer { id } }', {}, { headers });
    expect(errorCode(body), 'sessions end').toBe('TOKEN_INVALID');
    const again = await visitor.submit(page, {
      password: 'another password',
      again: 'another password',
    });
    expect(again.status).toBe(404);
    expect((await visitor.get(link)).status).toBe(404);
    expect(await login(PASSWORD)).toBe(200);
    const [mail] = await service().mails();
    expect([mail?.headers.get('to'), mail?.headers.get('subject')]).toStrictEqual([
      'administrator@example.com',
      'Your password was changed',
    ]);
    const audited = await service().database.prisma.auditEvent.findMany({
      where: { subjectId: id },
      orderBy: { id: 'asc' },
    });
    const actions = audited.map(({ action }) => action);
    for (const action of ['password.link', 'session.end', 'password.reset'])
      expect(actions, action).toContain(action);
  });

  it('says what is wrong with a password, and changes nothing', async () => {
    const { id } = await service().account('administrator');
    const link = await linkFor(id);
    const visitor = new Visitor(service());
    for (const [password, again, sentence] of [
      ['short', 'short', /8/],
      [PASSWORD, 'something else', /not the same/],
    ] as const) {
      const { status, text } = await set(visitor, link, password, again);
      expect(status).toBe(400);
      expect(text).toMatch(sentence);
    }
    expect((await set(visitor, link, PASSWORD)).status).toBe(200);
  });

  it('is good for a day, and for nobody who makes one up', async () => {
    const start = service().now();
    service().at(start);
    const { id } = await service().account('administrator');
    const link = await linkFor(id);
    const visitor = new Visitor(service());
    for (const made of ['', 'x', `${link.slice(-40)}`, 'A'.repeat(2000)]) {
      expect((await visitor.get(`/admin/set-password?link=${made}`)).status, made).toBe(404);
    }
    service().at(start + DAY - 1);
    expect((await visitor.get(link)).status).toBe(200);
    service().at(start + DAY);
    expect((await visitor.get(link)).status).toBe(404);
  });

  it('is used by one of two who use it at once', async () => {
    const { id } = await service().account('administrator');
    const link = await linkFor(id);
    const visitors = [new Visitor(service()), new Visitor(service())];
    const answers = await Promise.all(
      visitors.map((visitor, i) => set(visitor, link, `${PASSWORD} ${i}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 404]);
  });

  it('needs our own form: a page elsewhere sets nothing', async () => {
    const { id } = await service().account('administrator');
    const link = new URL(await linkFor(id), service().url).searchParams.get('link') ?? '';
    const { status } = await new Visitor(service()).post('/admin/set-password', {
      link,
      password: PASSWORD,
      again: PASSWORD,
    });
    expect(status).toBe(403);
    expect(await login(PASSWORD)).toBe(401);
  });
});
