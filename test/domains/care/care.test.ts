import { globalId } from '../../../src/core/node.js';
import { Viewer } from '../../../src/core/viewer.js';
import { careRightsOver, resolveMember } from '../../../src/domains/care/care.service.js';
import { forgetInvitations } from '../../../src/domains/care/care-invitation.service.js';
import { type Answer, errorCode } from '../../support/harness.js';
import {
  ACCEPT,
  CARED_FOR,
  CHANGE,
  DAY,
  DECLINE,
  END,
  ORDER,
  useCare,
  WITHDRAW,
} from './use-care.js';

describe('Inviting a carer', () => {
  const { service, account, idOf, ask, mails, invite, rightsOf, relate, actions } = useCare();

  it('mails a code that makes whoever has it a carer, with the right that the member chose', async () => {
    await account('ben');
    const { data } = await invite('mina', 'Ben@Example.com', 'ANSWER');
    const { createdAt, expiresAt, ...invitation } = data.inviteCarer.careInvitation;
    expect(invitation).toStrictEqual({ id: invitation.id, to: 'Ben@Example.com', right: 'ANSWER' });
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(14 * DAY);
    const [mail] = await mails('care_invitation');
    expect(mail?.to).toBe('Ben@Example.com');
    expect([mail?.language, mail?.values.name, mail?.values.right]).toStrictEqual([
      'en',
      'The mina',
      'answer',
    ]);
    expect(mail?.values.code ?? '').toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
    const accepted = await ask('ben', ACCEPT, {
      input: { code: ` ${mail?.values.code?.toLowerCase().replace('-', ' ')}` },
    });
    const { member, carer, right } = accepted.data.acceptCareInvitation.careRelation;
    expect([member.name, carer.name, right]).toStrictEqual(['The mina', 'The ben', 'ANSWER']);
    expect(await rightsOf('ben', await idOf('mina'))).toBe('see answer');
    expect(await actions('mina')).toStrictEqual(['care.accept', 'care.invite']);
  });

  it('answers the same whether or not there is such an account, by address and by user name', async () => {
    const now = Date.now();
    service().at(now); // who signs in is looked up once a second
    for (const name of ['mina', 'ben']) await account(name);
    for (const pair of [
      ['ben@example.com', 'nobody@example.com'],
      ['ben', 'nobody'],
    ]) {
      const [known, unknown] = await Promise.all(pair.map((to) => invite('mina', to)));
      expect(Object.keys(known.data.inviteCarer.careInvitation)).toStrictEqual(
        Object.keys(unknown.data.inviteCarer.careInvitation),
      );
      expect(known.errors ?? unknown.errors).toBeUndefined();
    }
    const sent = (await mails('care_invitation')).map(({ to }) => to).sort();
    expect(sent).toStrictEqual(['ben@example.com', 'ben@example.com', 'nobody@example.com']);
    const known = await service().statements(() => invite('mina', 'ben@example.com'));
    expect(await service().statements(() => invite('mina', 'nobody@example.com'))).toBe(known);
  });

  it('can be accepted by somebody who signs up afterwards', async () => {
    await invite('mina', 'new@example.com');
    const [mail] = await mails('care_invitation');
    await ask('late', ACCEPT, { input: { code: mail?.values.code } });
    expect(await rightsOf('late', await idOf('mina'))).toBe('see');
  });

  it('never mails to the address of an account whose user name looks like the address of somebody else', async () => {
    await service().database.prisma.account.update({
      where: { id: await idOf('eve') },
      data: { username: 'ben@example.com', usernameKey: 'ben@example.com' },
    });
    await invite('mina', 'ben@example.com');
    expect((await mails('care_invitation')).map(({ to }) => to)).toStrictEqual(['ben@example.com']);
  });

  it('works once, for 14 days, and not for oneself', async () => {
    await invite('mina', 'ben@example.com');
    const input = { code: (await mails('care_invitation'))[0]?.values.code };
    expect(errorCode(await ask('mina', ACCEPT, { input }))).toBe('CARE_CODE_INVALID');
    const start = Date.now();
    service().at(start + 14 * DAY + 1000);
    expect(errorCode(await ask('ben', ACCEPT, { input }))).toBe('CARE_CODE_INVALID');
    service().at(start + 14 * DAY - 1000);
    expect(errorCode(await ask('ben', ACCEPT, { input }))).toBeUndefined();
    expect(errorCode(await ask('eve', ACCEPT, { input }))).toBe('CARE_CODE_INVALID');
    expect(errorCode(await invite('mina', 'MINA@example.com'))).toBe('CARE_SELF');
    expect(errorCode(await invite('mina', 'Mina'))).toBe('CARE_SELF');
  });

  it.each([
    ['another one was accepted', undefined],
    ['the care ended', END],
    ['the right was lowered', CHANGE],
  ])('is of no use any more when %s: nobody comes back by an older code', async (_, after) => {
    const codes = async () =>
      (await mails('care_invitation')).map(({ values }) => values.code as string);
    await invite('mina', 'ben@example.com', 'EDIT');
    const [kept] = await codes();
    // Only what was sent to this carer by another name is still open after the acceptance.
    const id = after ? await relate('mina', 'ben', 'EDIT') : undefined;
    if (after) {
      await invite('mina', 'ben', 'EDIT');
      const input = { id, ...(after === CHANGE && { right: 'SEE' }) };
      expect(errorCode(await ask('mina', after, { input }))).toBeUndefined();
    } else {
      await invite('mina', 'ben@example.com', 'SEE');
      const code = (await codes()).find((one) => one !== kept);
      await ask('ben', ACCEPT, { input: { code } });
    }
    const right = after === END ? '' : 'see';
    expect(await rightsOf('ben', await idOf('mina'))).toBe(right);
    for (const code of await codes()) await ask('ben', ACCEPT, { input: { code } });
    expect(await rightsOf('ben', await idOf('mina'))).toBe(right);
  });

  it('gives a carer who accepts it another right, as another version of the relation', async () => {
    const id = await relate('mina', 'ben', 'SEE');
    expect(await relate('mina', 'ben', 'EDIT')).toBe(id);
    const input = { id, right: 'ANSWER', version: 0 };
    expect(errorCode(await ask('mina', CHANGE, { input }))).toBe('CONFLICT');
    const again = await ask('mina', CHANGE, { input: { ...input, version: 1 } });
    expect(again.data.changeCareRight.careRelation.right).toBe('ANSWER');
  });

  it('is accepted by one of two who try at once', async () => {
    await invite('mina', 'ben@example.com');
    const input = { code: (await mails('care_invitation'))[0]?.values.code };
    const both = await Promise.all(['ben', 'eve'].map((name) => ask(name, ACCEPT, { input })));
    expect(both.map(errorCode).sort()).toStrictEqual(['CARE_CODE_INVALID', undefined]);
  });

  it('keeps codes in the database only as what is of no use without the key', async () => {
    await invite('mina', 'ben@example.com');
    const plain = (await mails('care_invitation'))[0]?.values.code?.replace('-', '') ?? '';
    const [row] = await service().database.prisma.careInvitation.findMany();
    const { createHash } = await import('node:crypto');
    const hashes = ['hex', 'base64', 'base64url'].map((form) =>
      createHash('sha256')
        .update(plain)
        .digest(form as 'hex'),
    );
    expect([plain, ...hashes]).not.toContain(row?.codeHash ?? '');
  });

  it('can be declined, and withdrawn by the member alone', async () => {
    const [first, second] = [
      await invite('mina', 'ben@example.com'),
      await invite('mina', 'eve@example.com'),
    ];
    const pick = ({ data }: Answer['body']) => ({
      careInvitation: { id: data.inviteCarer.careInvitation.id },
    });
    const codes = (await mails('care_invitation')).map(({ values }) => values.code);
    const { data } = await ask('ben', DECLINE, { input: { code: codes[0] } });
    expect(data.declineCareInvitation).toMatchObject(pick(first));
    const input = pick(second).careInvitation;
    expect(errorCode(await ask('eve', WITHDRAW, { input }))).toBe('CARE_INVITATION_NOT_FOUND');
    expect((await ask('mina', WITHDRAW, { input })).data.withdrawCareInvitation).toStrictEqual({
      careInvitation: input,
    });
    for (const given of codes)
      expect(errorCode(await ask('eve', ACCEPT, { input: { code: given } }))).toBe(
        'CARE_CODE_INVALID',
      );
    expect((await ask('mina', '{ careInvitations { id } }')).data.careInvitations).toStrictEqual(
      [],
    );
  });

  it('stops whoever guesses codes after ten wrong ones in an hour, right ones included', async () => {
    await invite('mina', 'ben@example.com');
    const input = { code: (await mails('care_invitation'))[0]?.values.code };
    for (let i = 0; i < 10; i++) {
      expect(errorCode(await ask('ben', ACCEPT, { input: { code: `WRONG${i}` } }))).toBe(
        'CARE_CODE_INVALID',
      );
    }
    expect(errorCode(await ask('ben', ACCEPT, { input }))).toBe('TOO_MANY_REQUESTS');
    const later = Date.now() + 60 * 60 * 1000 + 1000;
    service().at(later);
    expect(errorCode(await ask('ben', ACCEPT, { input }))).toBeUndefined();
  });

  it.each([
    ['accepted', ACCEPT],
    ['declined', DECLINE],
  ])(
    'is %s by a corrected code under the same Idempotency-Key, and a retry is no guess',
    async (_, text) => {
      const [, name = ''] = /\{ (\w+Invitation)\(/.exec(text) ?? [];
      await invite('mina', 'ben@example.com');
      const code = (await mails('care_invitation'))[0]?.values.code;
      const headers = {
        ...(await service().session('subscriber', 'ben')),
        'idempotency-key': 'one',
      };
      const respond = async (given: string | undefined) =>
        (await service().graphql(text, { input: { code: given } }, { headers })).body;
      expect(errorCode(await respond('WRONG'))).toBe('CARE_CODE_INVALID');
      const first = await respond(code);
      expect(first.data?.[name]).toBeTruthy();
      expect(await respond(code)).toStrictEqual(first);
      const { prisma } = service().database;
      await prisma.careRelation.deleteMany({});
      await prisma.careInvitation.deleteMany({});
      expect(errorCode(await respond(code))).toBe('CARE_CODE_INVALID');
      expect(await prisma.auditEvent.count({ where: { action: 'care.code_wrong' } })).toBe(1);
    },
  );

  it('is forgotten a month later, with the address that it went to', async () => {
    await invite('mina', 'ben@example.com');
    const forget = (days: number) =>
      forgetInvitations({ ...service().app.deps, clock: () => Date.now() + days * DAY });
    expect(await forget(29)).toBe(0);
    expect(await forget(31)).toBe(1);
  });

  it('is possible 20 times a day', async () => {
    for (let i = 0; i < 20; i++)
      expect(errorCode(await invite('mina', `carer${i}@example.com`))).toBeUndefined();
    expect(errorCode(await invite('mina', 'another@example.com'))).toBe('CARE_TOO_MANY');
  });

  it('goes five times an hour to one person, from however many accounts, and to others on', async () => {
    service().limit();
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < 7; i++) {
      await service().account('subscriber', `young-${i}`);
      const to = i % 2 ? 'Stranger@example.com' : 'stranger@example.com ';
      codes.push(errorCode(await invite(`young-${i}`, to)));
    }
    const five = Array.from({ length: 5 }, () => undefined);
    expect(codes).toStrictEqual([...five, 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS']);
    expect(errorCode(await invite('young-6', 'another@example.com'))).toBeUndefined();
    const mails = await service().database.prisma.outgoingMail.count();
    expect(mails).toBe(6);
  });

  it('changes the right of somebody who cares already', async () => {
    const id = await relate('mina', 'ben', 'SEE');
    expect(await relate('mina', 'ben', 'EDIT')).toBe(id);
    expect(await rightsOf('ben', await idOf('mina'))).toBe('see answer edit');
  });
});

describe('A relation of care', () => {
  const { service, idOf, ask, rightsOf, relate, actions, contextOf } = useCare();

  it('is changed by the member alone, and ends from either side', async () => {
    const id = await relate('mina', 'ben', 'SEE');
    const mina = await idOf('mina');
    expect(errorCode(await ask('ben', CHANGE, { input: { id, right: 'EDIT' } }))).toBe(
      'CARE_NOT_FOUND',
    );
    expect(
      (await ask('mina', CHANGE, { input: { id, right: 'EDIT' } })).data.changeCareRight
        .careRelation.right,
    ).toBe('EDIT');
    expect(await rightsOf('ben', mina)).toBe('see answer edit');
    expect((await ask('ben', END, { input: { id } })).data.endCare).toStrictEqual({
      deletedCareRelationId: id,
      careRelation: { right: 'EDIT' },
    });
    expect(await rightsOf('ben', mina)).toBe('');
    const again = await relate('mina', 'ben');
    expect(errorCode(await ask('mina', END, { input: { id: again } }))).toBeUndefined();
    expect(await rightsOf('ben', mina)).toBe('');
    expect(await actions('mina')).toStrictEqual([
      'care.end',
      'care.accept',
      'care.invite',
      'care.end',
      'care.change',
      'care.accept',
      'care.invite',
    ]);
  });

  it('looks to strangers as if it did not exist', async () => {
    const id = await relate('mina', 'ben');
    for (const [query, more] of [
      [CHANGE, { right: 'EDIT' }],
      [END, {}],
    ] as const) {
      const foreign = await ask('eve', query, { input: { id, ...more } });
      const unknown = await ask('eve', query, {
        input: { id: globalId('CareRelation', 99999), ...more },
      });
      expect(errorCode(foreign)).toBe('CARE_NOT_FOUND');
      expect(foreign.errors[0].message).toStrictEqual(unknown.errors[0].message);
    }
  });

  it('has its place in the order that the member chooses', async () => {
    const ids = [
      await relate('mina', 'ben'),
      await relate('mina', 'eve'),
      await relate('mina', 'ida'),
    ];
    const foreign = await relate('ben', 'eve');
    const order = [ids[2], ids[0], ids[1]];
    const { data } = await ask('mina', ORDER, { input: { ids: order } });
    expect(data.orderCarers.carers).toStrictEqual(order.map((id) => ({ id })));
    expect((await ask('mina', '{ carers { id } }')).data.carers).toStrictEqual(
      order.map((id) => ({ id })),
    );
    for (const wrong of [
      ids.slice(1),
      [...ids, foreign],
      [ids[0], ids[0], ids[1]],
      [ids[0], ids[1], foreign],
    ]) {
      expect(errorCode(await ask('mina', ORDER, { input: { ids: wrong } }))).toBe(
        'CARE_ORDER_INVALID',
      );
    }
  });

  it('ends with the account of either', async () => {
    await relate('mina', 'ben');
    await relate('ben', 'mina');
    await service().database.prisma.account.delete({ where: { id: await idOf('ben') } });
    expect(await service().database.prisma.careRelation.count()).toBe(0);
    expect(await service().database.prisma.careInvitation.count(), "the member's own stays").toBe(
      1,
    );
  });

  it('is decided by one statement for any number of members', async () => {
    await relate('mina', 'ben');
    const members = [await idOf('mina'), await idOf('ben'), 4711, 4712, 4713];
    const context = await contextOf('ben');
    let rights: ReadonlySet<string>[] = [];
    const count = await service().statements(
      async () => (rights = await careRightsOver(context, members)),
    );
    expect(count).toBe(1);
    expect(rights.map(({ size }) => size)).toStrictEqual([2, 5, 0, 0, 0]);
  });

  it('lists members and carers with the same statements for one and for many', async () => {
    const now = Date.now();
    service().at(now); // who signs in is looked up once a second
    await relate('mina', 'ben');
    const listed = (name: string, query: string) => service().statements(() => ask(name, query));
    const [carers, caredFor] = [
      '{ carers { carer { name } member { name } } }',
      CARED_FOR,
    ] as const;
    const before = [await listed('mina', carers), await listed('ben', caredFor)];
    for (const other of ['eve', 'ida']) await relate('mina', other);
    for (const other of ['eve', 'ida']) await relate(other, 'ben');
    expect([await listed('mina', carers), await listed('ben', caredFor)]).toStrictEqual(before);
  });
});

describe('Whose data a request is about', () => {
  const { idOf, relate, contextOf } = useCare();

  it("is one's own, or of a member over whom one has the right; others and unknown ones are refused alike", async () => {
    await relate('mina', 'ben', 'ANSWER');
    const [mina, eve] = [await idOf('mina'), await idOf('eve')];
    const ben = await contextOf('ben');
    expect(await resolveMember(ben, undefined, 'edit')).toBe(ben.viewer.id);
    expect(await resolveMember(ben, null, 'edit')).toBe(ben.viewer.id);
    expect(await resolveMember(ben, mina, 'answer')).toBe(mina);
    const refusals = await Promise.all(
      [mina, eve, 4711].map((id) => resolveMember(ben, id, 'edit').catch((error: Error) => error)),
    );
    expect(new Set(refusals.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(await resolveMember(ben, 4711, 'see').catch((error) => error.extensions)).toStrictEqual({
      code: 'FORBIDDEN',
    });
    const nobody = ben.as(new Viewer(0, []));
    expect(
      await resolveMember(nobody, mina, 'see').catch((error) => error.extensions),
    ).toStrictEqual({ code: 'UNAUTHENTICATED' });
  });

  it('is anybody for an administrator who makes something for them, unless there is nobody', async () => {
    const admin = await contextOf('admin', 'administrator');
    const mina = await idOf('mina');
    for (const right of ['create', 'message'] as const)
      expect(await resolveMember(admin, mina, right)).toBe(mina);
    for (const right of ['see', 'answer', 'edit'] as const)
      await expect(resolveMember(admin, mina, right)).rejects.toThrow();
    expect(
      await resolveMember(admin, 4711, 'create').catch((error) => error.extensions),
    ).toStrictEqual({ code: 'FORBIDDEN' });
  });
});
