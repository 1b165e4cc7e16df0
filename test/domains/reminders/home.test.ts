import { postAppointment, postMedicine } from '../../support/factories.js';
import { type Caller, errorCode, type RoleName, useService } from '../../support/harness.js';
import { COUNTS, DAY, NOW } from './dose-calls.js';

describe('The home screen', () => {
  const service = useService();
  const HOME = `{ member { name } timeZone today { title status } nextAppointment { title startsAt } week { ${COUNTS} } }`;

  it('shows today, the next appointment and the week of a member, in a constant number of statements', async () => {
    service().at(NOW);
    const home = () => service().graphql(`{ memberHome ${HOME} }`, {}, { as: 'subscriber' });
    service().at(NOW - 6 * DAY);
    await postMedicine(service(), { name: 'Aspirin', start_date: '2026-03-05T08:00:00' });
    service().at(NOW);
    await postAppointment(service(), { title: 'Dentist', date_time: '2026-05-10T09:00:00' });
    const { body } = await home();
    expect(body.data.memberHome).toStrictEqual({
      member: { name: 'The subscriber' },
      timeZone: 'UTC',
      today: [{ title: 'Aspirin', status: 'DUE' }],
      nextAppointment: { title: 'Dentist', startsAt: '2026-05-10T09:00:00.000Z' },
      week: { taken: 0, skipped: 0, missed: 5, rate: null },
    });
    const one = await service().statements(home);
    for (let i = 0; i < 10; i++) await postMedicine(service(), { start_date: '2026-03-05' });
    expect(await service().statements(home)).toBe(one);
    expect(one, `${one}`).toBeLessThanOrEqual(6);
  });

  it('is the same for a member beside others, however far apart their clocks are', async () => {
    const days = (count: number) => NOW + count * DAY;
    const far = { subscriber: 'Pacific/Kiritimati', author: 'America/Los_Angeles' } as const;
    const takes = async (as: Caller) => {
      const { events } = (await service().graphql('{ calendar { events { id } } }', {}, { as }))
        .body.data.calendar;
      const take =
        'mutation($id: ID!) { takeDose(input: { occurrenceId: $id }) { event { status } } }';
      for (const { id } of events.slice(0, 2)) await service().graphql(take, { id }, { as });
    };
    const ids: number[] = [];
    for (const [as, zone] of Object.entries(far) as [RoleName, string][]) {
      service().at(days(-8));
      ids.push((await service().account(as)).id);
      await service().graphql(
        'mutation($zone: TimeZone!) { updateCareSettings(input: { timeZone: $zone }) { careSettings { timeZone } } }',
        { zone },
        { as },
      );
      await postMedicine(
        service(),
        { name: as, frequency_type: '4_times_a_day', start_date: '2026-03-01' },
        { as },
      );
      for (const day of [-8, -7, -6, -1, 0]) {
        service().at(days(day));
        await takes(as);
      }
    }
    for (const id of ids) await service().opens(id);
    const ask = async (memberIds: number[]) => {
      const query = `query($memberIds: [ID!]!) { memberHomes(memberIds: $memberIds) ${HOME} }`;
      return (await service().graphql(query, { memberIds }, { as: 'administrator' })).body.data
        .memberHomes;
    };
    const alone = [...(await ask(ids.slice(0, 1))), ...(await ask(ids.slice(1)))];
    expect(alone.every(({ week }) => week.taken > 2)).toBe(true);
    expect(await ask(ids)).toStrictEqual(alone);
  });

  it('shows a carer all members at once, and nobody whom the carer may not see', async () => {
    service().at(NOW);
    const ids = [
      (await service().account('subscriber')).id,
      (await service().account('author')).id,
    ];
    await postMedicine(
      service(),
      { name: 'Iron', start_date: '2026-03-10T09:00:00' },
      { as: 'author' },
    );
    const homes = (memberIds: number[], as: Caller) =>
      service().graphql(
        `query($memberIds: [ID!]!) { memberHomes(memberIds: $memberIds) ${HOME} }`,
        { memberIds },
        { as },
      );
    for (const id of ids) await service().opens(id);
    const { body } = await homes(ids, 'administrator');
    expect(
      body.data.memberHomes.map((home: { member: { name: string }; today: unknown[] }) => [
        home.member.name,
        home.today.length,
      ]),
    ).toStrictEqual([
      ['The subscriber', 0],
      ['The author', 1],
    ]);
    expect(errorCode((await homes(ids, 'subscriber')).body)).toBe('FORBIDDEN');
    expect(errorCode((await homes([4711], 'administrator')).body)).toBe('FORBIDDEN');
    expect(errorCode((await homes(Array(101).fill(ids[0]), 'administrator')).body)).toBe(
      'TOO_MANY_MEMBERS',
    );
  });
});
