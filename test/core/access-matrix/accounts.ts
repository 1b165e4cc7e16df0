// Accounts.
import { type AccessTable, ADMINISTRATORS, EVERYONE, only, SIGNED_IN, UNKNOWN } from './rules.js';

const PERSON = 'username: "new", email: "new@example.com"';

export const accounts: AccessTable = {
  lines: [
    ['viewer', '{ viewer { id } }', EVERYONE],
    [
      'login',
      'mutation { login(input: { username: "x", password: "y" }) { token } }',
      EVERYONE,
      'INVALID_CREDENTIALS',
    ],
    [
      'createUser',
      `mutation { createUser(input: { ${PERSON} }) { account { databaseId } } }`,
      only('administrator', 'FORBIDDEN'),
    ],
    ['account', '{ account(id: $editor) { id name } }', EVERYONE],
    [
      'revokeApplicationPassword',
      `mutation { revokeApplicationPassword(input: { id: "${UNKNOWN}" }) { applicationPassword { id } } }`,
      SIGNED_IN,
      'APPLICATION_PASSWORD_NOT_FOUND',
    ],
    [
      'updateProfile',
      'mutation { updateProfile(input: { name: "x" }) { viewer { id email } } }',
      SIGNED_IN,
    ],
    ['exportMyData', 'mutation { exportMyData { export { document } } }', SIGNED_IN],
    // A guest has nothing to prove it by.
    [
      'eraseMyAccount',
      'mutation { eraseMyAccount(input: {}) { erasedAccountId } }',
      only('guest', 'SIGN_IN_AGAIN', 'UNAUTHENTICATED'),
    ],
    [
      'endSessionsOf',
      'mutation { endSessionsOf(input: { userId: $bystander }) { endedSessions } }',
      ADMINISTRATORS,
    ],
    [
      'sendPasswordReset',
      'mutation { sendPasswordReset(input: { userId: $bystander }) { account { id } } }',
      ADMINISTRATORS,
    ],
    ['accounts', '{ accounts { nodes { id email } } }', ADMINISTRATORS],
  ],
  session: [
    [
      'createUser',
      `mutation { createUser(input: { ${PERSON}, roles: [EDITOR] }) { account { databaseId } } }`,
      only('administrator', 'FORBIDDEN'),
    ],
    [
      'createApplicationPassword',
      'mutation { createApplicationPassword(input: { userId: $author, name: "x" }) { password } }',
      only('author administrator', 'FORBIDDEN'),
    ],
    [
      'createApplicationPassword',
      'mutation { createApplicationPassword(input: { name: "x" }) { password } }',
      SIGNED_IN,
    ],
    [
      'changePassword',
      'mutation { changePassword(input: { newPassword: "long enough" }) { viewer { id } } }',
      SIGNED_IN,
    ],
    [
      'setRoles',
      'mutation { setRoles(input: { userId: $bystander, roles: [AUTHOR] }) { account { databaseId } } }',
      ADMINISTRATORS,
    ],
    [
      'updateUser',
      'mutation { updateUser(input: { userId: $bystander, name: "x" }) { account { id } } }',
      ADMINISTRATORS,
    ],
    [
      'deleteUser',
      'mutation { deleteUser(input: { userId: $bystander, content: TRASH }) { deletedAccountId } }',
      ADMINISTRATORS,
    ],
    [
      'suspendUser',
      'mutation { suspendUser(input: { userId: $bystander }) { account { suspendedAt } } }',
      ADMINISTRATORS,
    ],
    [
      'reinstateUser',
      'mutation { reinstateUser(input: { userId: $bystander }) { account { suspendedAt } } }',
      ADMINISTRATORS,
    ],
  ],
};
