import { inTurn } from '../../src/core/dear-work.js';
import { useService } from '../support/harness.js';

const LISTS = Array.from({ length: 9 }, (_, i) => `a${i}: posts(first: 100) { nodes { title } }`);
/** Operations whose price is known only after they ran, and one that costs more than 12 points. */
const DEAR = {
  calendar: '{ calendar(from: "2026-03-01", to: "2026-03-02") { __typename } }',
  'a report': '{ doseReport(from: "2026-03-01", to: "2026-03-02") { total { taken } } }',
  'the export': 'mutation { exportMyData { export { exportedAt } } }',
  'a move': 'mutation { updateCareSettings(input: { timeZone: "Europe/Oslo" }) { __typename } }',
  'many fields': `{ ${LISTS.join(' ')} }`,
};

describe('Dear requests of one network address', () => {
  const service = useService();

  let end = async () => {};
  afterEach(() => end());

  /** Holds places of the address of the tests, until `end`. */
  async function hold(count: number): Promise<void> {
    const { app, url } = service();
    const sent = { authorization: undefined, siteUrl: url, requestId: 'test' };
    const context = await app.createContext({ ...sent, address: '127.0.0.1' });
    const ends: (() => void)[] = [];
    const held = Array.from({ length: count }, () =>
      inTurn(context, true, () => new Promise<void>((end) => ends.push(end))),
    );
    end = async () => {
      for (const end of ends) end();
      await Promise.all(held);
    };
  }

  for (const [name, query] of Object.entries(DEAR)) {
    it(`wait while two run: ${name}`, async () => {
      service().limit();
      const caller = { headers: await service().session('subscriber') };
      await hold(2);
      let answered = false;
      const dear = service()
        .graphql(query, {}, caller)
        .then(({ body }) => {
          answered = true;
          return body.errors;
        });
      for (let i = 0; i < 3; i++) {
        const cheap = await service().graphql(
          '{ posts(first: 1) { nodes { title } } }',
          {},
          caller,
        );
        expect(cheap.body.errors).toBeUndefined();
      }
      expect(answered).toBe(false);
      await end();
      expect(await dear).toBeUndefined();
    });
  }

  it('wait over REST as well', async () => {
    service().limit();
    const caller = { headers: await service().session('subscriber') };
    await hold(2);
    let answered = false;
    const path = '/v1/events?date_from=2026-03-01&date_to=2026-03-02';
    const dear = service()
      .rest('GET', path, caller)
      .then(({ status }) => {
        answered = true;
        return status;
      });
    for (let i = 0; i < 10; i++)
      expect((await service().rest('GET', '/v1/posts?per_page=1')).status).toBe(200);
    expect(answered).toBe(false);
    await end();
    expect(await dear).toBe(200);
  });

  it('run where one other runs', async () => {
    service().limit();
    const caller = { headers: await service().session('subscriber') };
    await hold(1);
    const { body } = await service().graphql(DEAR.calendar, {}, caller);
    expect(body.errors).toBeUndefined();
  });
});
