import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { type AuditRow, digestOf, signRow } from '../../../src/domains/audit/audit.row.js';
import {
  type Head,
  headOf,
  makeSeal,
  type Seal,
} from '../../../src/domains/audit/chain/audit.seal.js';
import {
  type AuditSource,
  type Finding,
  verify,
} from '../../../src/domains/audit/chain/verification.js';
import { databaseSource } from '../../../src/domains/audit/chain/verification.service.js';
import { Keys } from '../../../src/platform/keys.js';
import { useService } from '../../support/harness.js';

type Row = AuditRow & { readonly seal: number | null };

/** An audit as a database may hold it. */
interface State {
  rows: Row[];
  seals: Seal[];
}

const keys = new Keys('t'.repeat(40));
const START = Date.parse('2026-03-01T00:00:00Z');
const ACTIONS = ['session.start', 'reminder.read', 'care.change'];
const SIZES = [7, 1, 12, 3, 9, 0, 5, 8];

/**
 * A whole audit of 45 rows in 8 seals, and 4 rows that wait; ids have gaps, and some committed
 * late.
 */
function whole(): State & { heads: Head[] } {
  const rows: Row[] = [];
  const seals: Seal[] = [];
  const heads: Head[] = [];
  let previous = '';
  const make = (seal: number | null): Row => {
    const count = rows.length;
    const id = String(count % 11 === 3 ? count * 2 - 9 : count * 2 + 1000);
    const content = {
      uid: randomUUID(),
      at: String(START + count * 1000),
      actorId: count % 5,
      subjectId: count % 4 || null,
      action: ACTIONS[count % 3] as string,
      detail: count % 2 ? `secret${count}` : null,
    };
    const row = { id, ...content, ...signRow(keys, content), seal };
    rows.push(row);
    return row;
  };
  for (const [i, size] of SIZES.entries()) {
    const number = i + 1;
    const members = Array.from({ length: size }, () => make(number)).sort(byId);
    const ids = members.map(({ id }) => id);
    const seal = makeSeal(keys, {
      number,
      at: String(START + i * 30_000),
      ids,
      digests: members.map(digestOf),
      previous,
    });
    seals.push(seal);
    heads.push({ number, row: ids.at(-1) ?? '0', head: seal.head });
    previous = seal.head;
  }
  for (let i = 0; i < 4; i++) make(null);
  return { rows, seals, heads };
}

const byId = (a: { id: string }, b: { id: string }) => Number(a.id) - Number(b.id);

async function* stream<T>(list: readonly T[]): AsyncGenerator<T> {
  yield* list;
}

/** What the queries of the database answer, of rows in memory. */
function memorySource({ rows, seals }: State): AuditSource {
  const numbers = new Set(seals.map(({ number }) => number));
  const sorted = [...rows].sort(byId);
  const copied = ({ id, uid }: Row) => rows.some((other) => other.uid === uid && other.id !== id);
  return {
    checkpoint: async () => undefined,
    seals: () => stream([...seals].sort((a, b) => a.number - b.number)),
    heads: async () => new Map(seals.map(({ number, head }) => [number, head])),
    rows: (seal) => stream(sorted.filter((row) => row.seal === seal)),
    loose: () =>
      stream(
        sorted.filter(({ seal }) => seal === null).map((row) => ({ ...row, copied: copied(row) })),
      ),
    stray: (pruned) =>
      stream(
        sorted.flatMap(({ id, seal }) =>
          seal !== null && (seal <= pruned || !numbers.has(seal)) ? [{ id, seal }] : [],
        ),
      ),
  };
}

async function findingsOf(source: AuditSource, heads: readonly Head[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of verify(source, keys, heads)) findings.push(finding);
  return findings;
}

/**
 * A change of the database by somebody without the keys; `rows` are the ids that a finding must
 * name, if one must.
 */
interface Tampering {
  readonly what: string;
  apply(state: State): { rows?: string[] };
}

const SEALED = SIZES.reduce((sum, size) => sum + size, 0);
const anyRow = fc.nat(SEALED + 3);
const sealedRow = fc.nat(SEALED - 1);
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

const EDITS: Readonly<Record<string, (row: Row, seed: number) => Partial<Row>>> = {
  uid: () => ({ uid: randomUUID() }),
  at: ({ at }, seed) => ({ at: String(Number(at) + (seed % 100_000) + 1) }),
  actorId: ({ actorId }, seed) => ({ actorId: (actorId ?? 0) + (seed % 50) + 1 }),
  noActor: () => ({ actorId: null }),
  subjectId: ({ subjectId }, seed) => ({ subjectId: (subjectId ?? 0) + (seed % 50) + 1 }),
  action: ({ action }, seed) => ({ action: `${action}${seed}` }),
  detail: ({ detail }, seed) => ({ detail: `${detail ?? ''}${seed}` }),
  mac: ({ mac }) => ({ mac: `${[...mac].reverse().join('')}-` }),
  keyId: ({ keyId }) => ({ keyId: `${keyId}x` }),
};

const edit = fc
  .record({ index: anyRow, column: fc.constantFrom(...Object.keys(EDITS)), seed: fc.nat() })
  .map(
    ({ index, column, seed }): Tampering => ({
      what: `edit of ${column}`,
      apply(state) {
        const row = at(state.rows, index);
        state.rows[index] = { ...row, ...EDITS[column]?.(row, seed) };
        return { rows: [row.id] };
      },
    }),
  );

const remove = fc.uniqueArray(sealedRow, { minLength: 1, maxLength: 10 }).map(
  (indexes): Tampering => ({
    what: 'removal',
    apply(state) {
      const gone = indexes.map((index) => at(state.rows, index).id);
      state.rows = state.rows.filter(({ id }) => !gone.includes(id));
      return { rows: gone };
    },
  }),
);

const insert = fc
  .record({
    like: anyRow,
    id: fc.integer({ min: 5_000, max: 9_999 }),
    copy: fc.boolean(),
    seal: fc.option(fc.integer({ min: -2, max: 12 })),
  })
  .map(
    ({ like, id, copy, seal }): Tampering => ({
      what: copy ? 'insertion of a copy' : 'insertion',
      apply(state) {
        state.rows.push({
          ...at(state.rows, like),
          id: String(id),
          seal,
          ...(!copy && { uid: randomUUID() }),
        });
        return { rows: [String(id)] };
      },
    }),
  );

const reorder = fc
  .record({
    pair: fc.uniqueArray(sealedRow, { minLength: 2, maxLength: 2 }),
    part: fc.constantFrom('id', 'seal', 'at', 'content'),
  })
  .map(
    ({ pair, part }): Tampering => ({
      what: `reordering by ${part}`,
      apply(state) {
        const [i, j] = pair as [number, number];
        const [a, b] = [at(state.rows, i), at(state.rows, j)];
        const same = part === 'seal' && a.seal === b.seal;
        const by = same ? 'id' : part;
        const exchange = (row: Row, other: Row): Row =>
          by === 'content'
            ? { ...other, id: row.id, seal: row.seal }
            : { ...row, [by]: other[by as keyof Row] };
        [state.rows[i], state.rows[j]] = [exchange(a, b), exchange(b, a)];
        return { rows: [a.id, b.id] };
      },
    }),
  );

const cut = fc.integer({ min: 1, max: SEALED }).map(
  (count): Tampering => ({
    what: 'cut tail',
    apply(state) {
      // The last rows, the seals that are empty then, and what would tell in the seal that is not.
      const left = state.rows.filter(({ seal }) => seal !== null).slice(0, SEALED - count);
      const last = left.at(-1)?.seal ?? 0;
      const cutInside =
        state.rows.filter(({ seal }) => seal === last).length >
        left.filter(({ seal }) => seal === last).length;
      state.rows = left;
      state.seals = state.seals.filter(({ number }) => number <= last);
      if (cutInside) reseal(state, last, left);
      return {};
    },
  }),
);

/**
 * Makes a seal fit the rows again, and those after it fit it, as far as one can without the key.
 */
function reseal(state: State, number: number, rows: readonly Row[]): void {
  const members = rows.filter(({ seal }) => seal === number).sort(byId);
  let previous = state.seals.find((seal) => seal.number === number - 1)?.head ?? '';
  state.seals = state.seals.map((seal) => {
    if (seal.number < number) return seal;
    const own =
      seal.number === number
        ? { ids: members.map(({ id }) => id), digests: members.map(digestOf) }
        : {};
    const made = { ...seal, ...own, previous };
    previous = headOf(made);
    return { ...made, head: previous };
  });
}

const forge = fc.record({ index: sealedRow, seed: fc.nat() }).map(
  ({ index, seed }): Tampering => ({
    what: 'edit with new hashes all the way',
    apply(state) {
      const row = at(state.rows, index);
      state.rows[index] = { ...row, actorId: (row.actorId ?? 0) + (seed % 50) + 1 };
      reseal(state, row.seal as number, state.rows);
      return {};
    },
  }),
);

const sealEdit = fc
  .record({
    index: fc.nat(SIZES.length - 1),
    column: fc.constantFrom('at', 'previous', 'head', 'mac', 'keyId', 'number'),
  })
  .map(
    ({ index, column }): Tampering => ({
      what: `edit of a seal's ${column}`,
      apply(state) {
        const seal = at(state.seals, index);
        const value =
          column === 'number'
            ? seal.number + 100
            : column === 'at'
              ? String(Number(seal.at) + 1)
              : 'x'.repeat(43);
        state.seals[index] = { ...seal, [column]: value };
        return {};
      },
    }),
  );

const TAMPERING = fc.oneof(edit, remove, insert, reorder, cut, forge, sealEdit);

function tamper(tampering: Tampering) {
  const { heads, ...state } = whole();
  const before = JSON.stringify(state);
  const { rows = [] } = tampering.apply(state);
  expect(JSON.stringify(state), 'a tampering that changes nothing proves nothing').not.toBe(before);
  // Only a cut tail needs a head that was exported: everything else must be found without.
  return { state, heads: tampering.what === 'cut tail' ? heads : [], rows };
}

function assertFound(findings: readonly Finding[], rows: readonly string[], what: string): void {
  expect(findings.length, `${what} was not found`).toBeGreaterThan(0);
  for (const id of rows)
    expect(
      findings.some(({ row }) => row === id),
      `${what}: row ${id} was not named`,
    ).toBe(true);
}

describe('Tampering with the audit', () => {
  const service = useService();

  it('is not found where there was none', async () => {
    const { heads, ...state } = whole();
    expect(await findingsOf(memorySource(state), heads)).toStrictEqual([]);
  });

  it('is found, every one of 1,000 edits, removals, insertions, reorderings and cut tails, and the rows are named', async () => {
    const property = fc.asyncProperty(TAMPERING, async (tampering) => {
      const { state, heads, rows } = tamper(tampering);
      assertFound(await findingsOf(memorySource(state), heads), rows, tampering.what);
    });
    await fc.assert(property, { numRuns: 1_000 });
  });

  it('is found in the database as it is in memory', async () => {
    const { prisma } = service().database;
    const source = databaseSource(await service().context());
    const property = fc.asyncProperty(TAMPERING, async (tampering) => {
      const { state, heads, rows } = tamper(tampering);
      await prisma.$executeRawUnsafe('TRUNCATE audit_event, audit_seal');
      // Who can write rows can do that
      await prisma.$executeRawUnsafe('DROP INDEX IF EXISTS audit_event_uid_key');
      const data = state.rows.map((row) => ({
        ...row,
        id: BigInt(row.id),
        at: new Date(Number(row.at)),
      }));
      await prisma.auditEvent.createMany({ data });
      const seals = state.seals.map((seal) => ({
        ...seal,
        at: new Date(Number(seal.at)),
        ids: seal.ids.map(BigInt),
        digests: [...seal.digests],
      }));
      await prisma.auditSeal.createMany({ data: seals });
      assertFound(await findingsOf(source, heads), rows, tampering.what);
    });
    try {
      await fc.assert(property, { numRuns: 50 });
    } finally {
      await prisma.$executeRawUnsafe('TRUNCATE audit_event, audit_seal');
      await prisma.$executeRawUnsafe('CREATE UNIQUE INDEX audit_event_uid_key ON audit_event(uid)');
    }
  });
});
