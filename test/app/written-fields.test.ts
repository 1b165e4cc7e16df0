// What is accepted is kept: every field of every input that creates or changes something is written
// with different values and read again, or has a reason in the table not to be.
import type { GraphQLInputObjectType } from 'graphql';
import { globalId } from '../../src/core/node.js';
import { type By, type Caller, mutation, useService } from '../support/harness.js';
import { emptiesOf, faultOfEmpty, readField } from './written-fields/empties.js';
import { Run } from './written-fields/run.js';
import { RUNS, type Shown, UNREAD, WRITERS } from './written-fields/samples.js';
import { SECOND_CALLS } from './written-fields/second-calls.js';
import { namesIn, roundsOf, shows } from './written-fields/values.js';
import { keepingSite, World } from './written-fields/world.js';
import {
  headOf,
  lineOf,
  nestedIn,
  outputOf,
  readAt,
  type Writing,
  writingsOf,
} from './written-fields/writing.js';

/** What was found out about the fields of all inputs. */
class Findings {
  /** The first fault of a field, or of an input. */
  readonly faults = new Map<string, string>();
  /** The values that were read as they were sent, by field. */
  readonly kept = new Map<string, Set<string>>();
  /** How often an input that was sent nothing in a field was accepted. */
  readonly accepted = new Map<string, number>();
  /** The fields of inputs inside inputs that were read so. */
  readonly inner = new Set<string>();

  fault(at: string, text: string): void {
    if (!this.faults.has(at)) this.faults.set(at, `${at} ${text}`);
  }

  /** Compares what was read of a row with what was sent. */
  compare(run: Run, samples: ReadonlyMap<string, Shown>, row: Record<string, unknown>): void {
    for (const { name, path, type } of run.read) {
      const at = `${run.writing.input.name}.${name}`;
      const { sent, shown } = samples.get(name) as Shown;
      const read = readAt(row?.[name], path.split('.').map(headOf).slice(1));
      if (shows(read, shown)) {
        for (const one of namesIn(type, sent)) this.inner.add(one);
        this.kept.set(at, (this.kept.get(at) ?? new Set()).add(JSON.stringify(sent)));
      } else this.fault(at, `was sent ${JSON.stringify(sent)}, reads ${JSON.stringify(read)}`);
    }
  }

  /** Asks of every field of an input that it was read, or has a reason not to be. */
  judge(writing: Writing): void {
    const { input } = writing;
    for (const field of Object.values(input.getFields())) {
      const at = `${input.name}.${field.name}`;
      if (lineOf(UNREAD, writing, field.name)) continue;
      if (!outputOf(writing, field)) this.fault(at, 'is shown nowhere');
      else if (!this.faults.has(input.name) && (this.kept.get(at)?.size ?? 0) < 2)
        this.fault(at, 'is not written with two values');
    }
    for (const name of nestedIn(input)) if (!this.inner.has(name)) this.fault(name, 'is not read');
  }
}

/** What an autosave accepts, and where its draft and its autosave show it. */
const TYPED: Readonly<Record<string, string>> = {
  title: 'titleSource',
  content: 'contentSource',
  excerpt: 'excerptSource',
  footnotes: 'footnotes',
};

describe('Every input that creates or changes something', () => {
  const service = useService();

  const signedIn = async (as: Caller) => {
    if (as === 'anonymous') return { by: 'anonymous' as By, id: '' };
    const { id } = await service().account(as);
    return { by: { headers: await service().session(as) } as By, id: globalId('Account', id) };
  };

  interface Variant {
    readonly left: readonly string[];
    readonly creating: Writing | undefined;
  }

  /** A run of an input without some fields in an empty database, with the row that it changes. */
  async function runOf(writing: Writing, { left, creating }: Variant) {
    await service().clean();
    service().at('2026-03-01T08:00:00Z');
    const administrator = await signedIn('administrator');
    const world = new World(service(), administrator.by, administrator.id);
    const { by } = await signedIn(WRITERS[writing.noun] ?? 'administrator');
    const run = new Run(world, writing, left, by);
    if (run.read.length === 0) return undefined;
    const changes = writing.isChange && 'id' in writing.input.getFields() && creating;
    const made = changes ? await new Run(world, changes, left, by).write(1) : undefined;
    return { run, own: made ? { id: made.row.writtenId } : {} };
  }

  /** Writes all rounds of an input without some fields. */
  async function write(findings: Findings, writing: Writing, variant: Variant): Promise<void> {
    const made = await runOf(writing, variant);
    if (!made) return;
    const { run, own } = made;
    for (let round = 0; round < roundsOf(writing, run.fields); round++) {
      const { samples, row } = await run.write(round, own);
      findings.compare(run, samples, row);
    }
  }

  it('keeps every field that it accepts, or says why it is not read again', async () => {
    const writings = writingsOf(service().app.schema);
    const findings = new Findings();
    await keepingSite(service(), async () => {
      for (const writing of writings) {
        const { input, noun } = writing;
        const creating = writings.find((one) => one.noun === noun && !one.isChange);
        for (const left of RUNS[noun] ?? [[]])
          await write(findings, writing, { left, creating }).catch((error: Error) =>
            findings.fault(input.name, error.message.slice(0, 400)),
          );
        findings.judge(writing);
      }
    });
    expect([...findings.faults.values()]).toStrictEqual([]);
    expect(findings.kept.size).toBeGreaterThan(280);
  });

  /** Sends nothing to each field of an input that changes a row, one field at a time. */
  async function empty(findings: Findings, writing: Writing, variant: Variant): Promise<void> {
    const made = await runOf(writing, variant);
    if (!made) return;
    const { run, own } = made;
    const { name, input } = writing;
    const fields = run.read.filter((field) => !(field.name in own));
    const accepted = () => findings.accepted.get(input.name) ?? 0;
    let written = await run.write(0, own);
    for (const field of fields)
      for (const sent of emptiesOf(field.type)) {
        findings.accepted.set(input.name, accepted());
        const { samples, row } = written;
        const naming = ['userId', 'memberId'].flatMap((key) =>
          samples.has(key) ? [[key, samples.get(key)?.sent]] : [],
        );
        const base: Record<string, unknown> = { ...own, ...Object.fromEntries(naming) };
        const before = await readField(run, field, row, base);
        const change = {
          ...base,
          ...(await run.version(base.id, base.memberId)),
          [field.name]: sent,
        };
        const { body } = await service().graphql(
          mutation(name, '__typename'),
          { input: change },
          run.by as object,
        );
        if (body.errors) continue;
        findings.accepted.set(input.name, accepted() + 1);
        const after = await readField(run, field, row, base);
        if (JSON.stringify(after) !== JSON.stringify(before)) written = await run.write(0, own);
        const fault = faultOfEmpty(writing, field, { sent, before, after });
        if (fault) findings.fault(`${input.name}.${field.name}`, fault);
      }
  }

  it('stores or refuses null, an empty text and an empty list, as it says', async () => {
    const writings = writingsOf(service().app.schema);
    const findings = new Findings();
    await keepingSite(service(), async () => {
      for (const writing of writings.filter(({ isChange }) => isChange)) {
        const { input, noun } = writing;
        const creating = writings.find((one) => one.noun === noun && !one.isChange);
        for (const left of RUNS[noun] ?? [[]])
          await empty(findings, writing, { left, creating }).catch((error: Error) =>
            findings.fault(input.name, error.message.slice(0, 400)),
          );
      }
    });
    expect([...findings.faults.values()]).toStrictEqual([]);
    const refused = [...findings.accepted].flatMap(([name, times]) => (times === 0 ? [name] : []));
    expect(refused).toStrictEqual([]);
    expect(findings.accepted.size).toBeGreaterThan(20);
  });

  it.each([
    ['Post', 'post'],
    ['Page', 'page'],
    ['HealthcareItem', 'healthcareItem'],
  ])('keeps all that autosave%s accepts, in an own draft and beside it', async (noun, one) => {
    const { id, version, ...fields } = (
      service().app.schema.getType(`Autosave${noun}Input`) as GraphQLInputObjectType
    ).getFields();
    expect([id, version]).not.toContain(undefined);
    const sent = Object.fromEntries(Object.keys(fields).map((field) => [field, `A ${field}`]));
    const shown = Object.keys(fields).map((field) => `${field}: ${TYPED[field]}`);
    for (const status of ['DRAFT', 'PUBLISH']) {
      await service().clean();
      const { by } = await signedIn('administrator');
      const made = await service().data(
        mutation(`create${noun}`, `${one} { id }`),
        { input: { title: 'x', status } },
        by,
      );
      const input = { id: made[`create${noun}`][one].id, ...sent };
      const place = status === 'DRAFT' ? one : 'autosave';
      const query = mutation(`autosave${noun}`, `${place} { ${shown} }`);
      const saved = (await service().data(query, { input }, by))[`autosave${noun}`];
      expect(saved[place]).toStrictEqual(sent);
    }
  });

  it.each(SECOND_CALLS)('keeps what a second $name of one row sends', async (calls) => {
    await service().clean();
    service().at('2026-03-01T08:00:00Z');
    const administrator = await signedIn('administrator');
    const world = new World(service(), administrator.by, administrator.id);
    const { by } = await signedIn(calls.as);
    const named = await calls.make(world, by, service());
    for (const [sent, expected] of calls.calls) {
      const input = { ...named, ...sent };
      const data = await world.ask(mutation(calls.name, calls.shown), { input }, by);
      expect(data[calls.name], JSON.stringify(sent)).toMatchObject(expected);
    }
  });

  it('has no reason for a field that there is not', () => {
    const fields = writingsOf(service().app.schema).flatMap((writing) =>
      Object.keys(writing.input.getFields()).map((field) => lineOf(UNREAD, writing, field)?.key),
    );
    expect(Object.keys(UNREAD).filter((key) => !fields.includes(key))).toStrictEqual([]);
  });
});
