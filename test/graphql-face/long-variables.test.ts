import { useService } from '../support/harness.js';

const MEDICINE =
  'mutation($input: CreateMedicineReminderInput!) { createMedicineReminder(input: $input) { reminder { id } } }';
const VARIABLES = {
  'of many unknown names': {
    fhirDosage: Object.fromEntries(Array.from({ length: 8_000 }, (_, i) => [`k${i}`, i])),
  },
  'of a long text and many unknown names': {
    description: 'x'.repeat(60_000),
    ...Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, i])),
  },
};

describe('Mistakes in long variables', () => {
  const service = useService();

  for (const [what, more] of Object.entries(VARIABLES))
    it(`are told within a few times the length of the variables: ${what}`, async () => {
      const input = { name: 'x', startTime: '08:00', ...more };
      const { status, body, text } = await service().graphql(
        MEDICINE,
        { input },
        { as: 'subscriber' },
      );
      expect([status, body.errors[0].extensions.code]).toStrictEqual([400, 'BAD_USER_INPUT']);
      expect(body.errors[0].extensions.problems).toHaveLength(50);
      expect(text.length).toBeLessThan(4 * JSON.stringify(input).length);
    });

  it('are all told of short variables', async () => {
    const input = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, i]));
    const { body } = await service().graphql(MEDICINE, { input }, { as: 'subscriber' });
    expect(body.errors.length).toBeGreaterThan(30);
  });
});
