import { createECDH } from 'node:crypto';
import { readConfig } from '../../src/config/config.js';
import { StartError } from '../../src/platform/database/database.js';

const google = (slot: string, name: string) => ({
  [`IDP_${slot}_PRESET`]: 'google',
  [`IDP_${slot}_AUDIENCE`]: 'id',
  [`IDP_${slot}_NAME`]: name,
});

const onServer = (parameters = '') => ({
  DATABASE_URL: `postgres://x/y${parameters}`,
  SECRET_KEY: 'k'.repeat(32),
});

const BAD: readonly (readonly [Record<string, string>, RegExp])[] = [
  [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535\.$/],
  [{ PORT: '65536' }, /^PORT must be/],
  [{ BASE_URL: 'example.com' }, /^BASE_URL must be an address that starts with http:\/\/\.$/],
  [
    { DATABASE_URL: 'mysql://x' },
    /^DATABASE_URL must be an address that starts with postgresql:\/\/\.$/,
  ],
  [{ DATABASE_URL: 'postgres://x/y' }, /^SECRET_KEY is required with DATABASE_URL/],
  [{ SECRET_KEY: 'short' }, /^SECRET_KEY must be at least 32 characters long\.$/],
  [{ SEED: 'some' }, /^SEED must be one of demo, none\.$/],
  [{ CORS_ORIGINS: 'https://app.example/path' }, /^CORS_ORIGINS must be/],
  [
    { TRUSTED_PROXIES: '10.0.0.0/33' },
    /^TRUSTED_PROXIES must be a number from 0 to 9, or a comma-separated list/,
  ],
  [{ REDIS_URL: 'http://x' }, /^REDIS_URL must be an address that starts with redis:\/\/\.$/],
  [{ ADMIN_DIR: '../x' }, /^ADMIN_DIR must be/],
  [{ STORAGE_URL: 'http://s3.example/care' }, /^STORAGE_URL must be an address that starts with/],
  [
    { STORAGE_URL: 'https://s3.example/' },
    /^STORAGE_URL must be https:\/\/KEY:SECRET@HOST\/BUCKET/,
  ],
  [{ STORAGE_URL: 'https://s3.example/a/../../b/c' }, /^STORAGE_URL must be/],
  [{ STORAGE_URL: 'https://key@s3.example/care' }, /^STORAGE_URL must be/],
  [{ STORAGE_URL: 'https://s3.example/care?regoin=eu-1' }, /^STORAGE_URL must be/],
  [{ STORAGE_URL: 'https://s3.example/care#x' }, /^STORAGE_URL must be/],
  ...['https://user:word@x', 'https://x/?token=y', 'https://x/#y'].map(
    (address): [Record<string, string>, RegExp] => [
      { OTEL_EXPORTER_OTLP_ENDPOINT: address },
      /^OTEL_EXPORTER_OTLP_ENDPOINT must be an address without credentials, query and #\.$/,
    ],
  ),
  [{ FCM_TOKEN_URL: 'https://user:word@x/token' }, /^FCM_TOKEN_URL must be an address without/],
  [{ POLL_IMPORT_URL: 'https://user:word@x/polls' }, /^POLL_IMPORT_URL must be an address without/],
  [{ STORAGE_URL: 'https://key:%zz@s3.example/care' }, /^STORAGE_URL must be/],
  [{ IDP_A_NAME: 'Clinic!' }, /^IDP_A_NAME must be a short word/],
  [{ IDP_A_NAME: 'idp_b' }, /^IDP_A_NAME must be a short word/],
  [{ IDP_A_PRESET: 'gogle' }, /^IDP_A_PRESET must be one of google, apple, microsoft, facebook\.$/],
  [{ IDP_B_NAME: 'clinic' }, /^IDP_B_PRESET, IDP_B_ISSUER or IDP_B_TOKENINFO_URL is required/],
  [{ IDP_B_PRESET: 'google' }, /^IDP_B_AUDIENCE is required/],
  [{ IDP_C_ISSUER: 'http://login.example', IDP_C_AUDIENCE: 'a' }, /^IDP_C_ISSUER must be https/],
  [
    {
      IDP_C_TOKENINFO_URL: 'https://a.example',
      IDP_C_JWKS_URL: 'https://b.example',
      IDP_C_AUDIENCE: 'a',
    },
    /^IDP_C_JWKS_URL needs/,
  ],
  [
    { ...google('A', 'x'), ...google('B', 'x') },
    /^IDP_A_NAME, IDP_B_NAME and IDP_C_NAME must differ\.$/,
  ],
  [{ IDP_D_NAME: 'x' }, /^IDP_D_NAME is not a variable of this service/],
  [
    { SMTP_URL: 'mail.example.com:465' },
    /^SMTP_URL must be an address that starts with smtps:\/\/\.$/,
  ],
  [{ MAIL_FROM: 'Care <care@example.com>' }, /^MAIL_FROM must be an e-mail address such as/],
  [
    { OUTLOOK_ISSUER: 'http://login.example' },
    /^OUTLOOK_ISSUER must be an address that starts with https:\/\//,
  ],
  [{ OUTLOOK_CLIENT_ID: 'x' }, /^OUTLOOK_CLIENT_ID and OUTLOOK_CLIENT_SECRET are set together/],
  [{ EXPO_URL: 'exp.host' }, /^EXPO_URL must be an address that starts with https:\/\/\.$/],
  [
    { FCM_SERVICE_ACCOUNT: '{"private_key":"secret"}' },
    /^FCM_SERVICE_ACCOUNT must be the JSON key of a Google service account[^{]*\.$/,
  ],
  [{ FCM_SERVICE_ACCOUNT: '/nowhere/key.json' }, /^FCM_SERVICE_ACCOUNT must be/],
  [{ VAPID_PUBLIC_KEY: 'x' }, /^VAPID_PUBLIC_KEY must be a key of 65 bytes/],
  [{ VAPID_SUBJECT: 'me' }, /^VAPID_SUBJECT must be an address that starts with mailto: or https:/],
  [
    { VAPID_SUBJECT: 'mailto:a@example.com' },
    /^VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT are needed together\.$/,
  ],
  [{ WEB_PUSH_LOOPBACK: 'yes' }, /^WEB_PUSH_LOOPBACK must be one of on, off\.$/],
  [
    { DATABSE_URL: 'x' },
    /^DATABSE_URL is not a variable of this service: did you mean DATABASE_URL\?$/,
  ],
  [{ BASE_URL: 'https://care.example/app' }, /^BASE_URL must have no path\.$/],
  [
    { BASE_URL: 'https://care.example?x=1' },
    /^BASE_URL has the parameter x, which is not known\.$/,
  ],
  [{ BASE_URL: 'https://care.example/#top' }, /^BASE_URL must have no #/],
  [{ BASE_URL: 'https://me:word@care.example' }, /^BASE_URL must be an address without cred/],
  [{ EXPO_URL: 'https://exp.host/--/api' }, /^EXPO_URL must have no path\.$/],
  [{ FCM_URL: 'https://fcm.example/v1' }, /^FCM_URL must have no path\.$/],
  [{ SMTP_URL: 'smtps://mail.example/?pool=true' }, /^SMTP_URL has the parameter pool/],
  [{ SMTP_URL: 'smtps://me:50%@mail.example' }, /^SMTP_URL must have % written as %25 in its user/],
  [{ REDIS_URL: 'redis://x/cache' }, /^REDIS_URL has a path that is not the number of a database/],
  [{ REDIS_URL: 'redis+cluster://x:7000,y:7001/1' }, /^REDIS_URL must have no path\.$/],
  [{ REDIS_URL: 'redis+cluster://x:7000,y:port' }, /^REDIS_URL must be an address that starts/],
  [{ REDIS_URL: 'redis+cluster://x:7000,' }, /^REDIS_URL must be an address that starts/],
  [{ REDIS_URL: 'redis+sentinel://x,y' }, /^REDIS_URL must name what its sentinels watch, such as/],
  [
    { REDIS_URL: 'redis+sentinel://x/care/cache' },
    /^REDIS_URL has a path that is not the name of a group that sentinels watch/,
  ],
  [
    { REDIS_URL: 'redis+sentinel://x/care?password=y' },
    /^REDIS_URL has the parameter password, which is not known: there are sentinel_user, sentinel_password\.$/,
  ],
  [{ REDIS_URL: 'redis://x?db=1' }, /^REDIS_URL has the parameter db, which is not known\.$/],
  [
    { OUTLOOK_ISSUER: 'https://login.example/common?tenant=1' },
    /^OUTLOOK_ISSUER must be an address without credentials, query and #\.$/,
  ],
  [
    { IDP_A_ISSUER: 'https://login.example?x', IDP_A_AUDIENCE: 'a' },
    /^IDP_A_ISSUER must be an address without credentials, query and #\.$/,
  ],
  [
    onServer('?schema=care&connection_limit=5'),
    /^DATABASE_URL has the parameter schema, which is not known: there are application_name, /,
  ],
  [onServer('?sslmode=on'), /^DATABASE_URL has a wrong value for its parameter sslmode\.$/],
  [
    onServer('?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'),
    /^DATABASE_URL names a file by sslrootcert that is not there\.$/,
  ],
  [
    { ...onServer(), REPORTS_DATABASE_URL: 'postgres://x/y?pgbouncer=true' },
    /^REPORTS_DATABASE_URL has the parameter pgbouncer, which is not known/,
  ],
  [
    { DATABASE_URL: 'postgres://me:100%@x/y', SECRET_KEY: 'k'.repeat(32) },
    /^DATABASE_URL must have % written as %25 in its user, password and path\.$/,
  ],
  [
    { REPORTS_DATABASE_URL: 'postgres://x/y' },
    /^REPORTS_DATABASE_URL is a replica of DATABASE_URL/,
  ],
  [{ READ_DATABASE_URL: 'postgres://x/y' }, /^READ_DATABASE_URL is a replica of DATABASE_URL/],
  [{ ...onServer(), READ_DATABASE_URL: 'mysql://x/y' }, /^READ_DATABASE_URL must be an address/],
  [
    {
      DATABASE_URL: 'postgres://x/y',
      READ_DATABASE_URL: 'postgres://x/y',
      SECRET_KEY: 'k'.repeat(32),
    },
    /^READ_DATABASE_URL is DATABASE_URL itself, and no replica of it\.$/,
  ],
  [{ READ_LAG_SECONDS: '0' }, /^READ_LAG_SECONDS must be a whole number from 1 to 60\.$/],
  [{ PERSISTED_DOCUMENTS_ONLY: 'on' }, /^PERSISTED_DOCUMENTS_ONLY needs PERSISTED_DOCUMENTS/],
  [{ METRICS_TOKEN: 'short' }, /^METRICS_TOKEN must be at least 16 visible characters of ASCII\.$/],
  [{ METRICS_TOKEN: 'a token with some spaces' }, /^METRICS_TOKEN must be at least 16 visible/],
  [{ EXPO_ACCESS_TOKEN: 'line\nbreak' }, /^EXPO_ACCESS_TOKEN must be at least 1 visible/],
  [{ ADMIN_PASSWORD: 'short' }, /^ADMIN_PASSWORD must be 8 to 256 characters long\.$/],
  [{ ADMIN_EMAIL: 'admin' }, /^ADMIN_EMAIL must be an e-mail address/],
  [{ ADMIN_USERNAME: 'x<y' }, /^ADMIN_USERNAME must be 1 to 60 letters, digits, spaces/],
  [{ NODE_ENV: 'developement' }, /^NODE_ENV must be one of production, development, test\.$/],
  [
    {
      VAPID_PUBLIC_KEY: createECDH('prime256v1').generateKeys('base64url'),
      VAPID_PRIVATE_KEY: Buffer.alloc(32, 1).toString('base64url'),
      VAPID_SUBJECT: 'mailto:a@example.com',
    },
    /^VAPID_PUBLIC_KEY is not the key that belongs to VAPID_PRIVATE_KEY\.$/,
  ],
  [{ PROT: '1' }, /^PROT is not a variable of this service: did you mean PORT\?$/],
];

describe('The configuration', () => {
  for (const [environment, sentence] of BAD) {
    it(`says in one sentence what is wrong with ${JSON.stringify(environment)}`, () => {
      const reading = () => readConfig(environment);
      expect(reading).toThrow(StartError);
      expect(reading).toThrow(sentence);
    });
  }

  it('leaves the variables of others alone', () => {
    expect(() =>
      readConfig({ PATH: '/bin', HOSTNAME: 'x', REDIS_PORT: 'tcp://10.0.0.1:6379', PORTS: '1' }),
    ).not.toThrow();
  });

  it('takes what addresses of databases may have', () => {
    const given = {
      DATABASE_URL:
        'postgres:///care?host=/run/postgresql&user=care&sslmode=disable&application_name=care',
      REDIS_URL: 'rediss://:word@cache.example:6380/2',
      SECRET_KEY: 'k'.repeat(32),
    };
    expect(readConfig(given)).toMatchObject(given);
    for (const REDIS_URL of [
      'redis+cluster://care:word@one:7000,two:7001,[::1]',
      'rediss+sentinel://:word@one,two:26380/care/2?sentinel_user=a&sentinel_password=b',
    ])
      expect(readConfig({ REDIS_URL })).toMatchObject({ REDIS_URL });
  });

  it('listens on loopback with the embedded database, everywhere with a server', () => {
    expect(readConfig({}).HOST).toBe('127.0.0.1');
    expect(readConfig({ DATABASE_URL: 'postgres://x/y', SECRET_KEY: 'k'.repeat(32) }).HOST).toBe(
      '0.0.0.0',
    );
  });

  it('knows the common identity providers by name, and lets a part of what it knows be replaced', () => {
    const { PROVIDERS } = readConfig({
      ...google('B', 'google'),
      IDP_B_ISSUER: 'https://login.example/',
    });
    expect(PROVIDERS).toStrictEqual([
      {
        slot: 'B',
        name: 'google',
        settings: {
          authority: 'https://accounts.google.com',
          audiences: ['id'],
          issuers: ['https://login.example/'],
          jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
          verifiedClaim: 'email_verified',
        },
      },
    ]);
    expect(readConfig({}).PROVIDERS).toStrictEqual([]);
  });
});
