import { join } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';
import { dialectOf } from '../../src/rest/dialect.js';
import { loadOperations } from '../../src/rest/operation/loading.js';
import type { Operation } from '../../src/rest/operation/operation.js';
import type { Route } from '../../src/rest/router.js';
import { ROUTES } from '../../src/rest/routes/index.js';
import { type Caller, useService } from '../support/harness.js';
import { expoToken } from '../support/provider.js';

const LONG = 'a'.repeat(70_000);
/** Headers may have 16 KiB, addresses among them. */
const LONG_IN_ADDRESS = 'a'.repeat(7_000);

/**
 * What is sent for a parameter: as JSON text, and as the rest of a pair of a form behind the name.
 */
const HOSTILE: readonly (readonly [json: string, pair: string])[] = [
  ['""', '='],
  ['null', ''],
  ['[]', '[]='],
  ['{}', '[x]=1'],
  ['"\\u0000"', '=%00'],
  ['1e400', '=1e400'],
  [String(2 ** 53), `=${2 ** 53}`],
  ['-9223372036854775809', '=-9223372036854775809'],
  [JSON.stringify(LONG), `=${LONG}`],
  ['[[[[[[[["x"]]]]]]]]', '[0][0][0][0]=x'],
  [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, `${'[a]'.repeat(20_000)}=1`],
  ['"NaN"', '=NaN'],
  ['"👩‍⚕️\u202e"', `=${encodeURIComponent('👩‍⚕️\u202e')}`],
  ['"\\ud800"', '=%ED%A0%80'],
  ['true', '=true'],
  ['["a", 1, null, {"raw": []}]', '[]=a&p[raw][]=1'],
];

/** What a route needs beside the parameter that is tried. */
const NEEDED: Readonly<Record<string, unknown>> = {
  language: 1,
  title: 'T',
  push_token: expoToken('x'),
  ids: [1],
  date_from: '2026-03-01',
  date_to: '2026-03-02',
  name: 'N',
  refreshToken: 'x',
};

/**
 * One in so many requests is sent; at night all of them. Prime to the numbers of values, ways and
 * callers.
 */
const STEP = Number(process.env.HOSTILE_STEP ?? 5);

const WAYS = ['json', 'form', 'query'] as const;
type Way = (typeof WAYS)[number];
const CALLERS: readonly Caller[] = ['administrator', 'anonymous'];

/** Answers that say that something is not there, which no parameter can change. */
const STATED = new Set(['provider_not_configured', 'rest_trash_not_supported']);

interface Tried {
  readonly route: Route;
  readonly edition: 'A' | 'B';
  readonly names: readonly string[];
  /** Index of the value of the first name; the next has the next. */
  readonly value: number;
  readonly way: Way;
  readonly as: Caller;
}

describe('Every parameter of every route takes whatever is sent', () => {
  const service = useService();
  let operations: ReadonlyMap<string, Operation>;
  beforeAll(() => {
    operations = loadOperations(
      join(projectRoot, 'schema/operations'),
      dialectOf(service().app.wholeSchema),
    );
  });

  const editionsOf = ({ edition }: Route) => (edition ? [edition] : (['A', 'B'] as const));
  const operationOf = ({ run }: Route) => operations.get(run) as Operation;
  const parametersOf = (route: Route) =>
    operationOf(route)
      .parameters.map(({ name }) => name)
      .filter((name) => !route.on.includes(`{${name}}`));

  /**
   * One parameter at a time, each that has a name and a schema of its own; the ways and the callers
   * take turns.
   */
  function* alone(): Generator<Tried> {
    const seen = new Set<string>();
    let turn = 0;
    for (const route of ROUTES) {
      const { byName, isQuery } = operationOf(route);
      for (const name of parametersOf(route)) {
        const kind = JSON.stringify([isQuery, name, byName.get(name)?.schema]);
        if (seen.has(kind)) continue;
        seen.add(kind);
        turn++;
        for (let value = 0; value < HOSTILE.length; value++) {
          const way = WAYS[(turn + value) % WAYS.length] as Way;
          yield {
            route,
            edition: route.edition ?? 'B',
            names: [name],
            value,
            way,
            as: turn % 4 ? 'administrator' : 'anonymous',
          };
        }
      }
    }
  }

  /**
   * All parameters of a route at once, each with another value, of every route in every edition.
   */
  function* together(): Generator<Tried> {
    let turn = 0;
    for (const route of ROUTES) {
      for (const edition of editionsOf(route)) {
        const names = parametersOf(route);
        if (names.length === 0) continue;
        for (let value = 0; value < HOSTILE.length; value++) {
          turn++;
          yield {
            route,
            edition,
            names,
            value,
            way: WAYS[turn % WAYS.length] as Way,
            as: CALLERS[turn % CALLERS.length] as Caller,
          };
        }
      }
    }
  }

  /** The address of a route, at things that are there. */
  async function addressOf(
    { on, run }: Route,
    ids: Readonly<Record<string, number>>,
  ): Promise<string> {
    const [, path = ''] = on.split(' ');
    const noun = Object.keys(ids).find((name) => path.startsWith(`/v1/${name}`)) ?? 'posts';
    const inner = /revisions|autosaves/.test(path) ? 1 : ids[noun];
    return path
      .replace('{parent}', String(ids[noun]))
      .replace('{token}', 'ExponentPushToken[y]')
      .replace(
        '{id}',
        String(path.includes('{parent}') || run.startsWith('GetTerm') ? inner : ids[noun]),
      );
  }

  async function made(): Promise<Record<string, number>> {
    const make = async (path: string, body: object) =>
      (await service().rest('POST', path, { as: 'administrator', edition: 'B', body })).body
        .id as number;
    const ids = {
      posts: await make('/v1/posts', { title: 'x', status: 'publish' }),
      pages: await make('/v1/pages', { title: 'x', status: 'publish' }),
      healthcare: await make('/v1/healthcare', { title: 'x' }),
      medicine_reminder: await make('/v1/medicine_reminder', {
        name: 'x',
        start_date: '2026-03-01',
      }),
      appointment_reminder: await make('/v1/appointment_reminder', { title: 'x' }),
    };
    await make(`/v1/posts/${ids.posts}`, { title: 'y' });
    return ids;
  }

  function bodyOf({ route, names, value, way }: Tried): {
    query: string;
    raw?: string;
    type?: string;
  } {
    const needed = Object.entries(NEEDED).filter(
      ([name]) => parametersOf(route).includes(name) && !names.includes(name),
    );
    const hostile = (i: number) =>
      HOSTILE[(value + i) % HOSTILE.length] as (typeof HOSTILE)[number];
    if (way === 'json' && !route.on.startsWith('GET')) {
      const fields = names.map((name, i) => `${JSON.stringify(name)}: ${hostile(i)[0]}`);
      const raw = `{${[...needed.map(([name, given]) => `"${name}": ${JSON.stringify(given)}`), ...fields].join()}}`;
      return { query: '', raw, type: 'application/json' };
    }
    const asQuery = way === 'query' || route.on.startsWith('GET');
    const pairs = names.flatMap((name, i) => {
      const [, pair] = hostile(i);
      if (pair === '') return [];
      const sent = `${name}${pair.replace('&p[', `&${name}[`)}`;
      if (!asQuery) return [sent];
      return sent.length > 10_000 && sent.includes('[a]')
        ? [`${name}${'[a]'.repeat(100)}=1`]
        : [sent.replace(LONG, names.length > 1 ? 'a'.repeat(600) : LONG_IN_ADDRESS)];
    });
    const given = needed.flatMap(([name, one]) =>
      Array.isArray(one) ? one.map((item) => `${name}[]=${item}`) : [`${name}=${one}`],
    );
    const text = [...given, ...pairs].join('&');
    return asQuery
      ? { query: text }
      : { query: '', raw: text, type: 'application/x-www-form-urlencoded' };
  }

  /** How many answers each status had: a test that reaches nothing proves nothing. */
  let answers: Map<number, number>;

  /** Sends one request, and answers what is wrong with its answer. */
  async function fault(tried: Tried, path: string): Promise<string | undefined> {
    const { route, edition, as, way, names, value } = tried;
    const [methods = ''] = route.on.split(' ');
    const { query, raw, type } = bodyOf(tried);
    const sending = {
      as,
      edition,
      query,
      ...(raw !== undefined && { raw }),
      ...(type && { headers: { 'content-type': type } }),
    };
    const { status, body, text } = await service().rest(
      methods.split('|')[0] as string,
      path,
      sending,
    );
    answers.set(status, (answers.get(status) ?? 0) + 1);
    const what = `${as} ${edition} ${route.on} ${way} ${names.join()}@${value}: ${status} ${text.slice(0, 300)}`;
    if (status >= 500 && !STATED.has(body?.code)) return what;
    if (status !== 400) return undefined;
    const { code, message, data } = body ?? {};
    const shaped =
      typeof code === 'string' &&
      typeof message === 'string' &&
      message !== '' &&
      data?.status === 400;
    if (!shaped || text.length > 16_384) return what;
    if (code === 'rest_missing_callback_param')
      return Array.isArray(data.params ?? []) ? undefined : what;
    if (code !== 'rest_invalid_param') return undefined;
    const { params, details } = data;
    const told = Object.keys(params);
    if (told.length === 0 || message !== `Invalid parameter(s): ${told.join(', ')}`) return what;
    if (Array.isArray(details)) return details.length === 0 ? undefined : what;
    const whole = told.every(
      (name) => details[name]?.message === params[name] && typeof details[name].code === 'string',
    );
    return whole ? undefined : what;
  }

  async function faultsOf(all: Iterable<Tried>): Promise<[count: number, faults: string[]]> {
    answers = new Map();
    const faults: string[] = [];
    let count = 0;
    let ids = await made();
    const waiting: Promise<void>[] = [];
    let route: Route | undefined;
    let index = 0;
    for (const tried of all) {
      if (index++ % STEP > 0) continue;
      if (tried.route !== route) {
        await Promise.all(waiting.splice(0));
        if (/DELETE|POST/.test(route?.on ?? '')) ids = await made();
        route = tried.route;
      }
      count++;
      const path = await addressOf(tried.route, ids);
      waiting.push(
        fault(tried, path).then((found) => {
          if (found) faults.push(found);
        }),
      );
      if (waiting.length >= 16) await Promise.all(waiting.splice(0));
    }
    await Promise.all(waiting);
    return [count, faults];
  }

  it('one parameter at a time: no answer is an error of ours, and a 400 says what is wrong', async () => {
    const [count, faults] = await faultsOf(alone());
    expect(faults).toStrictEqual([]);
    expect(count, String(count)).toBeGreaterThan(1_500 / STEP);
    for (const status of [200, 201, 400, 401])
      expect(answers.get(status) ?? 0, JSON.stringify([...answers])).toBeGreaterThan(30 / STEP);
  });

  it('all parameters at once, in both editions', async () => {
    const [count, faults] = await faultsOf(together());
    expect(faults).toStrictEqual([]);
    expect(count, String(count)).toBeGreaterThan(1_500 / STEP);
  });

  it('in addresses', async () => {
    const ids = [
      '0',
      '2147483648',
      '99999999999999999999',
      '1e3',
      '%00',
      '%F0%9F%98%80',
      '-1',
      '%ED%A0%80',
      'a'.repeat(7_000),
      '1%2F2',
    ];
    for (const { on } of ROUTES.filter(({ on }) => on.includes('{'))) {
      const [methods = '', path = ''] = on.split(' ');
      for (const id of ids) {
        const address = path.replaceAll(/\{\w+\}/g, id);
        const { status, text } = await service().rest(methods.split('|')[0] as string, address, {
          as: 'administrator',
          edition: 'B',
        });
        expect(status < 500 || STATED.has(JSON.parse(text).code), `${on} ${id}: ${text}`).toBe(
          true,
        );
      }
    }
  });
});
