import { readFileSync, writeFileSync } from 'node:fs';
import { verifyAudit } from '../../../src/app/tools/audit.js';
import { RequestContext } from '../../../src/core/context.js';
import { transact } from '../../../src/core/transact.js';
import { eraseAuditKey } from '../../../src/domains/audit/account-key.service.js';
import { auditAccess, recordAudit } from '../../../src/domains/audit/audit.service.js';
import { makeSeal, parseHead } from '../../../src/domains/audit/chain/audit.seal.js';
import { pruneAudit } from '../../../src/domains/audit/chain/pruning.service.js';
import { sealAudit } from '../../../src/domains/audit/chain/sealing.service.js';
import { linesOf } from '../../../src/platform/journal.js';
import { Keys } from '../../../src/platform/keys.js';
import { type Caller, useService } from '../../support/harness.js';

const DAY = 24 * 60 * 60 * 1000;

describe('The audit', () => {
  const service = useService();
  const context = async (as: Caller = 'subscriber', keys?: Keys) => {
    const made = await service().context(as);
    return keys ? new RequestContext({ ...made.deps, keys }, made.input) : made;
  };
  const record = async (count: number, as: Caller = 'subscriber') =>
    transact(await context(as), async (inner) => {
      for (let i = 0; i < count; i++)
        await recordAudit(inner, { action: 'test.event', detail: { i } });
    });
  const seal = async (keys?: Keys) => sealAudit(await context('anonymous', keys));
  const headFile = () => service().app.deps.config.AUDIT_HEAD_FILE;
  async function* heads() {
    for await (const line of linesOf(headFile())) {
      const head = parseHead(line);
      if (head) yield head;
    }
  }
  /** What verification says, a line for each finding; none when the audit is whole. */
  const findings = async (keys?: Keys) => {
    const lines: string[] = [];
    const whole = await verifyAudit(await context('anonymous', keys), heads(), {
      say: (line) => lines.push(line),
      note: () => {},
    });
    const found = lines.slice(0, -1);
    expect(whole).toBe(found.length === 0);
    return found;
  };
  const sql = (text: string) => service().database.prisma.$executeRawUnsafe(text);
  const rows = () => service().database.prisma.auditEvent.findMany({ orderBy: { id: 'asc' } });
  const seals = () => service().database.prisma.auditSeal.findMany({ orderBy: { number: 'asc' } });

  describe('An event', () => {
    it('is written in the transaction of what happened, or not at all', async () => {
      await expect(recordAudit(await context(), { action: 'test.event' })).rejects.toThrow(
        /needs its transaction/,
      );
      const undone = transact(await context(), async (inner) => {
        await recordAudit(inner, { action: 'test.event' });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow(/undone/);
      expect(await rows()).toStrictEqual([]);
    });

    it('keeps its detail encrypted under a key of the subject', async () => {
      await record(1);
      const [row] = await rows();
      expect(row?.detail ?? '').toMatch(/^[\w-]{30,}$/);
      const { wrapped } = await service().database.prisma.accountKey.findFirstOrThrow();
      expect(wrapped ?? '').toMatch(/^[\w-]{60,}$/);
    });

    it('costs one statement without detail, two with one, and two more for the first of an account', async () => {
      const each = async (detail?: { id: number }) => {
        const inner = await context();
        return service().statements(() =>
          transact(inner, (open) =>
            recordAudit(open, { action: 'a.b', ...(detail && { detail }) }),
          ),
        );
      };
      const [first, second, bare] = [await each({ id: 1 }), await each({ id: 1 }), await each()];
      expect([first - second, second - bare, bare]).toStrictEqual([2, 1, 1]);
    });
  });

  describe("Access to somebody else's data", () => {
    it('is written once for each request, member and kind of thing, also when fields ask side by side', async () => {
      const member = (await service().account('subscriber')).id;
      const request = await context('clinician');
      await Promise.all([1, 2, 3].map(() => auditAccess(request, member, 'reminder.read')));
      await auditAccess(request, [member, member], 'reminder.read');
      await auditAccess(request, member, 'dose.read');
      await auditAccess(await context('clinician'), member, 'reminder.read');
      expect((await rows()).map(({ action }) => action).sort()).toStrictEqual([
        'dose.read',
        'reminder.read',
        'reminder.read',
      ]);
    });

    it('is not written for oneself', async () => {
      const member = await context('subscriber');
      await auditAccess(member, member.viewer.id, 'reminder.read');
      expect(await rows()).toStrictEqual([]);
    });

    it('is written with a change, and gone when the change is undone and tried again', async () => {
      const member = (await service().account('subscriber')).id;
      const request = await context('clinician');
      for (const fails of [true, false]) {
        const change = transact(request, async (inner) => {
          await auditAccess(inner, member, 'reminder.write');
          if (fails) throw new Error('undone');
        });
        await change.catch(() => {});
        expect(await rows()).toHaveLength(fails ? 0 : 1);
      }
    });

    it('takes one statement for any number of members', async () => {
      const request = await context('clinician');
      const count = await service().statements(() =>
        auditAccess(request, [101, 102, 103, 104], 'reminder.read'),
      );
      expect(count).toBe(1);
    });

    it('lets other fields of the request read meanwhile', async () => {
      const request = await context('clinician');
      await Promise.all([auditAccess(request, 101, 'reminder.read'), request.db.account.count()]);
    });
  });

  describe('Sealing', () => {
    it('seals what was written, in batches of 1,000, and nothing twice', async () => {
      await record(1);
      await sql(`INSERT INTO audit_event (uid, at, action, key_id, mac)
        SELECT gen_random_uuid(), now(), 'filler', (SELECT key_id FROM audit_event LIMIT 1), 'x' FROM generate_series(1, 1500)`);
      expect(await seal()).toBe(1501);
      expect(await seal()).toBe(0);
      expect((await seals()).map(({ ids }) => ids.length)).toStrictEqual([1000, 501]);
    });

    it('is done once by however many processes', async () => {
      await record(5);
      await Promise.all([seal(), seal(), seal()]);
      expect((await seals()).reduce((sum, { ids }) => sum + ids.length, 0)).toBe(5);
      expect(await findings()).toStrictEqual([]);
    });

    it('goes on beside transactions that commit in any order', async () => {
      await service().account('subscriber');
      const others = Array.from({ length: 8 }, () => record(2));
      await Promise.all([...others, seal(), seal()]);
      await seal();
      expect((await seals()).reduce((sum, { ids }) => sum + ids.length, 0)).toBe(16);
      expect(await findings()).toStrictEqual([]);
    });

    it('takes a row that commits late, with an id below those that are sealed', async () => {
      await sql(`SELECT setval(pg_get_serial_sequence('audit_event', 'id'), 50)`);
      await record(2);
      await seal();
      await sql(`SELECT setval(pg_get_serial_sequence('audit_event', 'id'), 10)`);
      await record(1);
      expect(await seal()).toBe(1);
      expect((await seals()).map(({ ids }) => ids.map(Number))).toStrictEqual([[51, 52], [11]]);
      expect(await findings()).toStrictEqual([]);
    });

    it('exports each head to the log and to a file that only grows', async () => {
      await record(2);
      await seal();
      await record(1);
      await seal();
      await seal();
      const lines = readFileSync(headFile(), 'utf8').trimEnd().split('\n');
      expect(lines.map((line) => line.split(' ').slice(1))).toStrictEqual(
        (await seals()).map(({ number, ids, head }) => [String(number), String(ids.at(-1)), head]),
      );
    });

    it('exports a head that the killed process before did not', async () => {
      await record(2);
      await seal();
      writeFileSync(headFile(), '');
      await seal();
      expect(readFileSync(headFile(), 'utf8')).toMatch(/ 1 2 [\w-]{43}\n$/);
    });

    it('holds no key in the database: another key cannot continue the chain unseen, and nothing is sealed after it', async () => {
      const stranger = new Keys('somebody else'.repeat(4));
      await record(1);
      await seal();
      const [last] = await seals();
      const at = String(Date.now());
      const forged = makeSeal(stranger, {
        number: 2,
        at,
        ids: [],
        digests: [],
        previous: last?.head ?? '',
      });
      const data = { ...forged, at: new Date(Number(at)), ids: [], digests: [] };
      await service().database.prisma.auditSeal.create({ data });
      await record(1);
      expect(await seal()).toBe(0);
      expect((await findings()).join()).toMatch(
        /^seal 2: is under the key [\w-]{8}, which is none of ours/,
      );
    });

    it('leaves rows under a key that it does not know to processes that know it', async () => {
      const [ours, theirs] = [new Keys('t'.repeat(40)), new Keys('n'.repeat(40))];
      await service().account('subscriber');
      const write = async (keys: Keys) =>
        transact(await context('subscriber', keys), (inner) =>
          recordAudit(inner, { action: 'test.event' }),
        );
      for (let i = 0; i < 3; i++) await write(theirs);
      await write(ours);
      expect(await seal()).toBe(1);
      expect((await seals()).map(({ ids }) => ids.map(Number))).toStrictEqual([[4]]);
      expect((await findings())[0] ?? '').toMatch(
        /^row 1: is under the key [\w-]{8}, which is none of ours: it waits$/,
      );
      const both = new Keys('t'.repeat(40), { next: 'n'.repeat(40) });
      expect(await seal(both)).toBe(3);
      expect(await findings(both)).toStrictEqual([]);
    });
  });

  describe('A new SECRET_KEY', () => {
    const [old, middle, young] = ['t', 'u', 'v'].map((letter) => letter.repeat(40)) as [
      string,
      string,
      string,
    ];

    it('leaves what was sealed verifiable, also when it changes twice', async () => {
      await record(3);
      await seal();
      await seal(new Keys(middle, { previous: old }));
      await seal(new Keys(young, { previous: middle }));
      expect((await seals()).map(({ ids }) => ids.length)).toStrictEqual([3, 0, 0]);
      expect(await findings(new Keys(young, { previous: middle }))).toStrictEqual([]);
      expect(await findings(new Keys(young))).toStrictEqual([]);
      await sql(`UPDATE audit_event SET action = 'other' WHERE id = 2`);
      expect(await findings(new Keys(young))).toStrictEqual(['row 2: was edited (seal 1)']);
    });

    it('takes the keys of the accounts along', async () => {
      await record(1);
      await seal(new Keys(middle, { previous: old }));
      await seal(new Keys(young, { previous: middle }));
      const { accountKeysToRead } = await import(
        '../../../src/domains/audit/account-key.service.js'
      );
      const { id } = await service().account('subscriber');
      const [key] = await accountKeysToRead(await context('anonymous', new Keys(young)), [id]);
      expect(key?.length).toBe(32);
    });
  });

  describe('Verification', () => {
    const written = async () => {
      for (let i = 0; i < 4; i++) {
        await record(3);
        await seal();
      }
    };
    /** What somebody does to the database, and what verification must say. */
    const TAMPERINGS: readonly (readonly [string, string, ...RegExp[]])[] = [
      [
        'an edited action',
        `UPDATE audit_event SET action = 'x' WHERE id = 5`,
        /^row 5: was edited \(seal 2\)$/,
      ],
      [
        'an edited time',
        `UPDATE audit_event SET at = at + interval '1 ms' WHERE id = 5`,
        /^row 5: was edited/,
      ],
      [
        'a time out of time',
        `UPDATE audit_event SET at = 'infinity' WHERE id = 5`,
        /^row 5: was edited/,
      ],
      [
        'an edited actor',
        `UPDATE audit_event SET actor_id = 77 WHERE id = 5`,
        /^row 5: was edited/,
      ],
      [
        'an actor left out',
        `UPDATE audit_event SET actor_id = NULL WHERE id = 5`,
        /^row 5: was edited/,
      ],
      [
        'an edited subject',
        `UPDATE audit_event SET subject_id = 77 WHERE id = 5`,
        /^row 5: was edited/,
      ],
      [
        'an edited detail',
        `UPDATE audit_event SET detail = reverse(detail) WHERE id = 5`,
        /^row 5: was edited/,
      ],
      [
        'a detail left out',
        `UPDATE audit_event SET detail = NULL WHERE id = 5`,
        /^row 5: was edited/,
      ],
      ['a new mac', `UPDATE audit_event SET mac = 'x' WHERE id = 5`, /^row 5: was edited/],
      ['a removed row', `DELETE FROM audit_event WHERE id = 5`, /^row 5: was removed \(seal 2\)$/],
      [
        'a removed last row',
        `DELETE FROM audit_event WHERE id = 12`,
        /^row 12: was removed \(seal 4\)$/,
      ],
      [
        'a row put into a seal',
        `INSERT INTO audit_event (uid, at, action, key_id, mac, seal) SELECT gen_random_uuid(), at, action, key_id, mac, seal FROM audit_event WHERE id = 5`,
        /^row 13: was inserted \(seal 2\)$/,
      ],
      [
        'a row put after the seals',
        `INSERT INTO audit_event (uid, at, action, key_id, mac) SELECT gen_random_uuid(), at, action, key_id, mac FROM audit_event WHERE id = 5`,
        /^row 13: was not written by this service/,
      ],
      [
        'a row put into a seal that is not there',
        `INSERT INTO audit_event (uid, at, action, key_id, mac, seal) SELECT gen_random_uuid(), at, action, key_id, mac, 99 FROM audit_event WHERE id = 5`,
        /^row 13: was inserted: its seal is not there \(seal 99\)$/,
      ],
      [
        'a row hidden in a seal below all others',
        `WITH hidden AS (INSERT INTO audit_seal SELECT -1, at, '{13}', '{""}', previous, head, key_id, mac FROM audit_seal WHERE number = 2)
         INSERT INTO audit_event (uid, at, action, key_id, mac, seal) SELECT gen_random_uuid(), at, action, key_id, mac, -1 FROM audit_event WHERE id = 5`,
        /^seal -1: was inserted$/,
        /^row 13: was inserted: its seal is not there/,
      ],
      [
        'rows exchanged within a seal',
        `UPDATE audit_event SET id = CASE id WHEN 4 THEN -5 ELSE -4 END WHERE id IN (4, 5); UPDATE audit_event SET id = -id WHERE id < 0`,
        /^row 4: was reordered: it holds what was sealed as row 5/,
        /^row 5: was reordered/,
      ],
      [
        'rows exchanged between seals',
        `UPDATE audit_event SET seal = CASE id WHEN 4 THEN 3 ELSE 2 END WHERE id IN (4, 7)`,
        /^row 4: was removed \(seal 2\)$/,
        /^row 4: was inserted \(seal 3\)$/,
      ],
      [
        'a row removed from its seal',
        `UPDATE audit_event SET seal = NULL WHERE id = 5`,
        /^row 5: was removed \(seal 2\)$/,
      ],
      [
        'an edited seal',
        `UPDATE audit_seal SET ids = '{4,6}', digests = ARRAY[digests[1], digests[3]] WHERE number = 2; DELETE FROM audit_event WHERE id = 5`,
        /^seal 2: was edited$/,
      ],
      [
        'a removed seal',
        `DELETE FROM audit_seal WHERE number = 2`,
        /^seal 2: was removed$/,
        /^row 5: was inserted: its seal/,
      ],
      [
        'seals exchanged',
        `UPDATE audit_seal SET number = CASE number WHEN 2 THEN -3 ELSE -2 END WHERE number IN (2, 3); UPDATE audit_seal SET number = -number WHERE number < 0`,
        /^seal 2: does not follow/,
      ],
      [
        'a removed seal with its rows',
        `DELETE FROM audit_seal WHERE number = 2; DELETE FROM audit_event WHERE seal = 2`,
        /^seal 2: was removed$/,
      ],
      [
        'removed first seals, with their rows',
        `DELETE FROM audit_seal WHERE number <= 2; DELETE FROM audit_event WHERE seal <= 2`,
        /^seal 1: was removed, and those after it up to 2$/,
      ],
      [
        'a tail cut at a seal',
        `DELETE FROM audit_seal WHERE number > 2; DELETE FROM audit_event WHERE seal > 2`,
        /^seal 3: was exported with rows up to 9, and is gone: the tail was cut$/,
        /^seal 4: .* the tail was cut$/,
      ],
      [
        'all rows and seals removed',
        `DELETE FROM audit_seal; DELETE FROM audit_event`,
        /^seal 1: .* the tail was cut$/,
      ],
      [
        'a checkpoint that nobody signed',
        `DELETE FROM audit_event WHERE seal <= 2; INSERT INTO audit_checkpoint SELECT 2, head, now(), now(), key_id, mac FROM audit_seal WHERE number = 2;
         DELETE FROM audit_seal WHERE number <= 2`,
        /^seal 2: is a checkpoint that was not signed by this service$/,
      ],
    ];

    it('finds nothing where nothing was done', async () => {
      await written();
      await record(2);
      expect(await findings()).toStrictEqual([]);
    });

    for (const [what, tampering, ...expected] of TAMPERINGS) {
      it(`finds ${what}`, async () => {
        await written();
        for (const statement of tampering.split(';')) await sql(statement);
        const found = await findings();
        for (const line of expected)
          expect(
            found.some((given) => line.test(given)),
            `${line} in ${found.join(' | ')}`,
          ).toBe(true);
      });
    }

    it('finds a tail that was cut and grew again', async () => {
      await written();
      await sql('DELETE FROM audit_seal WHERE number > 2');
      await sql('DELETE FROM audit_event WHERE seal > 2');
      await record(3);
      await seal();
      await record(3);
      await seal();
      expect(await findings()).toStrictEqual([
        'seal 3: is not as it was exported',
        'seal 4: is not as it was exported',
      ]);
    });

    it('finds an edit of a row that is not sealed yet, and goes on finding it when it is', async () => {
      await record(2);
      await sql(`UPDATE audit_event SET actor_id = 77 WHERE id = 2`);
      expect(await findings()).toStrictEqual([
        'row 2: was not written by this service, or was edited',
      ]);
      await seal();
      expect(await findings()).toStrictEqual([
        'row 2: was not written by this service when it was sealed (seal 1)',
      ]);
    });

    it('needs no key of an account: the chain is whole after an erasure', async () => {
      await written();
      const { id } = await service().account('subscriber');
      await transact(await context(), (inner) => eraseAuditKey(inner, id));
      expect((await service().database.prisma.accountKey.findFirstOrThrow()).wrapped).toBeNull();
      await record(1);
      expect((await rows()).at(-1)?.detail, 'nothing personal is kept from then on').toBeNull();
      await seal();
      expect(await findings()).toStrictEqual([]);
    });

    it('reads in batches: statements grow by seals, not by rows', async () => {
      await written();
      const few = await service().statements(() => findings());
      await record(300);
      await seal();
      expect((await service().statements(() => findings())) - few).toBe(1);
    });
  });

  describe('Pruning', () => {
    const old = async () => {
      const started = Date.now() - 10 * DAY;
      for (let day = 0; day < 5; day++) {
        service().at(started + day * DAY);
        await record(2);
        await seal();
      }
      service().at(started + 10 * DAY);
      return (day: number) => new Date(started + day * DAY + 1000);
    };
    const prune = async (before: Date) => pruneAudit(await context('anonymous'), before);

    it('deletes what was sealed before a day and leaves a whole audit', async () => {
      const later = await old();
      expect(await prune(later(2))).toBe(6);
      expect((await seals()).map(({ number }) => number)).toStrictEqual([4, 5]);
      expect(await findings()).toStrictEqual([]);
      await seal();
      expect(await findings()).toStrictEqual([]);
      const last = (await rows()).at(-1);
      expect([last?.action, last?.subjectId], 'pruning is an event itself').toStrictEqual([
        'audit.prune',
        null,
      ]);
    });

    it('keeps the last seal, and the last day', async () => {
      const later = await old();
      expect(await prune(later(8))).toBe(8);
      expect(await seals()).toHaveLength(1);
      await expect(prune(later(10))).rejects.toThrow(/24 hours/);
    });

    it('is found when rows that went are put back, or more rows go', async () => {
      const later = await old();
      const [first] = await rows();
      await prune(later(2));
      await service().database.prisma.auditEvent.create({
        data: { ...(first as object), seal: null } as never,
      });
      expect((await findings()).join()).toMatch(
        /^row 1: was inserted: it is older than what was pruned$/,
      );
      await sql('DELETE FROM audit_event WHERE id = 1');
      await sql('DELETE FROM audit_seal WHERE number = 4');
      await sql('DELETE FROM audit_event WHERE seal = 4');
      expect((await findings()).join()).toMatch(/seal 4: was removed/);
    });

    it('holds when the key changes twice afterwards', async () => {
      const later = await old();
      await prune(later(2));
      const [old1, middle, young] = ['t', 'u', 'v'].map((letter) => letter.repeat(40)) as [
        string,
        string,
        string,
      ];
      await seal(new Keys(middle, { previous: old1 }));
      await seal(new Keys(young, { previous: middle }));
      expect(await findings(new Keys(young))).toStrictEqual([]);
    });
  });
});
