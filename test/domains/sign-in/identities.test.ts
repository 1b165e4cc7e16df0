import { bearer, errorCode, useService } from '../../support/harness.js';
import { type Claims, TestIssuer } from '../../support/issuer.js';

describe('The identities of an account', () => {
  let issuer: TestIssuer;
  beforeAll(async () => {
    issuer = await TestIssuer.start();
  });
  afterAll(() => issuer.stop());
  const service = useService(() => issuer.variables('A', { NAME: 'clinic' }));
  const enter = async (claims: Claims) => {
    const { body } = await service().rest('GET', '/v1/clinic_login', {
      query: { token: await issuer.token(claims), language: '1' },
    });
    return { headers: bearer(body.token), id: body.user.id as number };
  };
  const list = (headers: object) =>
    service().graphql(
      '{ viewer { identities { databaseId provider providerName email } } }',
      {},
      { headers: { ...headers } },
    );
  const unlink = (id: number, headers: object) =>
    service().graphql(
      'mutation($input: UnlinkIdentityInput!) { unlinkIdentity(input: $input) { identity { ' +
        'databaseId } } }',
      { input: { id } },
      { headers: { ...headers } },
    );

  it('are listed for the account alone', async () => {
    const { headers } = await enter({ sub: 'one', email: 'one@example.com' });
    await enter({ sub: 'two' });
    expect((await list(headers)).body.data.viewer.identities).toStrictEqual([
      { databaseId: 1, provider: 'A', providerName: 'clinic', email: 'one@example.com' },
    ]);
    expect((await list({})).body.data.viewer).toBeNull();
  });

  it('are unlinked, but for the last way to sign in', async () => {
    const { headers, id } = await enter({
      sub: 'one',
      email: 'one@example.com',
      email_verified: true,
    });
    expect(errorCode((await unlink(1, headers)).body)).toBe('LAST_SIGN_IN');
    await enter({ sub: 'second', email: 'one@example.com', email_verified: true });
    expect((await unlink(1, headers)).body.data.unlinkIdentity.identity.databaseId).toBe(1);
    expect(errorCode((await unlink(2, headers)).body)).toBe('LAST_SIGN_IN');
    const events = await service().database.prisma.auditEvent.findMany({
      where: { action: 'identity.unlink' },
    });
    expect(events.map(({ subjectId }) => subjectId)).toStrictEqual([id]);
  });

  it('of others are not found', async () => {
    await enter({ sub: 'one' });
    const { headers } = await enter({ sub: 'two' });
    expect(errorCode((await unlink(1, headers)).body)).toBe('IDENTITY_NOT_FOUND');
  });
});
