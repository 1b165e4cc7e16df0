import { makeMedicine } from '../../support/factories.js';
import { type Caller, type Harness, mutation } from '../../support/harness.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A time at which the dose of 08:00 is due. */
export const NOW = Date.parse('2026-03-10T08:05:00Z');
export const EVENT =
  'id: occurrenceId __typename title startsAt status ... on DoseEvent { answeredAt note }';
export const CALENDAR = `query($from: LocalDate, $to: LocalDate, $memberId: ID) { calendar(from: $from, to: $to, memberId: $memberId) { events { ${EVENT} } } }`;
/** Numbers of doses, wherever they are counted. */
export const COUNTS = 'taken skipped missed rate';
export const ADHERENCE = `query($from: LocalDate, $to: LocalDate, $memberId: ID, $reminderId: ID) { adherence(from: $from, to: $to, memberId: $memberId, reminderId: $reminderId) { ${COUNTS} asNeeded days { date ${COUNTS} } medicines { reminder { databaseId } name ${COUNTS} } } }`;

/** A dose on the calendar. */
export interface Event {
  id: string;
  title: string;
  startsAt: string;
  status: string;
  answeredAt: string | null;
}

/** Calls of a member who takes a medicine. */
export function doseCalls(service: () => Harness) {
  const calendar = async (from = '2026-03-10', to = from): Promise<Event[]> =>
    (await service().ask(CALENDAR, { from, to })).data.calendar.events;
  /** Answers for a dose; the body of the answer with the event alone. */
  const act = async (what: string, input: object, as: Caller = 'subscriber', headers = {}) => {
    const query = mutation(what, `event { ${EVENT} }`);
    const { data, ...others } = await service().ask(query, { input }, { as, headers });
    return { ...others, data: { [what]: data?.[what]?.event ?? null } };
  };
  const daily = () =>
    makeMedicine(service(), { frequencyType: '2_times_a_day', startDate: '2026-03-08' });
  const statuses = async (from?: string, to?: string) =>
    (await calendar(from, to)).map(({ startsAt, status }) => `${startsAt.slice(5, 16)} ${status}`);
  return { calendar, act, daily, statuses };
}
