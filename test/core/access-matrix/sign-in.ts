// Sign-in and sessions; the callers sign in by application passwords.
import { type AccessTable, CALLERS, EVERYONE, SIGNED_IN, UNKNOWN } from './rules.js';

export const signIn: AccessTable = {
  lines: [
    [
      'signUp',
      'mutation { signUp(input: { email: "new@example.com", language: 1 }) { viewer { id email } } }',
      { may: CALLERS.filter((caller) => caller !== 'guest'), guest: 'FORBIDDEN' },
    ],
    [
      'createGuestSession',
      'mutation { createGuestSession(input: { language: 1 }) { viewer { id } } }',
      EVERYONE,
    ],
    [
      'refreshToken',
      'mutation { refreshToken(input: { refreshToken: "x" }) { token } }',
      EVERYONE,
      'REFRESH_TOKEN_INVALID',
    ],
    [
      'requestSignInCode',
      'mutation { requestSignInCode(input: { email: "x@example.com" }) { expiresIn } }',
      EVERYONE,
    ],
    [
      'signInWithCode',
      'mutation { signInWithCode(input: { email: "x@example.com", code: "12345678" }) { token } }',
      EVERYONE,
      'SIGN_IN_CODE_INVALID',
    ],
    // The accounts have no password and no session, so nobody proves to be the owner.
    [
      'confirmEmail',
      'mutation { confirmEmail(input: { code: "12345678" }) { viewer { id } } }',
      SIGNED_IN,
      'SIGN_IN_AGAIN',
    ],
    [
      'signInWithProvider',
      'mutation { signInWithProvider(input: { provider: A, token: "x", language: 1 }) { token } }',
      EVERYONE,
      'PROVIDER_NOT_CONFIGURED',
    ],
    [
      'unlinkIdentity',
      'mutation { unlinkIdentity(input: { id: 1 }) { identity { id } } }',
      SIGNED_IN,
      'IDENTITY_NOT_FOUND',
    ],
    [
      'endSession',
      `mutation { endSession(input: { id: "${UNKNOWN}" }) { session { id } } }`,
      SIGNED_IN,
      'SESSION_NOT_FOUND',
    ],
    ['signOut', 'mutation { signOut { session { id } } }', SIGNED_IN, 'SESSION_NOT_FOUND'],
    ['signOutEverywhere', 'mutation { signOutEverywhere { endedSessions } }', SIGNED_IN],
    [
      'requestPasswordReset',
      'mutation { requestPasswordReset(input: { email: "x@example.com" }) { expiresIn } }',
      EVERYONE,
    ],
    [
      'requestPasswordReset',
      'mutation { requestPasswordReset(input: { email: "" }) { expiresIn } }',
      EVERYONE,
      'RESET_EMAIL_REQUIRED',
    ],
    [
      'checkPasswordResetCode',
      'mutation { checkPasswordResetCode(input: { email: "x@example.com", code: "12345678" }) { ' +
        'expiresAt } }',
      EVERYONE,
      'RESET_CODE_WRONG',
    ],
    [
      'resetPassword',
      'mutation { resetPassword(input: { email: "x@example.com", code: "12345678", password: ' +
        '"long enough" }) { endedSessions } }',
      EVERYONE,
      'RESET_CODE_WRONG',
    ],
    [
      'resetPassword',
      'mutation { resetPassword(input: { email: "x@example.com", code: "", password: "long enough" }) { ' +
        'endedSessions } }',
      EVERYONE,
      'CODE_REQUIRED',
    ],
  ],
};
