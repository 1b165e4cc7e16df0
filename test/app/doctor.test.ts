import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { examine } from '../../src/app/doctor/doctor.js';
import type { Finding } from '../../src/app/doctor/finding.js';
import { examineFolders, examineZoneData } from '../../src/app/doctor/machine.js';
import { zonesOf } from '../../src/app/doctor/server.js';
import { makeDeps } from '../../src/app/make-deps.js';
import { claimDatabase } from '../../src/app/secret-key.service.js';
import { doctorTool } from '../../src/app/tools/doctor.js';
import { readConfig } from '../../src/config/config.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { makeLog } from '../../src/platform/log.js';
import { adminUrl, onServer, openServer, withServer } from '../faults/databases.js';
import { dataFolder } from '../faults/service.js';
import { Provider } from '../support/provider.js';
import { whenOver } from '../support/running.js';
import { standIn } from '../support/stand-in.js';

type Environment = Readonly<Record<string, string>>;

/** Examines an environment. Returns what was found wrong or noteworthy, by what it is about. */
async function complaints(environment: Environment, clock = Date.now) {
  const findings: Finding[] = [];
  for await (const finding of examine(environment, clock)) findings.push(finding);
  expect(findings.every(({ sentence }) => /^[^\n]+\.$/.test(sentence))).toBe(true);
  const seen = findings.filter(({ state }) => state === 'wrong' || state === 'note');
  return Object.fromEntries(seen.map(({ what, sentence }) => [what, sentence]));
}

/** A server that says a line to whoever writes to it. */
async function saying(line: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('data', () => socket.write(line));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  whenOver(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const NOBODY = '127.0.0.1:1';

describe('npm run doctor on the embedded database', () => {
  it('finds nothing wrong before the first start and after it, and makes nothing', async () => {
    const DATA_DIR = join(dataFolder(), 'data');
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    expect(await doctorTool({ DATA_DIR }, { say })).toBe(0);
    expect(lines.at(-1)).toBe('Nothing is wrong.');
    expect(lines.find((line) => line.includes('database:'))).toMatch(/the first start makes it\.$/);
    expect(existsSync(DATA_DIR)).toBe(false);
    await openDatabase({ dataDir: DATA_DIR, wait: 0, migrate: true }).then((made) => made.close());
    writeFileSync(join(DATA_DIR, 'secret.key'), 'k'.repeat(40));
    expect(await complaints({ DATA_DIR })).toStrictEqual({});
  });

  it('names a malformed variable, and asks nothing else', async () => {
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    expect(await doctorTool({ PORT: 'http' }, { say })).toBe(1);
    expect(lines).toStrictEqual([
      'WRONG configuration: PORT must be a whole number from 0 to 65535.',
      '1 thing is wrong.',
    ]);
  });

  it('names a key that is missing or empty, a folder of another version, and a place that cannot be written', async () => {
    const DATA_DIR = dataFolder();
    mkdirSync(join(DATA_DIR, 'database'));
    expect(await complaints({ DATA_DIR, AUDIT_HEAD_FILE: DATA_DIR })).toStrictEqual({
      'folder of AUDIT_HEAD_FILE': `${DATA_DIR} is a folder.`,
      database: `${DATA_DIR}/database is of PostgreSQL 18, and holds nothing.`,
      key: `${DATA_DIR}/secret.key is missing, and there is a database.`,
    });
    writeFileSync(join(DATA_DIR, 'database', 'PG_VERSION'), '15\n');
    writeFileSync(join(DATA_DIR, 'secret.key'), 'short');
    writeFileSync(join(DATA_DIR, 'file'), '');
    expect(await complaints({ DATA_DIR })).toStrictEqual({
      database: `${DATA_DIR}/database is of PostgreSQL 18, and holds 15.`,
      key: `${DATA_DIR}/secret.key holds no key: restore it from a backup, or set SECRET_KEY.`,
    });
    expect(await complaints({ DATA_DIR: join(DATA_DIR, 'file') })).toMatchObject({
      'folder of DATA_DIR': `${DATA_DIR}/file cannot be written: ${DATA_DIR}/file is no folder.`,
    });
  });

  it('names a disk that is nearly full, and time zone data that are old', () => {
    const config = readConfig({ DATA_DIR: dataFolder() });
    const disk = (free: number) => examineFolders(config, () => free).at(-1);
    expect(disk(100 * 2 ** 20)).toStrictEqual({
      what: 'disk',
      state: 'wrong',
      sentence: '100 MiB are free at DATA_DIR, less than 512.',
    });
    expect(disk(2 ** 40)?.state).toBe('ok');
    expect(examineZoneData(Date.UTC(2027, 11, 31), '2026a').state).toBe('ok');
    expect(examineZoneData(Date.UTC(2028, 0, 1), '2026a')).toMatchObject({
      state: 'note',
      sentence: 'The service goes by the IANA release 2026a: install a newer one.',
    });
  });

  it('notes a public address without TRUSTED_PROXIES', async () => {
    const environment = { DATA_DIR: dataFolder(), BASE_URL: 'https://care.example' };
    expect(await complaints(environment)).toStrictEqual({
      proxy: expect.stringMatching(/without TRUSTED_PROXIES all callers share the quota/),
    });
    expect(await complaints({ ...environment, TRUSTED_PROXIES: '1' })).toStrictEqual({});
  });
});

describe('npm run doctor asks what lies outside', () => {
  const environment = { DATA_DIR: dataFolder() };

  it.each([
    [`redis://${NOBODY}`, /^It cannot be reached \(ECONNREFUSED\)\.$/],
    ['-WRONGPASS invalid username-password pair\r\n', /^It does not accept the user and password/],
    ['HTTP/1.1 400 Bad Request\r\n\r\n', /^It does not answer as Redis does\.$/],
  ])('and names Redis that is not as it should be: %s', async (redis, sentence) => {
    const url = redis.startsWith('redis:') ? redis : `redis://:word@${await saying(redis)}`;
    expect(await complaints({ ...environment, REDIS_URL: url })).toStrictEqual({
      redis: expect.stringMatching(sentence),
    });
  });

  it('and names the server of mail and the providers that do not answer or refuse the key', async () => {
    const web = await Provider.start(({ path }) => ({ status: path.includes('keys') ? 500 : 401 }));
    whenOver(() => web.stop());
    const found = await complaints({
      ...environment,
      SMTP_URL: `smtp://${NOBODY}`,
      IDP_A_ISSUER: web.url,
      IDP_A_JWKS_URL: `${web.url}/keys`,
      IDP_A_AUDIENCE: 'care',
      EXPO_URL: web.url,
      EXPO_ACCESS_TOKEN: 'wrong',
      FCM_SERVICE_ACCOUNT: JSON.stringify({
        project_id: 'care',
        client_email: 'care@example.com',
        private_key: generateKeyPairSync('rsa', { modulusLength: 2048 })
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString(),
      }),
      FCM_TOKEN_URL: web.url,
      POLL_IMPORT_URL: `${web.url}/polls`,
      MESSAGES_WEBHOOK_URL: `http://${NOBODY}/messages`,
      MESSAGES_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${web.url}/keys`,
      PERSISTED_DOCUMENTS: '/nowhere.json',
      OUTLOOK_CLIENT_ID: 'a',
      OUTLOOK_CLIENT_SECRET: 'b',
      OUTLOOK_ISSUER: web.url,
      OUTLOOK_GRAPH_URL: web.url,
    });
    expect(found).toStrictEqual({
      smtp: 'It failed: ESOCKET.',
      'identity provider a': 'It answered with 500.',
      expo: 'It answered with 401.',
      fcm: 'No access: token_401.',
      'poll import': 'It answered with 401.',
      'messages webhook': 'It cannot be reached.',
      traces: 'It answered with 500.',
      documents: expect.stringMatching(/^The file of PERSISTED_DOCUMENTS: it cannot be read: /),
      outlook: 'It answered with 401.',
    });
  });
});

describe('npm run doctor asks the storage', () => {
  it('and names a secret, a bucket and a server that are wrong', async () => {
    const server = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: dataFolder(),
      configureBuckets: [{ name: 'care', configs: [] }],
    });
    const { port } = (await server.run()) as AddressInfo;
    whenOver(() => server.close());
    const found = (credentials: string, bucket: string, at: string | number = port) =>
      complaints({
        DATA_DIR: dataFolder(),
        STORAGE_URL: `http://${credentials}@127.0.0.1:${at}/${bucket}`,
      });
    expect(await found('S3RVER:S3RVER', 'care')).toStrictEqual({});
    expect(await found('S3RVER:other', 'care')).toStrictEqual({
      storage: 'It refuses (SignatureDoesNotMatch).',
    });
    expect(await found('S3RVER:S3RVER', 'other')).toStrictEqual({
      storage: 'It refuses (NoSuchBucket).',
    });
    expect(await found('S3RVER:S3RVER', 'care', 1)).toStrictEqual({
      storage: 'It cannot be reached.',
    });
  });
});

(adminUrl ? describe : describe.skip)('npm run doctor on PostgreSQL', () => {
  const SECRET_KEY = 's'.repeat(40);
  const under = (url: string, more: Environment = {}) => ({
    DATA_DIR: dataFolder(),
    DATABASE_URL: url,
    DATABASE_WAIT: '0',
    SECRET_KEY,
    ...more,
  });

  it('says that the server cannot be reached, without its password', async () => {
    const found = await complaints(under(`postgres://care:opensesame@${NOBODY}/care`));
    expect(found).toStrictEqual({
      database: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1\/care cannot be reached/),
    });
    expect(JSON.stringify(found)).not.toContain('opensesame');
  });

  onServer(
    'names pending migrations, and finds nothing wrong once they are applied',
    async (url) => {
      expect(await complaints(under(url))).toStrictEqual({
        migrations: expect.stringMatching(/^\d+ are pending, up to \w+: run `npm run migrate`\.$/),
      });
      const replica = under(url, { REPORTS_DATABASE_URL: url });
      expect(await complaints(replica)).toHaveProperty('reports database');
      await (await openServer(url)).close();
      const found = await complaints(replica);
      delete found['zones in use']; // as the machine that runs the tests has it
      expect(found).toStrictEqual({});
    },
  );

  onServer(
    'names a database from the future, another key, and a clock that is wrong',
    async (url) => {
      const database = await openServer(url);
      const deps = (secret: string) =>
        makeDeps({ config: readConfig(under(url)), database, secret, log: makeLog('silent') });
      await claimDatabase(deps('o'.repeat(40)));
      expect(await complaints(under(url))).toMatchObject({
        key: expect.stringMatching(/^SECRET_KEY is not the key of this database/),
      });
      const hour = 60 * 60 * 1000;
      expect(await complaints(under(url), () => Date.now() - hour)).toMatchObject({
        clock: expect.stringMatching(/^The clock of this machine is 3\d{3} s behind/),
      });
      await database.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
      VALUES ('x', 'x', '29990101000000_future', now())`);
      await database.close();
      expect(await complaints(under(url))).toStrictEqual({
        migrations: expect.stringMatching(/^The database is newer than this code/),
      });
    },
  );

  onServer(
    'names rights and extensions that a user lacks, and a pool that is too large',
    async (url, admin) => {
      const role = `care_test_${Date.now()}`;
      await admin.query(`CREATE ROLE ${role} LOGIN`);
      const as = Object.assign(new URL(url), { username: role, password: '' }).href;
      try {
        const bare = await complaints(under(as));
        expect(bare.rights).toBe('This user may not make tables in the schema public.');
        expect(bare.extensions).toMatch(
          /^The database lacks cube and pg_trgm, and this user has no/,
        );
        await (await openServer(url)).close();
        const found = await complaints(under(as, { DATABASE_POOL: '1000' }));
        expect(found.rights).toMatch(
          /^This user may not read and write account, .* other tables\.$/,
        );
        expect(found.connections).toMatch(
          /^PostgreSQL takes \d+, which are enough for 0 processes/,
        );
      } finally {
        await admin.query(`DROP ROLE ${role}`);
      }
    },
  );

  onServer('reckons with all workers of a command, and with two of it in a deploy', async (url) => {
    await (await openServer(url)).close();
    const { connections } = await complaints(under(url, { WORKERS: '64', DATABASE_POOL: '200' }));
    expect(connections).toMatch(/^PostgreSQL takes \d+, which are .*this command starts 64\.$/);
    const [, most] = /^PostgreSQL takes (\d+),/.exec(connections ?? '') ?? [];
    const pool = (share: number) => ({ DATABASE_POOL: `${Math.floor(Number(most) / share) - 1}` });
    expect(await complaints(under(url, pool(1)))).toHaveProperty('connections');
    expect(await complaints(under(url, pool(2)))).toStrictEqual({});
  });

  it('names zones in use of which PostgreSQL has other data', () =>
    withServer(async (url) => {
      const database = await openServer(url);
      await database.query("UPDATE site SET time_zone = 'Europe/Berlin'");
      const query = (async (text: string, ...rest: []) =>
        text.startsWith('WITH known')
          ? [{ name: 'Europe/Berlin', at: 0, offset: 0 }]
          : database.query(text, ...rest)) as typeof database.query;
      const config = readConfig(under(url));
      const found = await zonesOf(config, standIn(database, { query }));
      await database.close();
      expect(found).toMatchObject({
        state: 'note',
        sentence: expect.stringMatching(/PostgreSQL has other data of Europe\/Berlin/),
      });
    }));
});
