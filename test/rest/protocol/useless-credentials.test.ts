import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../src/platform/root.js';
import { useService } from '../../support/harness.js';
import { B } from '../reminders/member.js';

/** Routes that answer strangers, in edition B: what is asked, and what strangers are answered. */
const OPEN: readonly (readonly [on: string, body?: object])[] = [
  ['GET /'],
  ['GET /v1'],
  ['OPTIONS /v1/posts'],
  ['GET /v1/posts'],
  ['GET /v1/pages'],
  ['GET /v1/healthcare'],
  ['GET /v1/quote'],
  ['GET /v1/videos'],
  ['GET /v1/healthcare/services'],
  ['GET /v1/healthcare/service-types'],
  ['GET /wp/v2/categories'],
  ['DELETE /v1/push_token/ExponentPushToken[abcdefghijklmnopqrstuv]'],
  ['POST /pwreset/v1/reset-password', { email: 'mina@example.com' }],
  ['POST /pwreset/v1/validate-code', { email: 'mina@example.com', code: '000000' }],
  [
    'POST /v1/ncsm',
    { name: 'A', email: 'a@example.com', phone: '1', platform: 'x', score: 1, form: 1 },
  ],
];
interface RouteRow {
  readonly editions: readonly ('A' | 'B')[];
  readonly method: string;
  readonly path: string;
}
const SPECIFIED = join(projectRoot, 'test/conformance/routes.json');
const ROUTES = (JSON.parse(readFileSync(SPECIFIED, 'utf8')) as { routes: RouteRow[] }).routes;

/** Routes and parameters for which the caller matters. */
const OWN: readonly string[] = [
  'GET /v1/medicine_reminder',
  'GET /v1/events',
  'POST /v1/medicine_reminder',
  'POST /v1/posts',
  'POST /v1/notify',
  'GET /v1/posts?context=edit',
  'GET /v1/posts?status=draft',
];

describe('A credential that is of no use', () => {
  const service = useService();
  const ask = (on: string, authorization: string | undefined, body?: object) => {
    const [method = '', address = ''] = on.split(' ');
    const [path = '', query] = address.split('?');
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const sending = { ...B, as: 'anonymous' as const, headers, ...(query && { query }) };
    return service().rest(method, path, body ? { ...sending, body } : sending);
  };
  const useless = async (): Promise<readonly string[]> => {
    const now = service().now();
    const expired = await service().session('subscriber');
    service().at(now + 3_600_000);
    const ended = await service().session('subscriber');
    await service().database.prisma.session.updateMany({ data: { endedAt: new Date(now) } });
    return [
      expired.authorization,
      ended.authorization,
      'Bearer null',
      'Bearer undefined',
      'Bearer ',
      'Bearer x.y.z',
      'Bearer [object Object]',
    ];
  };

  it('is none where strangers are answered too', async () => {
    for (const authorization of await useless())
      for (const [on, body] of OPEN) {
        const stranger = await ask(on, undefined, body);
        const { status, body: answer } = await ask(on, authorization, body);
        expect([status, answer?.code], `${on} with ${authorization}`).toStrictEqual([
          stranger.status,
          stranger.body?.code,
        ]);
      }
  });

  it('is none on every specified route that answers strangers, and 401 on all that refuse them', async () => {
    const { id } = await service().posted();
    const [expired = '', ...others] = await useless();
    for (const { editions, method, path } of ROUTES) {
      const at = path.replace('{token}', 'abc').replace(/\{\w+\}/g, String(id));
      const edition = editions.at(-1) ?? 'A';
      const sent = /GET|DELETE/.test(method) ? {} : { body: {} };
      const statusFor = async (headers: Record<string, string>) =>
        (await service().rest(method, at, { ...sent, edition, headers, described: false })).status;
      const stranger = await statusFor({});
      const isRefused = stranger === 401 || stranger === 403;
      if (stranger >= 300 && !isRefused) continue; // The caller may matter, or not.
      for (const authorization of [expired, ...others.filter((one) => one !== 'Bearer ')])
        expect(await statusFor({ authorization }), `${method} ${at} with ${authorization}`).toBe(
          stranger === 403 ? 401 : stranger,
        );
    }
  });

  it('is 401 where the caller matters', async () => {
    const [expired = '', ...others] = await useless();
    for (const on of OWN) {
      expect((await ask(on, expired)).body.code, on).toBe('token_expired');
      for (const authorization of others.filter((one) => one !== 'Bearer '))
        expect((await ask(on, authorization)).body.code, `${on}: ${authorization}`).toBe(
          'token_invalid',
        );
    }
  });

  it('is judged request by request in a batch', async () => {
    const [expired = ''] = await useless();
    const requests = [
      { method: 'POST', path: '/v1/posts', body: { title: 'x' } },
      { method: 'DELETE', path: '/v1/nothing' },
    ];
    const { status, body } = await service().rest('POST', '/batch/v1', {
      headers: { authorization: expired },
      body: { requests },
    });
    const answers = body.responses.map(
      ({ status: one, body: answer }: { status: number; body: { code?: string } }) => [
        one,
        answer.code,
      ],
    );
    expect([status, ...answers]).toStrictEqual([
      207,
      [401, 'token_expired'],
      [404, 'rest_no_route'],
    ]);
  });
});
