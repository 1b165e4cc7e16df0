import { makeMember } from '../../support/factories.js';
import { bearer, errorCode, mutation, useService } from '../../support/harness.js';
import { expoToken } from '../../support/provider.js';

const PASSWORD = 'correct horse battery';
const HOUR = 60 * 60_000;

describe('Notices of what somebody did with their own account', () => {
  const service = useService(() => ({ TRUSTED_PROXIES: '1' }));
  let now = Date.parse('2026-03-01T08:00:00Z');
  const mailed = (template: string) =>
    service().database.prisma.outgoingMail.count({ where: { template } });

  async function ready(isProven: boolean) {
    service().now = () => now;
    service().limit();
    const { token, user } = await makeMember(service(), { password: PASSWORD });
    const { account } = service().database.prisma;
    const data = { emailProvenAt: isProven ? new Date(now) : null };
    await account.update({ where: { id: user.id }, data });
    return { token: token as string };
  }

  async function changePassword(by: { token: string }, from: number, times: number) {
    for (let i = from; i < from + times; i++) {
      const input = {
        currentPassword: i === 0 ? PASSWORD : `${PASSWORD} ${i}`,
        newPassword: `${PASSWORD} ${i + 1}`,
      };
      const body = await service().ask(mutation('changePassword', '__typename'), { input }, by);
      expect(errorCode(body)).toBeUndefined();
    }
  }

  it('are five an hour of a kind at an address that nobody has proven, and the change is made', async () => {
    const by = await ready(false);
    await changePassword(by, 0, 8);
    expect(await mailed('password_changed')).toBe(5);
    now += HOUR;
  });

  it('are all sent to an address that is proven', async () => {
    await changePassword(await ready(true), 0, 8);
    expect(await mailed('password_changed')).toBe(8);
  });

  it('so are those of devices that are taken away from many places', async () => {
    const by = await ready(false);
    const push_token = expoToken('x');
    for (let i = 0; i < 8; i++) {
      const headers = { 'x-forwarded-for': `203.0.113.${i}` };
      const own = { headers: { ...headers, ...bearer(by.token) }, body: { push_token } };
      expect((await service().rest('POST', '/v1/notify', own)).body.registered).toBe(true);
      const path = `/v1/push_token/${encodeURIComponent(push_token)}`;
      expect((await service().rest('DELETE', path, { headers })).status).toBe(200);
    }
    expect(await mailed('device_suspended')).toBe(5);
  });
});
