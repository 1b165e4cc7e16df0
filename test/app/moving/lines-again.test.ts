import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importLines } from '../../../src/app/moving/ndjson/ndjson-import.service.js';
import { NdjsonSource } from '../../../src/app/moving/ndjson/ndjson-source.js';
import { useService } from '../../support/harness.js';

const AT = '2026-02-03T04:05:06.789Z';
const LATER = '2026-02-04T04:05:06.000Z';
type Parts = Readonly<Record<string, unknown>>;

const account = (id: number, parts: Parts) => ({
  ...{ kind: 'account', id, username: `u${id}`, signsInByEmail: false, name: 'U', slug: `u${id}` },
  ...{ url: '', description: '', roles: ['subscriber'], language: 'en', createdAt: AT },
  ...{ remindersStopped: false, version: 0, applicationPasswords: [], identities: [], ...parts },
});
const identity = (id: number, subject: string) => ({
  ...{ id, issuer: 'https://id.example', subject, createdAt: AT, usedAt: AT },
});
const preference = { lockScreenNames: false, renotifyTimes: 0, missedToCarers: true, version: 0 };
const setting = { usualTimes: [], dayTimes: [], feedTitles: false, feedAlarms: false, version: 0 };
const medicine = (id: number, parts: Parts) => ({
  ...{ kind: 'medicine', id, accountId: 1, creatorId: 1, name: 'Salt', description: '' },
  ...{ scheduled: true, recognized: true, follows: false, zone: 'UTC', zoneSource: 'site' },
  ...{ startLocal: '2026-02-03T09:00:00', times: ['09:00'], timesSource: 'usual', leadSeconds: 0 },
  ...{ withheld: [], reading: 1, createdAt: AT, updatedAt: AT, version: 0, pastPlans: [] },
  ...{ pauses: [], amounts: [], packs: [], ...parts },
});
const pause = (id: number, fromAt: string) => ({ id, fromAt, madeById: 1, createdAt: AT });
const amount = (id: number, value: string) => ({
  ...{ id, startsOn: '2026-02-03', amount: value, weekdays: [] },
});
const stock = (value: string) => ({
  ...{ amount: value, unit: 'tablet', isCertain: true, noticeDays: 7, countedAt: AT, version: 0 },
});
const pack = (id: number, expiresOn: string) => ({ id, amount: '10', expiresOn });
const report = (parts: Parts) => ({
  ...{ kind: 'savedReport', id: 1, accountId: 1, name: 'R', query: 'q', variables: '{}' },
  ...{ isShared: false, modifiedAt: AT, version: 0, unsubscriptions: [], ...parts },
});
const mailing = (parts: Parts) => ({
  ...{ kind: 'reportMailing', id: 1, reportId: 1, every: 'day', day: 1, hour: 8 },
  ...{ nextOn: '2026-02-03', dueAt: AT, recipients: [], ...parts },
});

describe('Lines that are imported again', () => {
  const service = useService();
  const folder = mkdtempSync(join(tmpdir(), 'care-lines-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function run(lines: readonly object[], { overwrite = false, check = false } = {}) {
    const file = join(folder, 'care.ndjson');
    const all = [
      { kind: 'care-export', version: 1, lastIds: {} },
      ...lines,
      { kind: 'end', lines: lines.length },
    ];
    writeFileSync(file, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const source = await NdjsonSource.open(file);
    const how = { check, overwrite, progress: () => {} };
    return importLines(source, service().app.deps, how);
  }
  /** What is written once, in order. */
  const query = async (text: string) =>
    (await service().database.query<{ one: unknown }>(text)).map(({ one }) => one);
  const subjects = () => query('SELECT subject AS one FROM identity ORDER BY subject');
  const pauses = () => query('SELECT from_at AS one FROM reminder_pause ORDER BY from_at');
  const packs = () => query('SELECT expires_on AS one FROM medicine_pack ORDER BY expires_on');
  const stocks = () => query('SELECT amount::text AS one FROM medicine_stock');
  const amounts = () => query('SELECT amount::text AS one FROM dose_amount ORDER BY id');
  const recipients = () =>
    query('SELECT account_id AS one FROM report_mailing_recipient ORDER BY account_id');
  const unsubscribed = () =>
    query('SELECT account_id AS one FROM report_unsubscription ORDER BY account_id');

  const first = [
    account(1, {
      identities: [identity(1, 'kept'), identity(2, 'gone'), identity(3, 'unlinked')],
      notificationPreference: preference,
      careSetting: setting,
    }),
    ...[2, 3, 4].map((id) => account(id, {})),
    medicine(1, {
      pauses: [pause(1, AT)],
      amounts: [amount(1, '1')],
      stock: stock('10'),
      packs: [pack(1, '2027-01-01')],
    }),
    medicine(2, { amounts: [amount(2, '1')], stock: stock('10') }),
    report({ unsubscriptions: [{ accountId: 2, at: AT }] }),
    mailing({ recipients: [{ id: 1, accountId: 2 }] }),
  ];
  /** The same with a change of each line, and of parts. */
  const second = [
    account(1, {
      description: 'new',
      identities: [identity(1, 'kept'), identity(3, 'unlinked'), identity(4, 'new')],
      notificationPreference: { ...preference, renotifyTimes: 2 },
      careSetting: { ...setting, feedTitles: true },
    }),
    ...[2, 3, 4].map((id) => account(id, {})),
    medicine(1, {
      description: 'new',
      pauses: [pause(2, LATER)],
      amounts: [amount(1, '2')],
      stock: stock('20'),
      packs: [pack(2, '2027-03-01')],
    }),
    medicine(2, { description: 'new', amounts: [amount(3, '3')], stock: stock('30') }),
    report({ name: 'new', unsubscriptions: [] }),
    mailing({ hour: 9, recipients: [{ id: 2, accountId: 3 }] }),
  ];

  /** What people do here between two imports. */
  async function workHere(): Promise<void> {
    const { prisma } = service().database;
    const now = new Date();
    const seen = { accountId: 1, issuer: 'https://id.example', createdAt: now, usedAt: now };
    await prisma.identity.create({ data: { ...seen, subject: 'ours' } });
    await prisma.identity.deleteMany({ where: { subject: 'unlinked' } });
    await prisma.notificationPreference.update({
      where: { accountId: 1 },
      data: { lockScreenNames: true },
    });
    await prisma.careSetting.update({ where: { accountId: 1 }, data: { feedHash: 'h' } });
    const paused = { reminderId: 1, madeById: 1, createdAt: now };
    await prisma.reminderPause.create({ data: { ...paused, fromAt: now } });
    await prisma.medicineStock.update({ where: { reminderId: 1 }, data: { amount: '7' } });
    await prisma.medicinePack.create({
      data: { reminderId: 1, amount: '5', expiresOn: '2027-02-01' },
    });
    await prisma.doseAmount.updateMany({ where: { reminderId: 1 }, data: { amount: '0.5' } });
    await prisma.reportUnsubscription.create({ data: { reportId: 1, accountId: 4, at: now } });
    await prisma.reportMailingRecipient.create({ data: { mailingId: 1, accountId: 4 } });
  }

  it('keep what was made here, and bring and remove what is of the source alone', async () => {
    const done = await run(first);
    expect([...done.reasons.keys()]).toStrictEqual([]);
    await workHere();
    const [made] = (await pauses()).slice(-1);
    const again = await run(second);
    expect([...again.reasons.keys()]).toStrictEqual([]);
    expect(again.tally('medicine').changed).toBe(2);
    expect(await subjects()).toStrictEqual(['kept', 'new', 'ours']);
    expect(await pauses()).toStrictEqual([new Date(LATER), made]);
    expect(await packs()).toStrictEqual(['2027-02-01', '2027-03-01']);
    expect(await stocks()).toStrictEqual(['7', '30']);
    expect(await amounts()).toStrictEqual(['0.5', '3']);
    expect(await recipients()).toStrictEqual([3, 4]);
    expect(await unsubscribed()).toStrictEqual([4]);
    const { prisma } = service().database;
    const [{ lockScreenNames, renotifyTimes } = {}] =
      await prisma.notificationPreference.findMany();
    expect([lockScreenNames, renotifyTimes]).toStrictEqual([true, 0]);
    expect((await prisma.careSetting.findMany()).map((one) => one.feedHash)).toStrictEqual(['h']);
  });

  it('bring what is of the source with --overwrite, and keep what was made here beside it', async () => {
    await run(first);
    await workHere();
    const [made] = (await pauses()).slice(-1);
    await run(second, { overwrite: true });
    expect(await subjects()).toStrictEqual(['kept', 'new', 'ours', 'unlinked']);
    expect(await pauses()).toStrictEqual([new Date(LATER), made]);
    expect(await stocks()).toStrictEqual(['20', '30']);
    expect(await amounts()).toStrictEqual(['2', '3']);
    expect(await packs()).toStrictEqual(['2027-02-01', '2027-03-01']);
  });

  it('keep what was made here since an import by version 0.1.0, which noted no parts', async () => {
    await run(first);
    await service().database.query("DELETE FROM imported_row WHERE kind LIKE '%.%'");
    await service().database.query(
      "UPDATE imported_row SET source_digest = split_part(source_digest, '@', 1)",
    );
    await workHere();
    const [made] = (await pauses()).slice(-1);
    await run(second);
    expect(await subjects()).toStrictEqual(['kept', 'new', 'ours', 'unlinked']);
    expect(await pauses()).toStrictEqual([new Date(LATER), made]);
    expect(await packs()).toStrictEqual(['2027-01-01', '2027-02-01', '2027-03-01']);
    expect(await recipients()).toStrictEqual([2, 3, 4]);
    expect(await unsubscribed()).toStrictEqual([4]);
    expect(await amounts()).toStrictEqual(['2', '3']);
  });

  it('are refused one by one that have a day that does not exist, or what no index holds', async () => {
    const lines = [
      account(1, { createdAt: '2026-99-99T00:00:00Z' }),
      account(2, { slug: randomBytes(4_500).toString('hex') }),
      account(3, {}),
      {
        kind: 'answer',
        pollId: 1,
        accountId: 3,
        optionIds: [],
        submittedAt: '2026-02-30T00:00:00Z',
      },
      {
        kind: 'answer',
        pollId: 1,
        accountId: 3,
        optionIds: [],
        submittedAt: '2026-99-30T00:00:00Z',
      },
    ];
    const checked = await run(lines, { check: true });
    expect([checked.tally('account').refused, checked.tally('answer').refused]).toStrictEqual([
      1, 2,
    ]);
    const { remarks } = await run(lines);
    expect(remarks.map(({ at, reason }) => `${at}: ${reason}`)).toStrictEqual([
      'account 1: its fields do not fit: createdAt must match format "instant"',
      'account 2: a text of it is too long for an index of the database (2,704 bytes)',
      'answer 1 3: its fields do not fit: submittedAt must match format "instant"',
      'answer 1 3: its fields do not fit: submittedAt must match format "instant"',
    ]);
  });

  it('are written once more after a deadlock or another conflict, and not for ever', async () => {
    const fail = (state: string, times: number) =>
      service().database.prisma.$transaction([
        ...[
          'CREATE SEQUENCE attempt',
          `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF nextval('attempt') <= ${times} THEN RAISE 'x' USING ERRCODE = '${state}'; END IF;
            RETURN NULL; END $$`,
          'CREATE TRIGGER fail AFTER INSERT ON account EXECUTE FUNCTION fail()',
        ].map((text) => service().database.prisma.$executeRawUnsafe(text)),
      ]);
    const mend = async () => {
      await service().database.query('DROP TRIGGER fail ON account');
      await service().database.query('DROP FUNCTION fail');
      await service().database.query('DROP SEQUENCE attempt');
    };
    for (const [i, state] of ['40P01', '40001', '55P03'].entries()) {
      await fail(state, 2);
      const report = await run([account(i + 1, {}), account(i + 11, {})]).finally(mend);
      expect(report.tally('account').imported).toBe(2);
    }
    await fail('40P01', 1_000);
    await expect(run([account(20, {})]).finally(mend)).rejects.toThrow();
  });
});
