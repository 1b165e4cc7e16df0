// Changes under an Idempotency-Key of which some are refused at first.
import { makeMedicine } from '../support/factories.js';
import { useService } from '../support/harness.js';

const headers = { 'idempotency-key': 'one-key' };

describe('A change that was refused', () => {
  const service = useService();
  const events =
    'query { calendar(from: "2026-03-10", to: "2026-03-10") { events { occurrenceId } } }';

  it('is made by the same request later, and takes for its own nothing that another field made', async () => {
    service().at('2026-03-08T07:00:00Z');
    await makeMedicine(service());
    const [event] = (await service().data(events)).calendar.events;
    const stranger = await makeMedicine(service(), { name: 'Secret' }, 'contributor');
    const document = `mutation($taken: TakeDoseInput!, $made: CreateMedicineReminderInput!) {
      a: takeDose(input: $taken) { event { occurrenceId status } }
      b: createMedicineReminder(input: $made) { reminder { databaseId name } }
    }`;
    const variables = {
      taken: { occurrenceId: event.occurrenceId },
      made: { name: 'Made', frequency: 'daily', startsOn: '2026-03-10' },
    };
    const send = async () =>
      (await service().graphql(document, variables, { as: 'subscriber', headers })).body;
    const first = await send();
    expect(first.errors.map(({ path }: { path: unknown }) => path)).toStrictEqual([['a']]);
    const { reminder } = first.data.b;
    expect(reminder.databaseId).toBeGreaterThan(stranger);
    service().at('2026-03-09T09:00:00Z'); // the same day: keys live for 24 hours, and a dose may be early
    await service().database.query('UPDATE idempotent_change SET created_at = $1', [
      new Date(service().now()),
    ]);
    service().at('2026-03-10T08:00:00Z');
    await service().database.query('UPDATE idempotent_change SET created_at = $1', [
      new Date(service().now()),
    ]);
    for (let times = 0; times < 2; times++) {
      const again = await send();
      expect(again.errors).toBeUndefined();
      expect(again.data.a.event).toStrictEqual({ ...event, status: 'TAKEN' });
      expect(again.data.b.reminder).toStrictEqual(reminder);
    }
    const { prisma } = service().database;
    expect([await prisma.dose.count(), await prisma.reminder.count()]).toStrictEqual([1, 3]);
  });

  it('in a batch is made by the same batch later, and the others are not made twice', async () => {
    const { id } = (
      await service().rest('POST', '/v1/pages', {
        as: 'editor',
        body: { title: 'First' },
      })
    ).body;
    const requests = [
      { path: `/v1/pages/${id + 1}`, body: { title: 'Renamed' } },
      { path: '/v1/pages', body: { title: 'Second' } },
    ];
    const send = async () =>
      (await service().rest('POST', '/batch/v1', { as: 'editor', headers, body: { requests } }))
        .body.responses;
    const statuses = (responses: { status: number }[]) => responses.map(({ status }) => status);
    expect(statuses(await send())).toStrictEqual([404, 201]);
    for (let times = 0; times < 2; times++) {
      const again = await send();
      expect(statuses(again)).toStrictEqual([200, 201]);
      expect(again[1].body.id).toBe(id + 1);
    }
    const pages = await service().database.query<{ title: string }>(
      `SELECT title FROM content_item WHERE kind = 'page' ORDER BY id`,
    );
    expect(pages.map(({ title }) => title)).toStrictEqual(['First', 'Renamed']);
  });

  it('takes no row of another kind: each has the number of its field', async () => {
    const key = { 'idempotency-key': 'by-kind' };
    const document = `mutation($page: CreatePageInput!, $quote: CreatePageInput!) {
      a: createPage(input: $page) { page { title } } b: createPage(input: $quote) { page { title } }
    }`;
    const variables = { page: { title: 'A' }, quote: { title: 'B' } };
    const titles = async () =>
      (await service().graphql(document, variables, { as: 'editor', headers: key })).body.data;
    const made = { a: { page: { title: 'A' } }, b: { page: { title: 'B' } } };
    for (let times = 0; times < 4; times++) expect(await titles()).toStrictEqual(made);
    expect(await service().database.prisma.contentItem.count()).toBe(2);
  });
});
