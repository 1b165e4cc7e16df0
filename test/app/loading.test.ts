import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROCESS = new URL('../../src/process/process.js', import.meta.url);

/** Loads what the start of the service loads, and prints the address of each script. */
const PROGRAM = `
  import { Session } from 'node:inspector';
  const loaded = new Set();
  const session = new Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => loaded.add(params.url));
  session.post('Debugger.enable');
  await import(${JSON.stringify(PROCESS.href)});
  process.stdout.write(JSON.stringify([...loaded]));
`;

/** What few requests need, or only a service with a certain configuration. */
const LATE = [
  '@aws-sdk/client-s3',
  '@electric-sql/pglite',
  '@opentelemetry/sdk-trace',
  '@prisma/schema-engine-wasm',
  'file-type',
  'htmlparser2',
  'ioredis',
  'libphonenumber-js',
  'nodemailer',
  'oembed-providers',
  'openid-client',
  'pglite-prisma-adapter',
  'rate-limiter-flexible',
  'sanitize-html',
  'sharp',
  'undici',
  'web-push',
];

describe('The start of the service', () => {
  const loaded = (): string[] =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
        cwd: fileURLToPath(new URL('.', PROCESS)),
        encoding: 'utf8',
        maxBuffer: 10_000_000,
      }),
    );
  const packageOf = (url: string) =>
    /^(?:@[^/]+\/)?[^/]+/.exec(url.split('/node_modules/').slice(1).at(-1) ?? '')?.[0];

  it('loads no package that few requests need', () => {
    const packages = new Set(loaded().flatMap((url) => packageOf(url) ?? []));
    expect(packages).toContain('graphql');
    expect(LATE.filter((name) => packages.has(name))).toStrictEqual([]);
  });
});
