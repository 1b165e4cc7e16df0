// Wrong values at each place in the arguments of root fields, by the roles in turn. npm test sends
// one of 149, `.ci/nightly` one of 7 (WRONG_STEP).
import { type GraphQLInputType, getNullableType, isListType } from 'graphql';
import { makeLog } from '../../src/platform/log.js';
import { makeMedicine } from '../support/factories.js';
import { type Answer, type Harness, useService } from '../support/harness.js';
import { type ArgumentPlace, argumentPlaces } from './argument-places.js';

/** Values as JSON: of other types, at the edges of what types hold, and of no meaning. */
const WRONG: readonly string[] = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '-2147483649',
  '2147483648',
  '9007199254740993',
  '1e308',
  '1e400',
  '-1e400',
  '""',
  '" "',
  '"NaN"',
  '"NOPE"',
  '"__proto__"',
  '"\\u0000"',
  '"\\u0007\\u001b[0m"',
  '"\\ud800"',
  '"a\\udfff"',
  '"0000-00-00"',
  '"2026-02-30"',
  '"9999-12-31"',
  '"9999-12-31T23:59:59.999Z"',
  '"+275760-09-13T00:00:00Z"',
  '"-271821-04-20T00:00:00Z"',
  '"24:60"',
  '"Mars/Phobos"',
  '"+99:99"',
  '"99999999999999999999"',
  '"TW9kZWw6MQ"',
  '"%"',
  `"${'a'.repeat(300)}"`,
  `"${'ä'.repeat(70_000)}"`,
  '{}',
  '{"nothing":1}',
  '{"__proto__":{"x":1}}',
  '[]',
  '[null]',
  '[[1]]',
  '[1,1]',
  '["x","x"]',
  `[${'1,'.repeat(2_000)}1]`,
  `${'['.repeat(40)}${']'.repeat(40)}`,
];
/** Values as literals: what JSON does not have. */
const LITERALS: readonly string[] = [
  'NOPE',
  '1e400',
  '{ nothing: 1 }',
  '"\\ud800"',
  '-0',
  '[1, 1]',
];

const CALLERS = ['administrator', 'subscriber', 'anonymous'] as const;
/** One of so many is sent; a prime, so that all values have their turn. */
const STEP = Number(process.env.WRONG_STEP ?? 149);
/** Level of the log from which on it tells of a fault of ours. */
const ERROR = 50;
/** Codes of mistakes of callers. */
const CODE = /^(?!INTERNAL|UNAVAILABLE)[A-Z][A-Z_]+$/;
/** Fields that may take a caller's account, session or rights away. */
const ENDING = /^(?:erase|sign|log|end|change|set|delete)/;
/** How long a subscription that is taken is listened to, in milliseconds. */
const LISTENED = 200;

/** Returns bodies of requests with wrong values at a place. */
function bodiesAt(place: ArgumentPlace): string[] {
  const query = JSON.stringify(`${place.operation}($v: ${place.type}) ${place.with('$v')}`);
  const byVariable = (list: readonly string[]) =>
    list.map((value) => `{"query":${query},"variables":{"v":${value}}}`);
  const literally = LITERALS.map((value) =>
    JSON.stringify({ query: place.operation + place.with(value) }),
  );
  return [...byVariable(WRONG), ...byVariable(inList(place.type)), ...literally];
}

/** Wrong values among those of a list. */
const inList = (type: GraphQLInputType) =>
  isListType(getNullableType(type)) ? WRONG.slice(0, 34).map((value) => `[${value},${value}]`) : [];

describe('A wrong value', () => {
  const service = useService();
  const lines: string[] = [];
  let watched: Harness;
  beforeAll(async () => {
    const log = makeLog('info', { write: (line: string) => void lines.push(line) });
    watched = await service().beside({ log });
  });
  afterAll(() => watched.stop());

  /** Makes what ids of 1 name. Returns the headers of sessions. */
  async function world() {
    await service().clean();
    service().at(Date.now()); // or sessions would expire
    await service().post({ title: 'One' });
    await makeMedicine(service());
    return {
      administrator: await service().session('administrator'),
      subscriber: await service().session('subscriber'),
    };
  }

  const send = async (
    body: string,
    isStream: boolean,
    headers: object,
  ): Promise<Pick<Answer, 'status' | 'text'>> => {
    const answered = watched.fetch('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(isStream && { accept: 'text/event-stream' }),
        ...headers,
      },
      body,
      ...(isStream && { signal: AbortSignal.timeout(LISTENED) }),
    });
    const { status, text } = await answered.catch((error): Pick<Answer, 'status' | 'text'> => {
      if (!isStream) throw error;
      return { status: 200, text: '{"data":{}}' };
    });
    return { status, text: isStream ? (/^data: (.+)/m.exec(text)?.[1] ?? '{}') : text };
  };

  it('is told as a mistake of the caller with its place, wherever it is given', async () => {
    let sessions = await world();
    const codes = new Map<string, number>();
    const faults = new Map<string, string>();
    let at = 0;
    let sent = 0;
    for (const place of argumentPlaces(service().app.schema, 2))
      for (const body of bodiesAt(place)) {
        if (at++ % STEP !== 0) continue;
        const as = CALLERS[sent++ % CALLERS.length] as (typeof CALLERS)[number];
        const headers = as === 'anonymous' ? {} : sessions[as];
        const { status, text } = await send(body, place.operation === 'subscription', headers);
        const { errors = [], data } = JSON.parse(text);
        const fault = (what: string) =>
          faults.set(
            `${place.field}: ${what}`,
            `${as}: ${body.slice(0, 300)} -> ${text.slice(0, 600)}`,
          );
        if (status >= 500) fault(`status ${status}`);
        for (const { extensions, locations, path } of errors) {
          const code: string = extensions?.code ?? 'none';
          codes.set(code, (codes.get(code) ?? 0) + 1);
          if (!CODE.test(code)) fault(code);
          if (!locations?.length && !path?.length && !extensions?.problems?.length)
            fault('no place');
        }
        for (const line of lines.splice(0))
          if (JSON.parse(line).level >= ERROR) fault(line.slice(0, 500));
        if (data && ENDING.test(place.field)) sessions = await world();
      }
    if (process.env.WRONG_STEP) console.log(`${sent} of ${at} requests`, Object.fromEntries(codes));
    expect([...faults]).toStrictEqual([]);
    expect(sent).toBeGreaterThan(400);
  }, 1_800_000);
});
