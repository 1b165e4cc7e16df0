// What is accepted is kept: every field of every input that creates or changes something is written
// with different values and read again, or has a reason in the table not to be.
import { globalId } from '../../src/core/node.js';
import { type By, type Caller, useService } from '../support/harness.js';
import { Run } from './written-fields/run.js';
import { RUNS, type Shown, UNREAD, WRITERS } from './written-fields/samples.js';
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

describe('Every input that creates or changes something', () => {
  const service = useService();

  const signedIn = async (as: Caller) => {
    if (as === 'anonymous') return { by: 'anonymous' as By, id: '' };
    const { id } = await service().account(as);
    return { by: { headers: await service().session(as) } as By, id: globalId('Account', id) };
  };

  /** Writes all rounds of an input without some fields, into an empty database. */
  async function write(
    findings: Findings,
    writing: Writing,
    { left, creating }: { left: readonly string[]; creating: Writing | undefined },
  ): Promise<void> {
    await service().clean();
    service().at('2026-03-01T08:00:00Z');
    const administrator = await signedIn('administrator');
    const world = new World(service(), administrator.by, administrator.id);
    const { by } = await signedIn(WRITERS[writing.noun] ?? 'administrator');
    const run = new Run(world, writing, left, by);
    if (run.read.length === 0) return;
    const changes = writing.isChange && 'id' in writing.input.getFields() && creating;
    const made = changes ? await new Run(world, changes, left, by).write(1) : undefined;
    const own = made ? { id: made.row.writtenId } : {};
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

  it('has no reason for a field that there is not', () => {
    const fields = writingsOf(service().app.schema).flatMap((writing) =>
      Object.keys(writing.input.getFields()).map((field) => lineOf(UNREAD, writing, field)?.key),
    );
    expect(Object.keys(UNREAD).filter((key) => !fields.includes(key))).toStrictEqual([]);
  });
});
