import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { makeAppointment, makeMedicine } from '../../support/factories.js';
import { Failures } from '../../support/failures.js';
import { useService } from '../../support/harness.js';
import { EIGHT, HOUR, MINUTE, type Push, rounds } from './rounds.js';

describe('A reminder whose time has come', () => {
  const service = useService();
  const { deps, logTo, pushes, begin, prefer, round, until, told, states, carer, crowd } =
    rounds(service);

  describe('and that cannot be handed over', () => {
    const failures = new Failures('hand over');
    const refuse = async (condition: string) => {
      await service().database.prisma.$executeRawUnsafe(`
        CREATE OR REPLACE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF ${condition} THEN RAISE 'What is %', NEW.body; END IF; RETURN NEW; END $$`);
      await service().database.prisma.$executeRawUnsafe(
        'CREATE OR REPLACE TRIGGER spoil BEFORE INSERT ON notification FOR EACH ROW EXECUTE ' +
          'FUNCTION spoil()',
      );
    };
    /** The database takes no message for somebody. */
    const lose = (accountId: number) => refuse(`NEW.account_id = ${accountId}`);
    const mend = () =>
      service().database.prisma.$executeRawUnsafe('DROP FUNCTION IF EXISTS spoil CASCADE');
    afterEach(mend);
    const member = async (name: string) => {
      const { id } = await service().database.prisma.account.findFirstOrThrow({
        where: { username: name },
      });
      return id;
    };
    const messages = async () => {
      const rows = await service().database.prisma.notification.findMany({
        include: { account: true },
        orderBy: { id: 'asc' },
      });
      return rows.map(({ account }) => account.username);
    };
    const start = async () => {
      await begin();
      await failures.begin();
      logTo(failures.log);
    };
    /** Sixty members, all with two reminders of that time; one of them cannot be reminded. */
    const spoil = async () => {
      await start();
      await makeMedicine(service());
      await crowd(60, 2);
      await lose(await member('m7'));
      service().at(EIGHT);
    };

    it('holds up nobody else: in the same run all others get theirs, each in one message', async () => {
      await spoil();
      expect(await handOver(deps(), { batch: 25 })).toBe(1 + 59 * 2);
      const told = await messages();
      expect(told).toHaveLength(60);
      expect(new Set(told)).toStrictEqual(
        new Set(
          ['subscriber', ...Array.from({ length: 60 }, (_, i) => `m${i + 1}`)].filter(
            (name) => name !== 'm7',
          ),
        ),
      );
      const states = await service().database.prisma.reminderAlert.findMany({
        where: { accountId: await member('m7') },
      });
      expect(
        states.map(({ state }) => state),
        'it is not marked as sent',
      ).toStrictEqual(['planned', 'planned']);
    });

    it('holds up nobody else however many workers share what is due', async () => {
      await spoil();
      await Promise.all(Array.from({ length: 4 }, () => handOver(deps(), { batch: 15 })));
      const told = await messages();
      expect([told.length, new Set(told).size, told.includes('m7')]).toStrictEqual([60, 60, false]);
    });

    it('is logged by its id alone, and counted', async () => {
      await start();
      await prefer({ lockScreenNames: true });
      await makeMedicine(service());
      await makeMedicine(service(), { name: 'Ibuprofen', startDate: '2026-03-01T08:20:00' });
      await refuse("NEW.body LIKE '%Aspirin%'");
      service().at(EIGHT);
      await round();
      const [row] = await service().database.prisma.reminderAlert.findMany({
        orderBy: { dueAt: 'asc' },
      });
      expect(failures.ids()).toStrictEqual([Number(row?.id)]);
      expect(failures.text).not.toMatch(/Aspirin|What is|subscriber/);
      expect(await failures.counted()).toBe(1);
      await until(EIGHT + 20 * MINUTE);
      expect(told()).toStrictEqual(['08:20 phone: It is time for Ibuprofen.']);
    });

    it('is tried again every minute, and goes out when the cause is mended in time', async () => {
      await start();
      const { id } = await service().account('subscriber');
      await makeMedicine(service());
      await lose(id);
      service().at(EIGHT);
      await round();
      service().at(EIGHT + MINUTE - 1);
      await round();
      expect(failures.ids(), 'not before a minute has passed').toHaveLength(1);
      await until(EIGHT + 28 * MINUTE, MINUTE);
      expect(failures.ids()).toHaveLength(28);
      expect(pushes).toStrictEqual([]);
      await mend();
      service().at(EIGHT + 29 * MINUTE);
      const [late] = (await round()) as [Push];
      expect([late.body, late.ttl]).toStrictEqual(['It is time for your medicine.', 60]);
      expect((await states())[0]).toBe('10T08:00 late');
      await until(EIGHT + 3 * HOUR);
      expect(pushes).toHaveLength(1);
    });

    it('is missed when the cause is not mended in time, which carers are told', async () => {
      await start();
      await carer('anna', 'subscriber');
      await makeMedicine(service());
      await lose((await service().account('subscriber')).id);
      await until(EIGHT + HOUR, MINUTE);
      expect(told()).toStrictEqual([
        '08:31 anna: A reminder could not be sent to The subscriber in time.',
      ]);
      expect((await states())[0]).toBe('10T08:00 missed');
    });

    it('because of a carer does not keep the member from being reminded', async () => {
      await start();
      await carer('anna', 'subscriber');
      await makeMedicine(service());
      await makeMedicine(service(), { name: 'b', startDate: '2026-03-01T10:00:00' });
      await until(EIGHT);
      await lose((await service().account('subscriber', 'anna')).id);
      service().at(EIGHT + 2 * HOUR);
      await round();
      expect(told()).toStrictEqual([
        '08:00 phone: It is time for your medicine.',
        '10:00 phone: It is time for your medicine.',
      ]);
      await until(EIGHT + 2 * HOUR + 29 * MINUTE, MINUTE);
      await mend();
      service().at(EIGHT + 2 * HOUR + 30 * MINUTE);
      await round();
      expect(told().slice(2)).toStrictEqual([
        '10:30 anna: The subscriber has not answered a reminder.',
      ]);
    });

    it('is tried every minute as long as an appointment is to come', async () => {
      await start();
      const { id } = await service().account('subscriber');
      await makeAppointment(service(), { dateTime: '2026-03-10T12:00:00Z', remindBefore: '4h' });
      await lose(id);
      await until(EIGHT + HOUR, MINUTE);
      await mend();
      await until(EIGHT + HOUR + 2 * MINUTE, MINUTE);
      expect(told()).toStrictEqual(['09:01 phone: You have an appointment at 12:00.']);
    });

    it('is tried but once an hour when it is more than half an hour late', async () => {
      await start();
      await carer('anna', 'subscriber');
      await makeMedicine(service());
      await until(EIGHT);
      await lose((await service().account('subscriber', 'anna')).id);
      await until(EIGHT + 2 * HOUR + 30 * MINUTE, MINUTE);
      expect(failures.ids()).toHaveLength(31);
      await until(EIGHT + 8 * HOUR);
      expect(failures.ids()).toHaveLength(31 + 5);
    });
  });
});
