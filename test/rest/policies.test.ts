import { type Caller, errorCode, useService } from '../support/harness.js';

const service = useService();
const HOUR = 60 * 60 * 1000;

const post = (path: string, body: object, as: Caller = 'subscriber') =>
  service().rest('POST', path, { body, as, edition: 'B' });

describe('The policy', () => {
  const create = async (input: object = {}): Promise<{ databaseId: number; number: number }> =>
    (
      await service().data(
        'mutation($input: CreatePolicyInput!) { createPolicy(input: $input) { policy { databaseId number text } } }',
        { input: { languageId: 1, title: 'Policy', text: '<p>Be kind.</p>', ...input } },
        'administrator',
      )
    ).createPolicy.policy;
  /** What the viewer must agree to: the root field and the one of the viewer say the same. */
  const toAgree = async () => {
    const { policyToAgreeTo, viewer } = await service().data(
      '{ policyToAgreeTo { databaseId } viewer { policyToAgreeTo { databaseId } } }',
    );
    expect(viewer.policyToAgreeTo).toStrictEqual(policyToAgreeTo);
    return policyToAgreeTo?.databaseId ?? null;
  };

  it('is agreed to by POST /v1/agree_policy in the version in force, once', async () => {
    await create();
    const { databaseId, number } = await create();
    await create({ effectiveAt: new Date(service().now() + HOUR).toISOString() });
    expect(await toAgree()).toBe(databaseId);
    const { status, body } = await post('/v1/agree_policy', {});
    expect([status, body]).toStrictEqual([
      200,
      { policy_version: number, agreed_at: body.agreed_at },
    ]);
    expect((await post('/v1/agree_policy', {})).body).toStrictEqual(body);
    expect(await toAgree()).toBeNull();
  });

  it('is to be agreed to again when a new version comes into force', async () => {
    const now = service().now();
    await create();
    await post('/v1/agree_policy', {});
    const next = await create({ effectiveAt: new Date(now + HOUR).toISOString() });
    expect(await toAgree()).toBeNull();
    service().now = () => now + HOUR;
    expect(await toAgree()).toBe(next.databaseId);
  });

  it('is listed once it is in force, and before to administrators alone', async () => {
    const inForce = await create();
    const coming = await create({ effectiveAt: new Date(service().now() + HOUR).toISOString() });
    const listed = async (as: Caller) => {
      const { policies } = await service().data('{ policies { nodes { databaseId } } }', {}, as);
      return policies.nodes.map(({ databaseId }: { databaseId: number }) => databaseId);
    };
    const both = [coming.databaseId, inForce.databaseId];
    expect(await listed('administrator')).toStrictEqual(both);
    for (const as of ['anonymous', 'subscriber', 'editor'] as const)
      expect(await listed(as)).toStrictEqual([inForce.databaseId]);
  });

  it('is 404 where there is none', async () => {
    const { status, body } = await post('/v1/agree_policy', {});
    expect([status, body.code]).toStrictEqual([404, 'rest_nothing_to_agree']);
  });

  it('shows no script, and stays once it is in force', async () => {
    const made = await create({ text: '<p>Hello</p><script>alert(1)</script>' });
    expect(JSON.stringify(made)).not.toMatch(/script/);
    const body = await service().ask(
      'mutation($id: ID!) { deletePolicy(input: { id: $id }) { policy { id } } }',
      { id: made.databaseId },
      'administrator',
    );
    expect(errorCode(body)).toBe('POLICY_IN_FORCE');
  });

  it('keeps its count of agreements when an account is erased, and forgets whose they were', async () => {
    await create();
    await post('/v1/agree_policy', {}, 'guest');
    await service().data('mutation { eraseMyAccount(input: {}) { erasedAccountId } }', {}, 'guest');
    const { policies } = await service().data(
      '{ policies { nodes { agreementCount } } }',
      {},
      'administrator',
    );
    expect(policies.nodes).toStrictEqual([{ agreementCount: 1 }]);
    expect(await service().database.prisma.policyAgreement.count()).toBe(0);
  });

  it('says to administrators alone who agreed to it, and when', async () => {
    const { databaseId } = await create();
    await service().account('author');
    for (const as of ['subscriber', 'guest', 'clinician'] as const)
      await post('/v1/agree_policy', {}, as);
    const query =
      'query($id: ID!, $after: String) { policy(id: $id) { agreements(first: 2, after: $after) ' +
      '{ totalCount nodes { id agreedAt account { databaseId } } pageInfo { endCursor hasNextPage } } } }';
    const agreements = async (by: Caller, after?: string) =>
      (await service().data(query, { id: databaseId, after }, by)).policy.agreements;
    const first = await agreements('administrator');
    const { pageInfo, totalCount } = first;
    expect([totalCount, pageInfo.hasNextPage]).toStrictEqual([3, true]);
    const second = await agreements('administrator', pageInfo.endCursor);
    const found = [...first.nodes, ...second.nodes];
    const ids = await Promise.all(
      (['subscriber', 'guest', 'clinician'] as const).map((as) => service().account(as)),
    );
    expect(
      new Set(found.map(({ account }: { account: { databaseId: number } }) => account.databaseId)),
    ).toStrictEqual(new Set(ids.map(({ id }) => id)));
    for (const { agreedAt } of found) expect(Date.parse(agreedAt)).not.toBeNaN();
    for (const by of ['anonymous', 'subscriber', 'clinician', 'editor'] as const)
      expect(await agreements(by)).toBeNull();
    const node = async (id: string, by: Caller) =>
      (
        await service().data(
          `{ node(id: "${id}") { ... on PolicyAgreement { agreedAt } } }`,
          {},
          by,
        )
      ).node;
    const [{ id, agreedAt }] = found;
    expect(await node(id, 'administrator')).toStrictEqual({ agreedAt });
    expect(await node(id, 'clinician')).toBeNull();
    for (const key of ['1', '1-', '1-2-3', '01-2', '1-99999999999'])
      expect(
        await node(Buffer.from(`PolicyAgreement:${key}`).toString('base64url'), 'administrator'),
      ).toBeNull();
  });

  it('refuses the agreement to a version that is no longer in force', async () => {
    const old = await create();
    await create();
    for (const policyId of [old.databaseId, 0]) {
      const body = await service().ask(
        'mutation($policyId: ID!) { agreeToPolicy(input: { policyId: $policyId }) { policy { id } } }',
        { policyId },
      );
      expect(errorCode(body)).toBe('CONFLICT');
    }
  });
});
