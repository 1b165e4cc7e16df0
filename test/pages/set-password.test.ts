import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makePasswordLink } from '../../src/domains/passwords/password-link.service.js';
import { useService } from '../support/harness.js';
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
      assert.equal(status, 200);
      assert.match(text, /Set the password of The administrator/);
    }
    const page = await visitor.get(link);
    const done = await visitor.submit(page, { password: PASSWORD, again: PASSWORD });
    assert.deepEqual([done.status, /Your password was set/.test(done.text)], [200, true]);
    assert.equal(await login(PASSWORD), 200);
    const now = service().now() + 1000;
    service().now = () => now;
    const { body } = await service().graphql('{ viewer { id } }', {}, { headers });
    assert.equal(body.errors[0].extensions.code, 'TOKEN_INVALID', 'sessions end');
    const again = await visitor.submit(page, {
      password: 'another password',
      again: 'another password',
    });
    assert.equal(again.status, 404);
    assert.equal((await visitor.get(link)).status, 404);
    assert.equal(await login(PASSWORD), 200);
    const [mail] = await service().mails();
    assert.deepEqual(
      [mail?.headers.get('to'), mail?.headers.get('subject')],
      ['administrator@example.com', 'Your password was changed'],
    );
    const audited = await service().database.prisma.auditEvent.findMany({
      where: { subjectId: id },
      orderBy: { id: 'asc' },
    });
    const actions = audited.map(({ action }) => action);
    for (const action of ['password.link', 'session.end', 'password.reset'])
      assert.ok(actions.includes(action), action);
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
      assert.equal(status, 400);
      assert.match(text, sentence);
    }
    assert.equal((await set(visitor, link, PASSWORD)).status, 200);
  });

  it('is good for a day, and for nobody who makes one up', async () => {
    const start = service().now();
    service().now = () => start;
    const { id } = await service().account('administrator');
    const link = await linkFor(id);
    const visitor = new Visitor(service());
    for (const made of ['', 'x', `${link.slice(-40)}`, 'A'.repeat(2000)]) {
      assert.equal((await visitor.get(`/admin/set-password?link=${made}`)).status, 404, made);
    }
    service().now = () => start + DAY - 1;
    assert.equal((await visitor.get(link)).status, 200);
    service().now = () => start + DAY;
    assert.equal((await visitor.get(link)).status, 404);
  });

  it('is used by one of two who use it at once', async () => {
    const { id } = await service().account('administrator');
    const link = await linkFor(id);
    const visitors = [new Visitor(service()), new Visitor(service())];
    const answers = await Promise.all(
      visitors.map((visitor, i) => set(visitor, link, `${PASSWORD} ${i}`)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
  });

  it('needs our own form: a page elsewhere sets nothing', async () => {
    const { id } = await service().account('administrator');
    const link = new URL(await linkFor(id), service().url).searchParams.get('link') ?? '';
    const { status } = await new Visitor(service()).post('/admin/set-password', {
      link,
      password: PASSWORD,
      again: PASSWORD,
    });
    assert.equal(status, 403);
    assert.equal(await login(PASSWORD), 401);
  });
});
