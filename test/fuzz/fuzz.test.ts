// Fuzz over both faces of a whole process, by six callers: most of it GraphQL and batches, since
// `operations.test.ts` sends requests to each route. `.ci/nightly` sends 20,000, npm test some
// hundreds.
import fc from 'fast-check';
import { graphqlRequest } from './documents.js';
import { FuzzedService } from './fuzzed-service.js';
import { hostileRequest } from './hostile.js';
import { batchRequest, restRequest, type Wire } from './rest.js';

const RUNS = Number(process.env.FUZZ_RUNS ?? 200);
/**
 * CPU that one answer may take, in seconds, and how much the heap may grow in the second half, in
 * MiB.
 */
const MOST_CPU = 2;
const MOST_GROWTH = 48;
/** Answers above 500 that are documented: a provider or a trash that does not exist. */
const NOT_IMPLEMENTED =
  /"code":"(provider_not_configured|rest_trash_not_supported|\w*not_(configured|supported|implemented))"/;

describe('requests at random', () => {
  let service: FuzzedService;
  beforeAll(async () => {
    service = await FuzzedService.start();
  });
  afterAll(() => service.stop());

  it(`get an answer below 500 with little CPU and a heap that does not grow, ${RUNS} of them by six callers`, async () => {
    let sent = 0;
    let dearest = { seconds: 0, wire: '' };
    const statuses = new Map<number, number>();
    const heaps: number[] = [];
    const askedAgain = async (wire: Wire, caller: string) => {
      await service.quiet();
      return (await service.send(wire, caller)).seconds;
    };
    const request = fc.gen().map((draw): Wire => {
      const kind = draw(fc.nat, 12);
      if (kind < 3) return restRequest(draw);
      if (kind < 7) return graphqlRequest(draw);
      if (kind < 9) return graphqlRequest(draw, 14);
      return kind < 11 ? batchRequest(draw) : hostileRequest(draw);
    });
    const property = fc.asyncProperty(
      request,
      fc.constantFrom(...FuzzedService.CALLERS),
      async (wire, caller) => {
        if (sent++ % 200 === 0) await service.signIn();
        const { status, text, seconds: first } = await service.send(wire, caller);
        // Work of the process's own may fall into it, so what was dear is asked once more.
        const seconds = first > MOST_CPU ? await askedAgain(wire, caller) : first;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (seconds > dearest.seconds)
          dearest = { seconds, wire: `${caller}: ${JSON.stringify(wire).slice(0, 2_000)}` };
        const surprised = text.includes('"INTERNAL_ERROR"') || text.includes('"internal_error"');
        expect(
          !surprised && (status < 500 || NOT_IMPLEMENTED.test(text)),
          `${status} ${text.slice(0, 500)}\n${service.errors}`,
        ).toBe(true);
        expect(seconds, `took ${seconds} s of CPU`).toBeLessThanOrEqual(MOST_CPU);
        if (sent % 50 === 0) heaps.push(await service.heap());
      },
    );
    await fc.assert(property, {
      numRuns: RUNS,
      endOnFailure: true,
      ...(process.env.FUZZ_SEED && { seed: Number(process.env.FUZZ_SEED) }),
    });
    const lowest = (from: number, to: number) =>
      Math.min(...heaps.slice(Math.floor(heaps.length * from), Math.ceil(heaps.length * to)));
    const growth = lowest(0.75, 1) - lowest(0.25, 0.5);
    const answers = [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`);
    console.log(`${sent} requests; ${answers.join(', ')}`);
    console.log(`dearest ${dearest.seconds.toFixed(2)} s of CPU: ${dearest.wire}`);
    console.log(`heap ${lowest(0.25, 0.5).toFixed(0)} MiB, then ${lowest(0.75, 1).toFixed(0)} MiB`);
    expect(growth > MOST_GROWTH, `the heap grew by ${growth.toFixed(0)} MiB`).toBe(false);
  });
});
