import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Sending, useService } from '../support/harness.js';

const PATH = '/wp/v2/users/me/application-passwords';
const APP_ID = '0b1f5f9e-3f5c-4b9f-9f0a-2f6f0f6f0f6f';

describe('Application passwords over REST', () => {
  const service = useService();
  const list = (sending: Sending = { as: 'subscriber' }) => service().rest('GET', PATH, sending);
  const create = (body: object, sending: Sending = { as: 'subscriber' }) => service().rest('POST', PATH, { ...sending, body });

  it('are for the signed in', async () => {
    assert.equal((await list({})).status, 401);
    assert.equal((await create({ name: 'x' }, {})).status, 401);
    assert.equal((await service().rest('GET', `${PATH}/introspect`)).status, 401);
  });

  it('are made for oneself: the password is shown once, and signs in', async () => {
    for (const edition of ['A', 'B'] as const) {
      const { status, body } = await create({ name: 'Pill box', app_id: APP_ID.toUpperCase() }, { as: 'subscriber', edition });
      assert.equal(status, 201);
      assert.deepEqual(Object.keys(body), ['uuid', 'app_id', 'name', 'created', 'last_used', 'last_ip', 'password']);
      assert.equal(body.app_id, APP_ID);
      assert.match(body.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      assert.equal(body.last_used, null);
      assert.match(body.password, /^(\w{4} ){5}\w{4}$/);
      const headers = { authorization: `Basic ${Buffer.from(`subscriber:${body.password}`).toString('base64')}` };
      const { password: _, ...shown } = body;
      const introspected = await service().rest('GET', `${PATH}/introspect`, { headers });
      assert.deepEqual(introspected.body, { ...shown, last_used: introspected.body.last_used });
    }
  });

  it('are listed without the password, the newest first, and nobody else’s', async () => {
    const now = Date.now();
    service().now = () => now + 60_000;
    await create({ name: 'Second' });
    await create({ name: 'Other' }, { as: 'editor' });
    const { body, text } = await list();
    assert.deepEqual(
      body.map(({ name }: { name: string }) => name),
      ['Second', 'test'],
    );
    assert.doesNotMatch(text, /password"/);
  });

  it('may have one name, and need one', async () => {
    await create({ name: 'Twice' });
    assert.equal((await create({ name: 'Twice' })).status, 201);
    const without = await create({});
    assert.equal(without.status, 400);
    assert.equal(without.body.code, 'rest_missing_callback_param');
    assert.deepEqual(without.body.data.params, ['name']);
    for (const body of [{ name: '' }, { name: 'x'.repeat(201) }, { name: 'x', app_id: 'one' }])
      assert.equal((await create(body)).body.code, 'rest_invalid_param', JSON.stringify(body));
  });

  it('are of no one who signed in without: 404', async () => {
    const { id } = await service().account('subscriber');
    const session = { id: crypto.randomUUID(), accountId: id };
    await service().database.prisma.session.create({ data: session });
    const token = await service().app.deps.tokens.signAccess({ accountId: id, sessionId: session.id }, service().now());
    const { status, body } = await service().rest('GET', `${PATH}/introspect`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(status, 404);
    assert.equal(body.code, 'rest_no_authenticated_app_password');
  });

  it('are made for others by administrators alone', async () => {
    const { id } = await service().account('subscriber');
    const mutation =
      'mutation($input: CreateApplicationPasswordInput!) { createApplicationPassword(input: $input) { password } }';
    const make = (as: 'editor' | 'administrator') => service().graphql(mutation, { input: { userId: id, name: 'x' } }, { as });
    assert.equal((await make('editor')).body.errors[0].extensions.code, 'FORBIDDEN');
    assert.ok((await make('administrator')).body.data);
    const events = await service().database.prisma.auditEvent.findMany({ where: { action: 'application_password.create' } });
    assert.deepEqual(
      events.map(({ subjectId }) => subjectId),
      [id],
    );
  });

  it('are listed by the same statements however many there are', async () => {
    await list();
    const few = await service().statements(() => list());
    for (let count = 0; count < 5; count++) await create({ name: `n${count}` });
    assert.equal(await service().statements(() => list()), few);
  });
});
