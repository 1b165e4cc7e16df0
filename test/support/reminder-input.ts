/** What is said of a reminder, as the service keeps it and the REST editions send it. */
type Texts = Readonly<Record<string, unknown>>;
type Given = Readonly<Record<string, string | number | null | undefined>>;

const DATE = /^\d{4}-\d\d-\d\d$/;
const CLOCK = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):00$/;
const LEAD = /^(\d+)(m|h|d)?$/;

/**
 * Returns the input of GraphQL that says of a medicine what these texts say; undefined when only REST
 * can say it. `isNew`: whether it makes the reminder.
 */
export function medicineInput(texts: Texts, isNew: boolean): object | undefined {
  const {
    frequencyType: frequency,
    startDate,
    endDate,
    createdDate,
    userId,
    ...others
  } = texts as Given;
  const complete = typeof others.name === 'string' && typeof frequency === 'string';
  const start = startOf(startDate, 'startsOn', 'startTime');
  const midnight = /T00:00/.test(String(startDate));
  const ends = endDate === '' ? null : endDate;
  const isDate = typeof ends !== 'string' || DATE.test(ends);
  if ((isNew && !complete) || createdDate || !start || midnight || !isDate) return undefined;
  const said = { ...(frequency !== undefined && { frequency }), ...start, endsOn: ends };
  return { ...others, memberId: userId, ...said };
}

/** The same of an appointment. */
export function appointmentInput(texts: Texts, isNew: boolean): object | undefined {
  const { dateTime, remindBefore, userId, ...others } = texts as Given;
  const start = startOf(dateTime, 'date', 'time');
  const lead = durationOf(remindBefore);
  const complete = typeof others.title === 'string' && typeof dateTime === 'string';
  if ((isNew && !complete) || !start || lead === null) return undefined;
  return { ...others, memberId: userId, ...start, ...(lead && { remindBefore: lead }) };
}

function startOf(text: unknown, date: string, time: string): object | undefined {
  if (text === undefined) return {};
  if (typeof text !== 'string') return undefined;
  const [, day, clock] = CLOCK.exec(text) ?? [];
  if (day) return { [date]: day, [time]: clock };
  return DATE.test(text) ? { [date]: text } : undefined;
}

/** The ISO 8601 duration of a lead such as `30`, `2h` or `1d`; null for other texts. */
function durationOf(lead: unknown): string | undefined | null {
  if (lead === undefined) return undefined;
  if (lead === '') return 'PT0S';
  const [, count, unit = 'm'] = LEAD.exec(String(lead)) ?? [];
  if (!count) return /^PT?\d/.test(String(lead)) ? String(lead) : null;
  return unit === 'd' ? `P${count}D` : `PT${count}${unit.toUpperCase()}`;
}

/** Fields with the names of REST: `start_date`, `remind_before`. */
export const snake = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
