import { verifyAudit } from '../../../src/app/tools/audit.js';
import { serviceContext } from '../../../src/core/service-context.js';
import { Tokens } from '../../../src/core/tokens.js';
import { sealAudit } from '../../../src/domains/audit/chain/sealing.service.js';
import { issueResetCodes } from '../../../src/domains/passwords/reset-code.service.js';
import { mailSignInCodes } from '../../../src/domains/sign-in/code/sign-in-code.service.js';
import { Keys, type OtherSecrets } from '../../../src/platform/keys.js';
import { bearer, type Harness, useService } from '../../support/harness.js';

const [OLD, NEW] = ['o'.repeat(40), 'n'.repeat(40)] as [string, string];
const EMAIL = 'subscriber@example.com';
const GUEST = 'mutation { createGuestSession(input: { language: 1 }) { token refreshToken } }';

const PHASES = {
  'before the change': [OLD, {}],
  standby: [OLD, { next: NEW }],
  current: [NEW, { previous: OLD }],
  revoked: [NEW, {}],
} as const satisfies Record<string, readonly [string, OtherSecrets]>;
type Phase = keyof typeof PHASES;

const NEIGHBOURS: readonly (readonly [Phase, Phase])[] = [
  ['before the change', 'standby'],
  ['standby', 'current'],
  ['current', 'revoked'],
];

for (const pair of NEIGHBOURS) {
  describe(`While SECRET_KEY is replaced, a process in phase "${pair[0]}" and one in phase "${pair[1]}"`, () => {
    const service = useService();
    let both: [Harness, Harness];
    beforeAll(async () => {
      const beside = (phase: Phase) => {
        const [secret, others] = PHASES[phase];
        return service().beside({
          keys: new Keys(secret, others),
          tokens: new Tokens(secret, others),
        });
      };
      both = [await beside(pair[0]), await beside(pair[1])];
    });
    afterAll(() => Promise.all(both.map((each) => each.stop())));
    /** Runs a test from each process to the other. */
    const eitherWay = async (work: (one: Harness, other: Harness) => Promise<void>) => {
      await work(both[0], both[1]);
      await service().clean();
      await work(both[1], both[0]);
    };
    const mailedCode = async () => {
      const { values } = await service().database.prisma.outgoingMail.findFirstOrThrow();
      return JSON.parse(values ?? '{}').code as string;
    };

    it("take each other's access tokens and refresh tokens", () =>
      eitherWay(async (one, other) => {
        const { token, refreshToken } = (await one.graphql(GUEST)).body.data.createGuestSession;
        const viewer = await other.graphql('{ viewer { id } }', {}, { headers: bearer(token) });
        expect(viewer.body.data?.viewer.id, viewer.text).toBeTruthy();
        let turning = refreshToken;
        for (const at of [other, one, other]) {
          const refreshed = await at.rest('GET', '/v1/refreshToken', {
            query: { refreshToken: turning },
          });
          expect(refreshed.status, refreshed.text).toBe(200);
          turning = refreshed.body.refreshToken;
        }
      }));

    it("take each other's codes for signing in", () =>
      eitherWay(async (one, other) => {
        await service().account('subscriber');
        await other.graphql(
          'mutation($input: RequestSignInCodeInput!) { requestSignInCode(input: $input) { ' +
            'expiresIn } }',
          {
            input: { email: EMAIL },
          },
        );
        await mailSignInCodes(await serviceContext(one.app.deps, 'test'));
        const input = { email: EMAIL, code: await mailedCode() };
        const query =
          'mutation($input: SignInWithCodeInput!) { signInWithCode(input: $input) { token } }';
        const answer = await other.graphql(query, { input });
        expect(answer.body.data?.signInWithCode.token, answer.text).toBeTruthy();
      }));

    it("take each other's codes for a new password, whichever of them made the code", () =>
      eitherWay(async (one, other) => {
        await service().account('subscriber');
        await one.rest('POST', '/pwreset/v1/reset-password', { body: { email: EMAIL } });
        await issueResetCodes(other.app.deps);
        const code = await mailedCode();
        const wrong = await other.rest('POST', '/pwreset/v1/validate-code', {
          body: { email: EMAIL, code: '00000000' },
        });
        expect(wrong.status).toBe(400);
        for (const at of [one, other]) {
          const right = await at.rest('POST', '/pwreset/v1/validate-code', {
            body: { email: EMAIL, code },
          });
          expect(right.status, right.text).toBe(200);
        }
        const body = { email: EMAIL, code, password: 'a brand new one' };
        expect((await other.rest('POST', '/pwreset/v1/set-password', { body })).status).toBe(200);
      }));

    it('take no second code of an address after one of them has set a new password', () =>
      eitherWay(async (one, other) => {
        await service().account('subscriber');
        const codes: string[] = [];
        for (const at of [one, other]) {
          await service().database.prisma.outgoingMail.deleteMany();
          await at.rest('POST', '/pwreset/v1/reset-password', { body: { email: EMAIL } });
          await issueResetCodes(at.app.deps);
          codes.push(await mailedCode());
        }
        const set = async (code: string | undefined, password: string) =>
          (
            await other.rest('POST', '/pwreset/v1/set-password', {
              body: { email: EMAIL, code, password },
            })
          ).status;
        expect(await set(codes[1], 'a brand new one')).toBe(200);
        expect(await set(codes[0], 'one of a thief')).toBe(400);
      }));

    it('seal the audit in turns, refuse no row of it, and both find it whole', () =>
      eitherWay(async (one, other) => {
        for (const at of [one, other, one]) {
          await at.graphql(GUEST);
          await sealAudit(await serviceContext(at.app.deps, 'test'));
        }
        for (const at of [other, one, other, one])
          await sealAudit(await serviceContext(at.app.deps, 'test'));
        const waiting = await service().database.prisma.auditEvent.count({ where: { seal: null } });
        expect(waiting).toBe(0);
        const seals = await service().database.prisma.auditSeal.findMany();
        expect(
          seals.every(({ digests }) => !digests.includes('')),
          'no row was rejected',
        ).toBe(true);
        expect(
          seals.length,
          `${seals.length} seals: processes do not seal after each other without need`,
        ).toBeLessThanOrEqual(5);
        for (const { app } of [one, other]) {
          const lines: string[] = [];
          const none = (async function* () {})();
          const whole = await verifyAudit(await serviceContext(app.deps, 'test'), none, {
            say: (line) => lines.push(line),
            note() {},
          });
          expect(whole, lines.join('\n')).toBe(true);
        }
      }));
  });
}
