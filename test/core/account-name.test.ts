import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { accountKey, isSameMailbox } from '../../src/core/account-name.js';
import { mailSignInCodes } from '../../src/domains/sign-in/code/sign-in-code.service.js';
import { useService } from '../support/harness.js';

const WIDE = 'ｍｉｎａ@example.com'; // fullwidth letters
const PLAIN = 'mina@example.com';
const PASSWORD = 'correct horse battery';

describe('A name or an address is one key, however it is written', () => {
  const service = useService();
  const signup = (email: string) =>
    service().rest('POST', '/v1/signup', { body: { email, password: PASSWORD, language: 1 } });
  const login = (username: string, password = PASSWORD) =>
    service().rest('POST', '/v1/login', { body: { username, password } });

  it('whose key is its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        const key = accountKey(name);
        assert.equal(accountKey(key), key);
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
          assert.equal(accountKey(name.normalize(form)), key);
      }),
    );
    for (const same of [
      WIDE,
      'MINA@EXAMPLE.COM',
      ' mina@example.com ',
      'mina@example.com\0',
      '𝓶𝓲𝓷𝓪@example.com',
    ]) {
      assert.equal(accountKey(same), PLAIN, same);
    }
  });

  it('for signing up, by oneself, by an administrator, and as a user name', async () => {
    assert.equal((await signup(PLAIN)).status, 201);
    assert.equal((await signup(WIDE)).body.code, 'email_exists');
    const create = 'mutation($input: CreateUserInput!) { createUser(input: $input) { id } }';
    const made = async (input: object) =>
      (await service().graphql(create, { input }, { as: 'administrator' })).body.errors?.[0]
        .extensions.code;
    assert.equal(await made({ username: 'mina', email: WIDE }), 'EMAIL_EXISTS');
    assert.equal(await made({ username: WIDE, email: 'other@example.com' }), 'USERNAME_EXISTS');
  });

  it('for signing in, by password, code and reset', async () => {
    await signup(PLAIN);
    assert.equal((await login(WIDE)).status, 200);
    const ask = (query: string, input: object) => service().graphql(query, { input });
    await ask('mutation($input: RequestSignInCodeInput!) { requestSignInCode(input: $input) }', {
      email: WIDE,
    });
    assert.equal(await mailSignInCodes(await service().context()), 1);
    const [mail] = await service().database.prisma.outgoingMail.findMany();
    assert.equal(
      mail?.to,
      PLAIN,
      'mailed to the address of the account, never to the one that was typed',
    );
    const input = { email: WIDE, code: JSON.parse(mail?.values ?? '{}').code };
    const signIn =
      'mutation($input: SignInWithCodeInput!) { signInWithCode(input: $input) { token } }';
    assert.ok((await ask(signIn, input)).body.data.signInWithCode.token);
  });

  it('for the brakes: another spelling gives no further tries', async () => {
    await signup(PLAIN);
    service().limit();
    const spellings = [PLAIN, WIDE, 'MINA@example.com', 'ｍina@example.com', 'mｉna@example.com'];
    for (const name of spellings) assert.equal((await login(name, 'wrong')).status, 401);
    for (const name of spellings) assert.equal((await login(name, 'wrong')).status, 429, name);
  });

  it('for invitations: whoever invites the own address in another spelling is told so', async () => {
    const invite = `mutation { inviteCarer(input: { to: "ｓubscriber@example.com", right: SEE }) { id } }`;
    const { body } = await service().graphql(
      invite,
      {},
      { headers: await service().session('subscriber') },
    );
    assert.equal(body.errors[0].extensions.code, 'CARE_SELF');
  });

  it('yet only case makes no other mailbox: a provider that vouches for a look-alike vouches for somebody else', () => {
    assert.ok(isSameMailbox('Mina@Example.com', 'mina@example.com'));
    assert.ok(!isSameMailbox(WIDE, PLAIN));
  });
});
