import { globalId } from '../../../../src/core/node.js';
import { issueResetCodes } from '../../../../src/domains/passwords/reset-code.service.js';
import { mailSignInCodes } from '../../../../src/domains/sign-in/code/sign-in-code.service.js';
import { makeMember } from '../../../support/factories.js';
import { bearer, mutation, type RoleName } from '../../../support/harness.js';
import { type Call, refused, type Sent, type Stage } from '../calling.js';

const PASSWORD = 'correct horse battery';
const OTHER = 'another horse battery';
const EMAIL = 'mina@example.com';
const [ENGLISH, GERMAN] = [globalId('Language', 1), globalId('Language', 2)];

const accountOf = async ({ service }: Stage, role: RoleName, name?: string) =>
  globalId('Account', (await service.account(role, name)).id);

/** Whose name or address and password these are; the code of a refusal for nobody's. */
const signedInBy = async ({ service }: Stage, username: unknown, password: unknown) => {
  const text = mutation('login', 'viewer { email }');
  const { data, errors } = await service.ask(text, { input: { username, password } }, 'anonymous');
  return data?.login?.viewer.email ?? errors[0].extensions.code;
};

/** The codes that were mailed, the newest first. */
const mailedCode = async ({ service }: Stage) => {
  await mailSignInCodes(await service.context());
  await issueResetCodes(service.app.deps);
  const [mail] = await service.mails();
  return /^\d{6,8}$/m.exec(mail?.text ?? '')?.[0] ?? '';
};

/** A member with a password, who is mailed a code. */
const withCode = (request: string) => async (stage: Stage) => {
  await makeMember(stage.service, { email: EMAIL, password: PASSWORD });
  await stage.service.mails();
  const input = { email: EMAIL };
  await stage.world.ask(mutation(request, '__typename'), { input }, 'anonymous');
  return { email: EMAIL, code: await mailedCode(stage) };
};
const BOTH: NonNullable<Call['lines']> = {
  email: [
    [EMAIL, {}],
    ['nobody@example.com', refused('')],
  ],
  code: (_, { code }) => [
    [code, {}],
    [String(code) === '00000000' ? '00000001' : '00000000', refused('')],
  ],
};

/** Lets a new member with a password call. */
const ownSession = async (stage: Stage) => {
  const { token } = await makeMember(stage.service, { email: EMAIL, password: PASSWORD });
  stage.by = { headers: bearer(token) };
};

/** Who is told something by mail. */
const told = async (stage: Stage) => {
  await mailedCode(stage);
  return (await stage.service.mails()).map(({ headers }) => headers.get('to'));
};

const writer = async (stage: Stage): Promise<Sent> => {
  const headers = await stage.service.session('author');
  const text = mutation('createPost', 'post { id }');
  const input = { title: 'Left', status: 'PUBLISH' };
  await stage.world.ask(text, { input }, { headers });
  return { userId: await accountOf(stage, 'author'), content: 'HAND_OVER' };
};

export const ACCOUNTS: readonly Call[] = [
  {
    name: 'setRoles',
    make: async (stage) => ({ userId: await accountOf(stage, 'author'), roles: ['EDITOR'] }),
    shown: 'account { roles }',
    lines: {
      roles: [['EDITOR'], ['AUTHOR', 'ANALYST']].map(
        (roles) => [roles, { account: { roles } }] as const,
      ),
    },
  },
  {
    name: 'createUser',
    make: () => ({
      username: 'new',
      email: EMAIL,
      name: 'New',
      password: PASSWORD,
      roles: ['AUTHOR'],
    }),
    read: (stage, { password }) => signedInBy(stage, 'new', password),
    lines: {
      password: [
        [PASSWORD, EMAIL],
        ['short', refused('')],
      ],
    },
  },
  { name: 'suspendUser', make: async (stage) => ({ userId: await accountOf(stage, 'author') }) },
  {
    name: 'reinstateUser',
    make: async (stage) => {
      const input = { userId: await accountOf(stage, 'author') };
      await stage.world.ask(mutation('suspendUser', '__typename'), { input });
      return input;
    },
  },
  {
    name: 'deleteUser',
    make: writer,
    read: async ({ world }) => {
      const query = (status: string) =>
        `posts(first: 1, filter: { statuses: [${status}] }) { nodes { status author { id } } }`;
      const text = `{ live: ${query('PUBLISH')} gone: ${query('TRASH')} }`;
      const { live, gone } = await world.ask(text);
      return [...live.nodes, ...gone.nodes][0];
    },
    lines: {
      content: [
        ['HAND_OVER', { status: 'PUBLISH' }],
        ['TRASH', { status: 'TRASH' }],
      ],
      heirId: async (stage) => {
        const heirs = [stage.me, await accountOf(stage, 'editor')];
        return heirs.map((id) => [id, { author: { id } }] as const);
      },
    },
  },
  {
    as: 'anonymous',
    name: 'signUp',
    make: () => ({ email: EMAIL, language: ENGLISH, password: PASSWORD }),
    shown: 'token viewer { name email language { id } }',
    read: async (stage, { password }, { viewer }) => ({
      ...viewer,
      signsIn: await signedInBy(stage, viewer.email, password),
    }),
    lines: {
      name: ['Mina', 'Ben'].map((name) => [name, { name }] as const),
      email: [EMAIL, 'ben@example.com'].map((email) => [email, { email }] as const),
      language: [ENGLISH, GERMAN].map((id) => [id, { language: { id } }] as const),
      password: [
        [PASSWORD, { signsIn: EMAIL }],
        ['short', refused('')],
      ],
    },
  },
  {
    as: 'anonymous',
    name: 'login',
    make: async ({ service }) => {
      await makeMember(service, { password: PASSWORD });
      return { username: EMAIL, password: PASSWORD };
    },
    lines: {
      username: [
        [EMAIL, {}],
        ['nobody', refused('')],
      ],
      password: [
        [PASSWORD, {}],
        [OTHER, refused('')],
      ],
    },
  },
  {
    as: 'anonymous',
    name: 'refreshToken',
    make: async ({ service }) => ({ refreshToken: (await makeMember(service)).refreshToken }),
    shown: 'viewer { email }',
    lines: {
      refreshToken: (_, { refreshToken }) => [
        [refreshToken, { viewer: { email: EMAIL } }],
        ['nothing', refused('')],
      ],
    },
  },
  ...['requestSignInCode', 'requestPasswordReset'].map((name): Call => {
    const emails = ['author@example.com', 'editor@example.com'];
    return {
      as: 'anonymous',
      name,
      make: async ({ service }) => {
        for (const role of ['author', 'editor'] as const) await service.account(role);
        return { email: emails[0] };
      },
      read: (stage) => told(stage),
      lines: { email: emails.map((email) => [email, [email]] as const) },
    };
  }),
  {
    name: 'sendPasswordReset',
    make: async (stage) => ({ userId: await accountOf(stage, 'author') }),
    read: (stage) => told(stage),
    lines: {
      userId: async (stage) => [
        [await accountOf(stage, 'author'), ['author@example.com']],
        [await accountOf(stage, 'editor'), ['editor@example.com']],
      ],
    },
  },
  {
    as: 'anonymous',
    name: 'signInWithCode',
    make: withCode('requestSignInCode'),
    lines: BOTH,
  },
  {
    as: 'anonymous',
    name: 'checkPasswordResetCode',
    make: withCode('requestPasswordReset'),
    lines: BOTH,
  },
  {
    as: 'anonymous',
    name: 'resetPassword',
    make: async (stage) => ({
      ...(await withCode('requestPasswordReset')(stage)),
      password: OTHER,
    }),
    read: async (stage, { password }) => [await signedInBy(stage, EMAIL, password)],
    lines: {
      email: [
        [EMAIL, [EMAIL]],
        ['nobody@example.com', refused('')],
      ],
      code: (_, { code }) => [
        [code, [EMAIL]],
        [String(code) === '00000000' ? '00000001' : '00000000', refused('')],
      ],
      password: [
        [OTHER, [EMAIL]],
        ['short', refused('')],
      ],
    },
  },
  {
    as: 'anonymous',
    name: 'signInWithProvider',
    make: async ({ service, idToken }) => {
      service.now = Date.now;
      return { provider: 'B', token: await idToken('anna'), language: ENGLISH };
    },
    shown: 'viewer { email language { id } }',
    lines: {
      provider: [
        ['B', { viewer: { email: 'anna@example.com' } }],
        ['A', refused('')],
      ],
      token: async ({ idToken }) => {
        const people = ['anna', 'ben'];
        return Promise.all(
          people.map(
            async (who) =>
              [await idToken(who), { viewer: { email: `${who}@example.com` } }] as const,
          ),
        );
      },
      language: [ENGLISH, GERMAN].map((id) => [id, { viewer: { language: { id } } }] as const),
    },
  },
  {
    as: 'anonymous',
    name: 'changePassword',
    make: async (stage) => {
      await ownSession(stage);
      return { currentPassword: PASSWORD, newPassword: OTHER };
    },
    read: async (stage, { newPassword }) => [await signedInBy(stage, EMAIL, newPassword)],
    lines: {
      currentPassword: [
        [PASSWORD, [EMAIL]],
        [OTHER, refused('PASSWORD_WRONG')],
      ],
      newPassword: [
        [OTHER, [EMAIL]],
        ['short', refused('')],
      ],
    },
  },
  {
    as: 'anonymous',
    name: 'eraseMyAccount',
    make: async (stage) => {
      await ownSession(stage);
      return { password: PASSWORD };
    },
    read: async (stage) => [await signedInBy(stage, EMAIL, PASSWORD)],
    lines: {
      password: [
        [PASSWORD, [/LOGIN|CREDENTIALS|INVALID/]],
        [OTHER, refused('PASSWORD_WRONG')],
      ],
    },
  },
  {
    as: 'anonymous',
    name: 'confirmEmail',
    make: async (stage) => {
      await ownSession(stage);
      await stage.service.mails();
      const input = { email: EMAIL };
      await stage.world.ask(mutation('requestSignInCode', '__typename'), { input }, 'anonymous');
      return { code: await mailedCode(stage), password: PASSWORD };
    },
    lines: {
      code: BOTH.code as NonNullable<Call['lines']>[string],
      password: [
        [PASSWORD, {}],
        [OTHER, refused('PASSWORD_WRONG')],
      ],
    },
  },
];
