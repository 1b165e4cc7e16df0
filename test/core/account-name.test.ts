import fc from 'fast-check';
import { accountKey, isSameMailbox } from '../../src/core/account-name.js';
import { mailSignInCodes } from '../../src/domains/sign-in/code/sign-in-code.service.js';
import { errorCode, useService } from '../support/harness.js';

const WIDE = 'ｍｉｎａ@example.com'; // fullwidth letters
const PLAIN = 'mina@example.com';
const PASSWORD = 'correct horse battery';

describe('Spellings of a name or an address share one key', () => {
  const service = useService();
  const signup = (email: string, password = PASSWORD) =>
    service().rest('POST', '/v1/signup', { body: { email, password, language: 1 } });
  const login = (username: string, password = PASSWORD) =>
    service().rest('POST', '/v1/login', { body: { username, password } });

  it('gives the key of a key unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        const key = accountKey(name);
        expect(accountKey(key)).toBe(key);
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
          expect(accountKey(name.normalize(form))).toBe(key);
      }),
    );
    for (const same of [
      WIDE,
      'MINA@EXAMPLE.COM',
      ' mina@example.com ',
      'mina@example.com\0',
      '𝓶𝓲𝓷𝓪@example.com',
    ]) {
      expect(accountKey(same), same).toBe(PLAIN);
    }
  });

  it('for signing up, by oneself, by an administrator, and as a user name', async () => {
    expect((await signup(PLAIN)).status).toBe(201);
    expect((await signup(WIDE, `another ${PASSWORD}`)).body.code).toBe('email_exists');
    const create =
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
    const made = async (input: object) =>
      errorCode((await service().graphql(create, { input }, { as: 'administrator' })).body);
    expect(await made({ username: 'mina', email: WIDE })).toBe('EMAIL_EXISTS');
    expect(await made({ username: WIDE, email: 'other@example.com' })).toBe('USERNAME_EXISTS');
  });

  it('for signing in, by password, code and reset', async () => {
    await signup(PLAIN);
    expect((await login(WIDE)).status).toBe(200);
    const ask = (query: string, input: object) => service().graphql(query, { input });
    await ask(
      'mutation($input: RequestSignInCodeInput!) { requestSignInCode(input: $input) { expiresIn } }',
      {
        email: WIDE,
      },
    );
    expect(await mailSignInCodes(await service().context())).toBe(1);
    const [mail] = await service().database.prisma.outgoingMail.findMany();
    expect(mail?.to, 'mailed to the address of the account, never to the one that was typed').toBe(
      PLAIN,
    );
    const input = { email: WIDE, code: JSON.parse(mail?.values ?? '{}').code };
    const signIn =
      'mutation($input: SignInWithCodeInput!) { signInWithCode(input: $input) { token } }';
    expect((await ask(signIn, input)).body.data.signInWithCode.token).toBeTruthy();
  });

  it('counts attempts of all spellings together for the rate limit', async () => {
    await signup(PLAIN);
    service().limit();
    const spellings = [PLAIN, WIDE, 'MINA@example.com', 'ｍina@example.com', 'mｉna@example.com'];
    for (const name of spellings) expect((await login(name, 'wrong')).status).toBe(401);
    for (const name of spellings) expect((await login(name, 'wrong')).status, name).toBe(429);
  });

  it('refuses to invite oneself in another spelling', async () => {
    const invite = `mutation { inviteCarer(input: { to: "ｓubscriber@example.com", right: SEE }) { careInvitation { id } } }`;
    const { body } = await service().graphql(
      invite,
      {},
      { headers: await service().session('subscriber') },
    );
    expect(errorCode(body)).toBe('CARE_SELF');
  });

  it('yet only case makes no other mailbox: a provider that vouches for a look-alike vouches for somebody else', () => {
    expect(isSameMailbox('Mina@Example.com', 'mina@example.com')).toBe(true);
    expect(isSameMailbox(WIDE, PLAIN)).toBe(false);
  });
});
