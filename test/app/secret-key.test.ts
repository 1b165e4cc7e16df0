import { makeDeps } from '../../src/app/make-deps.js';
import { checkSecretKey, claimDatabase } from '../../src/app/secret-key.service.js';
import { serviceContext } from '../../src/core/service-context.js';
import { Tokens } from '../../src/core/tokens.js';
import { transact } from '../../src/core/transact.js';
import { recordAudit } from '../../src/domains/audit/audit.service.js';
import { sealAudit } from '../../src/domains/audit/chain/sealing.service.js';
import { StartError } from '../../src/platform/database/database.js';
import { Keys } from '../../src/platform/keys.js';
import { useService } from '../support/harness.js';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string];
interface Given {
  readonly previous?: string;
  readonly next?: string;
}

describe('A database knows the SECRET_KEY that it belongs to', () => {
  const service = useService();
  const under = (secret: string, others: Given = {}) => ({
    ...service().app.deps,
    keys: new Keys(secret, others),
    tokens: new Tokens(secret, others),
  });
  const start = (secret: string, others: Given = {}) => claimDatabase(under(secret, others));
  const refused = (sentence: RegExp, secret: string, others: Given = {}) =>
    expect(start(secret, others)).rejects.toSatisfy((error) => {
      expect(error).toBeInstanceOf(StartError);
      expect(error.message).toMatch(sentence);
      expect(error.message, 'no key').not.toMatch(/(.)\1{9}/);
      return true;
    });
  const record = async (secret: string, others: Given = {}) =>
    transact(await serviceContext(under(secret, others), 'test'), (inner) =>
      recordAudit(inner, { action: 'test.event', detail: { i: 1 } }),
    );
  const seal = async (secret: string, others: Given = {}) =>
    sealAudit(await serviceContext(under(secret, others), 'test'));

  it('the first start records it, and every other key is refused from then on, by commands too', async () => {
    await Promise.all([start(A), start(A), start(A)]);
    await start(A);
    const embedded = service().database.kind === 'embedded';
    const name = embedded ? /^The key in \S+secret\.key is not/ : /^SECRET_KEY is not/;
    await refused(name, B);
    await refused(
      / is not the key of this database: start with that key, or give it as SECRET_KEY_PREVIOUS/,
      B,
    );
    await refused(/is not the key of this database/, B, { previous: C });
    await expect(checkSecretKey(under(B))).rejects.toThrow(StartError);
    await checkSecretKey(under(A));
    const kept = await service().database.prisma.secretKey.findMany();
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(A);
  });

  it('of two that start first with different keys one is refused', async () => {
    const ends = await Promise.allSettled([start(A), start(B)]);
    expect(ends.map(({ status }) => status).sort()).toStrictEqual(['fulfilled', 'rejected']);
  });

  it('a database from before this was recorded is recognised by what the audit holds', async () => {
    await record(A);
    await refused(
      /is not the key of this database: rows of the audit that wait for their seal are under another one\.$/,
      B,
    );
    await seal(A);
    await refused(/: the last seal of the audit is under another one\.$/, B);
    await start(A);
  });

  it('a key is announced, comes into use and stands alone, with neighbouring phases starting in any order', async () => {
    await start(A);
    await start(A, { next: B });
    await start(A);
    await start(B, { previous: A });
    await start(A, { next: B });
    await start(B, { previous: A });
    await start(B);
    await start(B, { previous: A });
    await start(B, { next: C });
    await start(C, { previous: B });
    await start(C);
  });

  it('one process may replace it without announcing it', async () => {
    await start(A);
    await start(B, { previous: A });
    await start(B);
  });

  it('phases that are not neighbours are refused, each with what to do', async () => {
    await start(A);
    await start(A, { next: B });
    await refused(/ is announced and not in use yet: .* as SECRET_KEY_PREVIOUS\.$/, B);
    await start(B, { previous: A });
    await refused(
      / was replaced by a key that is in use: start with that one, or give it as SECRET_KEY_NEXT\.$/,
      A,
    );
    await start(B);
    await refused(/ was revoked at 20\S+Z: start with the key that replaced it\.$/, A, { next: B });
    await refused(/ was revoked at /, A);
  });

  it('a key under which something still stands cannot be revoked', async () => {
    await start(A);
    await record(A);
    await seal(A);
    await start(B, { previous: A });
    await refused(
      /^The previous key cannot be revoked yet: the last seal of the audit is under it\./,
      B,
    );
    await seal(B, { previous: A });
    await start(B);
  });

  it('refuses a key in the name of the variable where it was set', async () => {
    await start(A);
    const config = { ...service().app.deps.config, SECRET_KEY: B };
    const { database, log } = service().app.deps;
    const deps = makeDeps({ config, database, secret: B, log });
    await expect(claimDatabase(deps)).rejects.toThrow(/SECRET_KEY is not the key of this database/);
  });
});
