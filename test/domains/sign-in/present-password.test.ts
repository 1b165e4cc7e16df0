import { bearer, useService } from '../../support/harness.js';

const EMAIL = 'mina@example.com';
const PASSWORD = 'correct horse battery';
const CHANGE =
  'mutation($input: ChangePasswordInput!) { changePassword(input: $input) { viewer { id } } }';
const ERASE =
  'mutation($input: EraseMyAccountInput!) { eraseMyAccount(input: $input) { ' +
  'erasedAccountId } }';
const CONFIRM =
  'mutation($input: ConfirmEmailInput!) { confirmEmail(input: $input) { viewer { id } } }';
const SECOND = 1000;

describe('Who must give the present password', () => {
  const service = useService();

  /** A member who is signed in, with limits on. */
  const start = async () => {
    const now = Date.now();
    service().now = () => now;
    await service().account('administrator');
    const body = { email: EMAIL, password: PASSWORD, language: 1 };
    const { token } = (await service().rest('POST', '/v1/signup', { body })).body;
    service().limit();
    const ask = async (query: string, input: object) => {
      const { status, body } = await service().graphql(
        query,
        { input },
        { headers: bearer(token) },
      );
      return { status, ...body.errors?.[0]?.extensions };
    };
    const change = (currentPassword: string) =>
      ask(CHANGE, { currentPassword, newPassword: 'another password' });
    return {
      change,
      erase: (password: string) => ask(ERASE, { password }),
      confirm: (password: string) => ask(CONFIRM, { code: '12345678', password }),
      at: (ms: number) => (service().now = () => now + ms),
    };
  };

  it('is braked like a sign-in: after five wrong ones nothing is judged for 30 s, the right one included', async () => {
    const { change, erase, confirm, at } = await start();
    expect((await confirm('one')).code).toBe('PASSWORD_WRONG');
    for (const wrong of ['two', 'three']) expect((await change(wrong)).code).toBe('PASSWORD_WRONG');
    for (const wrong of ['four', 'five']) expect((await erase(wrong)).code).toBe('PASSWORD_WRONG');
    for (const ask of [change, erase, confirm]) {
      const { code, retryAfter } = await ask(PASSWORD);
      expect([code, retryAfter]).toStrictEqual(['TOO_MANY_REQUESTS', 30]);
    }
    at(30 * SECOND);
    expect((await change(PASSWORD)).code).toBeUndefined();
  });

  it('is not judged more often by asking many times in one document, or at once', async () => {
    const { change } = await start();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => change(`wrong ${i}`)));
    expect(answers.filter(({ code }) => code === 'PASSWORD_WRONG')).toHaveLength(5);
  });
});
