import type { GraphQLInputField } from 'graphql';
import { type By, mutation } from '../../support/harness.js';
import { ROOTS, type Shown, UNREAD } from './samples.js';
import { sampleOf } from './values.js';
import type { World } from './world.js';
import { lineOf, outputOf, selectionOf, type Writing } from './writing.js';

/** Writes an input into one row, again and again, without the fields that are left out. */
export class Run {
  constructor(
    readonly world: World,
    readonly writing: Writing,
    readonly left: readonly string[],
    readonly by: By,
  ) {}

  get fields(): GraphQLInputField[] {
    return Object.values(this.writing.input.getFields()).filter(
      ({ name }) => !this.left.includes(name),
    );
  }

  get read(): (GraphQLInputField & { path: string })[] {
    return this.fields.flatMap((field) => {
      const path = lineOf(UNREAD, this.writing, field.name)
        ? undefined
        : outputOf(this.writing, field);
      return path ? [{ ...field, path }] : [];
    });
  }

  /** Writes what a round writes, into the row or a new one. Returns what was sent, and shown. */
  async write(round: number, own: Record<string, unknown> = {}) {
    const { name, place, output } = this.writing;
    const samples = new Map<string, Shown>();
    for (const field of this.fields)
      if (field.name !== 'version' && !(field.name in own))
        samples.set(field.name, await sampleOf(this.world, this.writing, field, round));
    const sent = [...samples].map(([field, sample]) => [field, sample.sent]);
    const version = await this.version(own.id, Object.fromEntries(sent).memberId);
    const input = { ...Object.fromEntries(sent), ...own, ...version };
    const selected = this.read.map(({ name: field, path }) => `${field}: ${selectionOf(path)}`);
    const id = output.getFields().id ? 'writtenId: id' : '';
    const all = `${id} ${selected.join(' ')}`;
    const payload = (
      await this.world.ask(mutation(name, `${place} { ${all} }`), { input }, this.by)
    )[name][place];
    return { samples, row: await this.again(payload, all, input) };
  }

  /** The version that a change is based on: of the row, or of the model that it is a part of. */
  async version(id: unknown, memberId?: unknown): Promise<object> {
    if (!('version' in this.writing.input.getFields())) return {};
    const root = ROOTS[this.writing.noun];
    if (root) return this.atRoot(root, 'version', memberId ?? (await this.world.member(0)));
    const isPart = /^Model(Field|Group)$/.test(this.writing.noun);
    const type = isPart ? 'Model' : this.writing.output.name;
    const query = `query($id: ID!) { node(id: $id) { ... on ${type} { version } } }`;
    const at = isPart ? await this.world.model(0) : (id ?? this.world.own);
    return { version: (await this.world.ask(query, { id: at }, this.by)).node.version };
  }

  /** Reads what has no node, of a member where it is one's. */
  async atRoot(root: string, fields: string, memberId: unknown) {
    const query = root.includes('$') ? 'query($memberId: ID)' : '';
    const text = `${query} { row: ${root} { ${fields} } }`;
    return (await this.world.ask(text, { memberId }, this.by)).row;
  }

  /** Reads again what was written. */
  async again(payload: Record<string, unknown>, all: string, input: Record<string, unknown>) {
    const { noun, output } = this.writing;
    const root = ROOTS[noun];
    if (root) return this.atRoot(root, all, input.memberId);
    if (!payload.writtenId || this.by === 'anonymous') return payload;
    const query = `query($id: ID!) { node(id: $id) { ... on ${output.name} { ${all} } } }`;
    return (await this.world.ask(query, { id: payload.writtenId }, this.by)).node;
  }
}
