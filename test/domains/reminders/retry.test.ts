import fc from 'fast-check';
import { fingerprintOf, type Sent } from '../../../src/domains/reminders/reminder/retry.service.js';

const SENT: Sent = { name: 'Aspirin', createdDate: '2026-03-10T08:30:00', frequencyType: 'daily' };
const digest = (sent: object) =>
  fingerprintOf({ kind: 'medicine', accountId: 1, sent: { ...SENT, ...sent } });

describe('The digest by which a retry is found', () => {
  it('is the same when a field is known that was not sent', () => {
    for (const value of [null, undefined]) expect(digest({ purpose: value })).toBe(digest({}));
  });

  it('differs by every field that was sent, a new one too', () => {
    const fields = ['name', 'description', 'eventType', 'schedule', 'purpose'];
    const digests = fields.map((field) => digest({ [field]: 'x' }));
    expect(new Set([...digests, digest({})]).size).toBe(fields.length + 1);
  });

  it('is the same in any order of the fields', () => {
    const fields = Object.entries({ description: 'a', schedule: 'b', purpose: 'c', area: 'd' });
    const inOrder = digest(Object.fromEntries(fields));
    fc.assert(
      fc.property(fc.shuffledSubarray(fields, { minLength: fields.length }), (shuffled) => {
        expect(digest(Object.fromEntries(shuffled))).toBe(inOrder);
      }),
    );
  });
});
