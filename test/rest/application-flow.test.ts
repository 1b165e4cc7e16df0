import { firstStart } from '../../src/app/seed/first-start.js';
import type { Answer, Harness, Sending } from '../support/harness.js';
import { bearer, useService } from '../support/harness.js';

const service = useService();
const PASSWORD = 'a long password';

/** Somebody who knows edition B by 4.5 of docs/interface.md alone. */
class App {
  #token = '';

  constructor(private readonly at: Harness) {}

  /** Asks with the token of the last sign-in, and expects a status. Returns the body. */
  async ask(
    method: string,
    path: string,
    sending: Sending = {},
    status = 200,
  ): Promise<Answer['body']> {
    const headers = this.#token ? bearer(this.#token) : {};
    const whole: Sending = { as: 'anonymous', edition: 'B', ...sending };
    const answer = await this.at.rest(method, path, {
      ...whole,
      headers: { ...headers, ...whole.headers },
    });
    const said = `${method} ${path} ${JSON.stringify(sending)}: ${answer.text.slice(0, 300)}`;
    expect([answer.status, said]).toStrictEqual([status, said]);
    return answer.body;
  }

  get = (path: string, query: Record<string, string> = {}) => this.ask('GET', path, { query });
  post = (path: string, body?: object, status = 200) =>
    this.ask('POST', path, body ? { body } : {}, status);

  leave(): void {
    this.#token = '';
  }

  /** Signs in by a route that answers a session. */
  async enter(path: string, body: object, status: number): Promise<Answer['body']> {
    const session = await this.post(path, body, status);
    this.#token = session.token;
    return session;
  }
}

describe('An app of edition B', () => {
  it('signs people up, in and on', async () => {
    const app = new App(service());
    const guest = await app.enter('/v1/guest', { language: 1 }, 201);
    expect(guest.user.guest).toBe(true);
    const account = { name: 'Sam', email: 'sam@example.org', password: PASSWORD, language: 1 };
    const member = await app.enter('/v1/signup', account, 201);
    expect(member.user).toMatchObject({ id: guest.user.id, name: 'Sam', guest: false });
    await app.enter('/v1/login', { username: 'sam@example.org', password: PASSWORD }, 200);
    const { refreshToken } = member;
    const next = await app.get('/v1/refreshToken', { refreshToken });
    expect(next.refreshToken).not.toBe(refreshToken);
    for (const slot of ['a', 'b', 'c'])
      await app.ask('GET', `/v1/idp_${slot}_login`, { query: { language: '1' } }, 501);
    await app.post('/v1/guest', {}, 400);
  });

  it('keeps reminders and their calendar', async () => {
    const app = new App(service());
    await app.enter('/v1/guest', { language: 1 }, 201);
    const course = { medicine_type: 'tablet', start_date: '2030-03-01', end_date: '2030-03-31' };
    const medicine = { name: 'Aspirin', description: '', frequency_type: 'daily', ...course };
    const { id } = await app.post(
      '/v1/medicine_reminder',
      { ...medicine, created_date: '2030-01-01' },
      201,
    );
    const vitamin = { name: 'Vitamin', frequency_type: 'daily', start_date: '2030-03-02' };
    expect((await app.post('/v1/event/medicine', vitamin, 201)).type).toBe('medicine');
    const visit = { title: 'Visit', description: '', date_time: '2030-03-02T10:00:00' };
    const appointment = await app.post(
      '/v1/appointment_reminder',
      { ...visit, remind_before: '30' },
      201,
    );
    expect(await app.get('/v1/medicine_reminder', { per_page: '1' })).toHaveLength(1);
    for (const [path, name] of [
      [`/v1/medicine_reminder/${id}`, 'name'],
      [`/v1/appointment_reminder/${appointment.id}`, 'title'],
    ] as const) {
      expect((await app.post(path, { [name]: 'Renamed' }))[name]).toBe('Renamed');
      expect((await app.get(path))[name]).toBe('Renamed');
    }
    const span = { date_from: '2030-03-02', date_to: '2030-03-02' };
    for (const path of ['/v1/events', '/v1/all_events']) {
      const events: { title: string }[] = await app.get(path, span);
      expect(events.map(({ title }) => title).sort()).toStrictEqual([
        'Renamed',
        'Renamed',
        'Vitamin',
      ]);
    }
    await app.get('/v1/events');
    await app.ask('GET', '/v1/all_events', {}, 400);
    for (const path of [
      `/v1/medicine_reminder/${id}`,
      `/v1/appointment_reminder/${appointment.id}`,
    ]) {
      expect(await app.ask('DELETE', path)).toMatchObject({ deleted: true });
      await app.ask('GET', path, {}, 404);
    }
  });

  it('registers its device, sends to it and takes it away', async () => {
    const app = new App(service());
    await app.enter('/v1/guest', { language: 1 }, 201);
    const push_token = 'ExponentPushToken[aBcDeFgHiJkLmNoPqRsTuV]';
    expect(await app.post('/v1/notify', { push_token }, 202)).toMatchObject({ registered: true });
    const { id } = await app.post('/v1/push_notification', { title: 'Hello', push_token }, 202);
    expect(await app.post('/v1/test_push', undefined, 202)).toMatchObject({ queued: 1 });
    const body = { ids: [id] };
    expect(await app.ask('DELETE', '/v1/push_notification', { body })).toStrictEqual({
      deleted: [id],
    });
    await app.ask('DELETE', `/v1/push_token/${push_token}`);
    await app.post('/v1/push_notification', {}, 400);
  });

  it('finds a living service: polls, a policy, things to read, a form, and diagnostics', async () => {
    const at = await service().under({ SEED: 'demo', ADMIN_PASSWORD: PASSWORD });
    await firstStart(at.app);
    const app = new App(at);
    await asksAndAgrees(app);
    await readsAndSends(app);
    await asksForItsState(app);
    await at.stop();
  });
});

async function asksAndAgrees(app: App): Promise<void> {
  await app.enter('/v1/login', { username: 'admin', password: PASSWORD }, 200);
  const counts = await app.get('/pwreset/import_poll');
  expect(Object.keys(counts)).toStrictEqual(['created', 'updated', 'unchanged', 'failed']);
  await app.enter('/v1/guest', { language: 1 }, 201);
  await app.ask('GET', '/pwreset/import_poll', {}, 403);
  for (let i = 0; i < 2; i++) {
    // Some poll takes no options, and asks to agree: an app that sends poll_id alone is served.
    expect(await app.post('/v1/poll/submit', { poll_id: 1 })).toMatchObject({
      poll_id: 1,
      option_ids: [],
    });
    expect((await app.post('/v1/poll/agree', { poll_id: 1 })).poll_id).toBe(1);
    expect((await app.post('/v1/agree_policy')).policy_version).toBe(1);
  }
  await app.post('/v1/poll/submit', { poll_id: 999 }, 404);
  await app.post('/v1/poll/agree', {}, 400);
}

async function readsAndSends(app: App): Promise<void> {
  const lists = ['/v1/videos', '/v1/healthcare/services', '/v1/healthcare/service-types'];
  for (const path of lists) expect((await app.get(path)).length).toBeGreaterThan(2);
  expect(Object.keys(await app.get('/v1/quote'))).toStrictEqual([
    'id',
    'text',
    'author',
    'language',
  ]);
  const person = { name: 'Sam', email: 'sam@example.org', phone: '+49 30 901820' };
  const form = { ...person, platform: 'android', score: '7', form: '1' };
  const taken = await app.post('/v1/ncsm', form, 201);
  expect(Object.keys(taken)).toStrictEqual(['id', 'received_at']);
  for (const name of Object.keys(form)) {
    const { data } = await app.post('/v1/ncsm', { ...form, [name]: undefined }, 400);
    expect(data.params).toStrictEqual([name]);
  }
}

async function asksForItsState(app: App): Promise<void> {
  app.leave();
  for (const path of ['/v1/report/chart', '/v1/report/statistics', '/v1/test_tp'])
    await app.ask('GET', path, {}, 401);
  await app.enter('/v1/guest', { language: 1 }, 201);
  expect(Object.keys(await app.get('/v1/report/chart'))).toStrictEqual([
    'labels',
    'datasets',
    'range',
  ]);
  expect(Object.keys(await app.get('/v1/report/statistics'))).toStrictEqual([
    'range',
    'totals',
    'adherence',
    'reminders',
  ]);
  await app.ask('GET', '/v1/test_tp', {}, 403);
  await app.enter('/v1/login', { username: 'admin', password: PASSWORD }, 200);
  expect((await app.get('/v1/test_tp')).third_parties.length).toBeGreaterThan(5);
}
