import { globalId } from '../../../src/core/node.js';
import { type By, type Harness, mutation, type RoleName } from '../../support/harness.js';

/** The rows that inputs name. Each is made once; a number distinguishes several of a kind. */
export class World {
  readonly #made = new Map<string, Promise<string>>();

  constructor(
    private readonly service: Harness,
    /** Headers of an administrator, and the id of that account. */
    private readonly by: By,
    readonly own: string,
  ) {}

  /** Asks over GraphQL, as an administrator unless told. Returns the data; throws for any error. */
  ask(query: string, variables: object = {}, by = this.by) {
    return this.service.data(query, variables, by);
  }

  term = (taxonomy: string, n: number) =>
    this.#create('createTerm', 'term', { taxonomy, name: `${taxonomy} ${n}` });
  media = (n: number) =>
    this.#create('createMedia', 'media', {
      url: `https://cdn.example/${n}.jpg`,
      mimeType: 'image/jpeg',
    });
  post = (n: number) => this.#create('createPost', 'post', { title: `A post ${n}` });
  page = (n: number) => this.#create('createPage', 'page', { title: `A page ${n}` });
  serviceType = (n: number) =>
    this.#create('createHealthcareServiceType', 'type', { name: `A type ${n}` });
  /** A model with the fields `street` and `city`. */
  model = (n: number) =>
    this.#once(`model ${n}`, async () => {
      const model = { name: `model_${n}`, label: `Model ${n}`, type: 'POST_TYPE' };
      const id = await this.#create('createModel', 'model', model);
      for (const [at, name] of ['street', 'city'].entries()) {
        const field = { modelId: id, version: at + 1, name, label: name, type: 'TEXT' };
        await this.#create('createModelField', 'field', field);
      }
      return id;
    });

  /** A group of the first model. */
  group = (n: number) =>
    this.#once(`group ${n}`, async () => {
      const modelId = await this.model(0);
      const query = 'query($id: ID!) { node(id: $id) { ... on Model { version } } }';
      const { version } = (await this.ask(query, { id: modelId })).node;
      const group = { modelId, version, name: `shared_${n}`, label: `Group ${n}` };
      return this.#create('createModelGroup', 'group', group);
    });

  savedReport = (n: number) =>
    this.#create('createSavedReport', 'savedReport', {
      name: `Report ${n}`,
      query: '{ accountReport(from: "2026-01-01", to: "2026-01-31") { total { created } } }',
    });
  language = async (n: number) => globalId('Language', n + 1);
  author = (n: number) => this.#account('author', n);
  /** A member whom the subscriber may edit for. */
  member = (n: number) =>
    this.#once(`member ${n}`, async () => {
      const { id: memberId } = await this.service.account('subscriber', `member-${n}`);
      const { id: carerId } = await this.service.account('subscriber');
      const createdAt = new Date(this.service.now());
      const data = { memberId, carerId, right: 'edit', position: 1, createdAt };
      await this.service.database.prisma.careRelation.create({ data });
      return globalId('Account', memberId);
    });

  #account = async (role: RoleName, n: number) =>
    globalId('Account', (await this.service.account(role, `${role}-${n}`)).id);

  #create(name: string, shown: string, input: object): Promise<string> {
    return this.#once(`${name} ${JSON.stringify(input)}`, async () => {
      const data = await this.ask(mutation(name, `${shown} { id }`), { input });
      return data[name][shown].id;
    });
  }

  #once(key: string, make: () => Promise<string>): Promise<string> {
    const made = this.#made.get(key) ?? make();
    this.#made.set(key, made);
    return made;
  }
}

/** Runs what changes the site, which outlives a test, and puts its settings back. */
export async function keepingSite(service: Harness, run: () => Promise<void>): Promise<void> {
  const { site } = service.database.prisma;
  const before = await site.findMany();
  try {
    await run();
  } finally {
    for (const { id, said: _, ...data } of before) await site.update({ where: { id }, data });
  }
}
