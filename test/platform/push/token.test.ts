import { Expo } from 'expo-server-sdk';
import fc from 'fast-check';
import { kindOf } from '../../../src/platform/push/token.js';

const uuid = fc.stringMatching(/^[a-zA-Z\d]{8}(-[a-zA-Z\d]{4}){3}-[a-zA-Z\d]{11,13}$/);
const named = fc
  .tuple(
    fc.constantFrom('ExponentPushToken', 'ExpoPushToken', 'exponentpushtoken', 'PushToken', ' '),
    fc.constantFrom('[', '', '[['),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(']', '', ']]', ']\n'),
  )
  .map((parts) => parts.join(''));

describe('A token that is no JSON', () => {
  it("is Expo's when Expo's SDK says so, else FCM's", () => {
    fc.assert(
      fc.property(fc.oneof(named, uuid, fc.string({ unit: 'binary' })), (token) => {
        fc.pre(!token.trimStart().startsWith('{'));
        expect(kindOf(token)).toBe(Expo.isExpoPushToken(token) ? 'expo' : 'fcm');
      }),
      { numRuns: 3_000 },
    );
  });
});
