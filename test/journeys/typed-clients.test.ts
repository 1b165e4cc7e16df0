import { join } from 'node:path';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { HttpError, ok, type RequestOpts } from '@oazapfts/runtime';
import { projectRoot } from '../../src/platform/root.js';
import { makeMember } from '../support/factories.js';
import { bearer, useService } from '../support/harness.js';
import { unmask } from './dashboard/generated/apollo/fragment-masking.js';
import {
  AccountScreenDocument,
  CalendarDocument,
  CaredForMembersDocument,
  CareHomeDocument,
  DoseAnswerFragmentDoc,
  DoseBarFragmentDoc,
  EventCardFragmentDoc,
  LoginDocument,
  PostsDocument,
  RefreshDocument,
  TakeDoseDocument,
  ViewerFieldsFragmentDoc,
} from './dashboard/generated/apollo/graphql.js';
import * as restA from './dashboard/generated/rest/rest-a.js';
import * as restB from './dashboard/generated/rest/rest-b.js';

const PASSWORD = 'correct horse battery';
const MINA = { name: 'Mina', email: 'mina@example.com', password: PASSWORD, language: 1 };
const MORNING = '2026-03-10T08:30:00Z';
const MEDICINE = { name: 'Aspirin', frequency_type: 'daily', start_date: '2026-03-10T08:00:00' };
const EDITIONS = [
  ['A', restA, '/api'],
  ['B', restB, '/v3/api'],
] as const;

describe.each(EDITIONS)('The client of edition %s that npm run client writes', (_, rest, root) => {
  const service = useService();
  /** How requests are sent: to this service, with a token if there is one. */
  const sending = (token?: string): RequestOpts => ({
    baseUrl: service().url + root,
    headers: { 'Time-Zone': 'UTC', ...(token && bearer(token)) },
  });

  it('signs up, signs in and out of date, and makes, lists and deletes a reminder', async () => {
    service().at(MORNING);
    const { user } = await ok(rest.signUp(MINA, {}, sending()));
    const credentials = { username: MINA.email, password: PASSWORD };
    const session = await ok(rest.login(credentials, {}, sending()));
    expect(session.user.id).toBe(user.id);
    const { token } = await ok(rest.refreshToken(session.refreshToken, {}, sending()));
    const mina = sending(token);
    const made = await ok(rest.createMedicineReminder(MEDICINE, {}, mina));
    expect(made).toMatchObject({ name: 'Aspirin', times: ['08:00'], schedule_recognized: true });
    const listed = await ok(rest.listMedicineReminders({ perPage: 5 }, mina));
    expect(listed.map(({ id, name }) => ({ id, name }))).toStrictEqual([
      { id: made.id, name: 'Aspirin' },
    ]);
    const events = await ok(
      rest.listEvents({ dateFrom: '2026-03-10', dateTo: '2026-03-11' }, mina),
    );
    expect(events.map((event) => event.date_time)).toStrictEqual([
      '2026-03-10T08:00:00+00:00',
      '2026-03-11T08:00:00+00:00',
    ]);
    expect((await ok(rest.deleteMedicineReminder(made.id, {}, mina))).deleted).toBe(true);
    expect(await ok(rest.listMedicineReminders({}, mina))).toStrictEqual([]);
  });

  it('tells refusals by status and code', async () => {
    const wrong = await rest.login({ username: 'mina', password: 'wrong' }, {}, sending());
    expect([wrong.status, 'data' in wrong && wrong.data]).toStrictEqual([
      401,
      expect.objectContaining({ code: 'invalid_credentials' }),
    ]);
    const refused = ok(rest.listMedicineReminders({}, sending())).catch((error) => error);
    expect(await refused).toBeInstanceOf(HttpError);
    expect(await refused).toMatchObject({ status: 401, data: { code: 'rest_forbidden' } });
  });

  it('reads content, with totals in its headers', async () => {
    await service().post({ title: 'One' });
    await service().post({ title: 'Two' });
    const found = await rest.listPosts({ perPage: 1, search: 'One' }, sending());
    expect([found.status, found.headers.get('X-WP-Total')]).toStrictEqual([200, '1']);
    const posts = 'data' in found && Array.isArray(found.data) ? found.data : [];
    expect(posts.map(({ title }) => title.rendered)).toStrictEqual(['One']);
  });
});

describe('The typed documents that npm run client writes', () => {
  const service = useService();
  let url: string;
  let token: string;

  const file = join(
    projectRoot,
    'test/journeys/dashboard/generated/apollo/persisted-documents.json',
  );
  beforeEach(async () => {
    service().at(MORNING);
    token = '';
    url = await service().configured({ PERSISTED_DOCUMENTS: file });
    await makeMember(service(), MINA, { 'Time-Zone': 'UTC' });
    const input = { username: MINA.email, password: PASSWORD };
    const { login } = await send(LoginDocument, { input });
    const { refreshToken } = await send(RefreshDocument, {
      input: { refreshToken: login?.refreshToken ?? '' },
    });
    token = refreshToken?.token ?? '';
  });

  /** Sends a registered document by its hash alone. */
  async function send<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data> {
    const { hash } = (document as unknown as { __meta__: { hash: string } }).__meta__;
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && bearer(token)) },
      body: JSON.stringify({
        variables,
        extensions: { persistedQuery: { version: 1, sha256Hash: hash } },
      }),
    });
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
    if (errors) throw new Error(`It was refused: ${JSON.stringify(errors)}`);
    return data;
  }

  it('show the screens of a dashboard, and take a dose', async () => {
    const mina = { baseUrl: `${service().url}/api`, headers: bearer(token) };
    await ok(restA.createMedicineReminder(MEDICINE, {}, mina));
    const { memberHome } = await send(CareHomeDocument, {});
    expect(memberHome).toBeTruthy();
    const { calendar } = await send(CalendarDocument, { from: '2026-03-10', to: '2026-03-10' });
    const day = calendar?.days[0];
    expect(unmask(DoseBarFragmentDoc, day?.doses)).toBeTruthy();
    const due = unmask(EventCardFragmentDoc, day?.events[0]);
    expect([due?.title, due?.status]).toStrictEqual(['Aspirin', 'DUE']);
    const { takeDose } = await send(TakeDoseDocument, { input: { occurrenceId: due?.id ?? '' } });
    expect(unmask(DoseAnswerFragmentDoc, takeDose?.event)?.status).toBe('TAKEN');
    const { viewer } = await send(AccountScreenDocument, {});
    expect(unmask(ViewerFieldsFragmentDoc, viewer)?.username).toBeTruthy();
    expect((await send(PostsDocument, { first: 1 })).posts?.edges).toStrictEqual([]);
    expect((await send(CaredForMembersDocument, { first: 1 })).caredForMembers).toBeTruthy();
  });
});
