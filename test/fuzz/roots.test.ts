// Queries of many root fields, by six roles: the fields run side by side, and some write while the
// others read. npm test sends 250, `.ci/nightly` 5,000.
import fc from 'fast-check';
import { makeMedicine } from '../support/factories.js';
import { type RoleName, useService } from '../support/harness.js';
import { manyRoots } from './documents.js';

const RUNS = Number(process.env.ROOTS_RUNS ?? 250);
const ROLES: readonly RoleName[] = [
  'administrator',
  'analyst',
  'clinician',
  'editor',
  'subscriber',
  'guest',
];

describe('Root fields of one query', () => {
  const service = useService();
  const report = (from: string) =>
    `doseReport(from: "${from}", to: "2026-03-31") { rows { month taken } }`;

  it.each(['analyst', 'administrator'] as const)(
    'are answered side by side: two reports, by %s',
    async (as) => {
      service().at('2026-04-01T08:00:00Z');
      for (let i = 0; i < 20; i++) {
        const query = `{ a: ${report('2026-01-01')} b: ${report('2026-02-01')} viewer { id } }`;
        const { errors, data } = await service().ask(query, {}, { as });
        expect(errors).toBeUndefined();
        expect([data.a, data.b]).not.toContain(null);
      }
    },
  );

  it('are answered side by side: submissions beside anything else', async () => {
    await service().rest('POST', '/v1/ncsm', {
      edition: 'B',
      body: { name: 'a', email: 'a@example.com', phone: '1', platform: 'p', score: 1, form: 1 },
    });
    const query =
      '{ a: formSubmissions { totalCount } b: formSubmissions { totalCount } quotes { totalCount } }';
    const { errors } = await service().ask(query, {}, { as: 'administrator' });
    expect(errors).toBeUndefined();
  });

  it(`have no fault of ours, ${RUNS} at random`, async () => {
    await makeMedicine(service());
    let ran = 0;
    const property = fc.asyncProperty(
      fc.gen().map(manyRoots),
      fc.constantFrom(...ROLES),
      async (asked, role) => {
        const session = await service().session(role);
        const { body } = await service().graphql(asked.query, asked.variables, {
          headers: session,
        });
        if (body.data) ran++;
        const codes = (body.errors ?? []).map(
          ({ extensions }: { extensions: { code: string } }) => extensions.code,
        );
        expect(codes, `${role}: ${asked.query} ${JSON.stringify(asked.variables)}`).not.toContain(
          'INTERNAL_ERROR',
        );
      },
    );
    await fc.assert(property, {
      numRuns: RUNS,
      endOnFailure: true,
      ...(process.env.FUZZ_SEED && { seed: Number(process.env.FUZZ_SEED) }),
    });
    expect(ran).toBeGreaterThan(RUNS / 4);
  }, 1_800_000);
});
