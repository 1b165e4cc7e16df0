import { renderMail } from '../../src/domains/mail/mail-rendering.js';
import { TEMPLATES } from '../../src/domains/mail/templates.js';
import { unsubscribeAddress } from '../../src/domains/reports/mailing/unsubscribing.service.js';
import { RENDERERS } from '../../src/rest/renderers.js';
import { TEXT_ATTACKS } from '../domains/content/attacks.js';
import { makeItem, makeModel } from '../domains/models/modelling.js';
import { ATTACKS } from '../platform/oembed/attacks.js';
import { MUTATIONS } from '../platform/oembed/mutations.js';
import { type Harness, mutation, type RoleName } from '../support/harness.js';
import { Visitor } from '../support/visitor.js';

/** Without those with NUL or half a character, which no text may have. */
const ALL = [...ATTACKS, ...MUTATIONS, ...TEXT_ATTACKS].filter(
  (attack) => !/\0|\p{Surrogate}/u.test(attack),
);
/** What is short enough for a name, without the dots and addresses that names may not have. */
const NAMES = ALL.map((attack) => attack.replaceAll('window.hit=(window.hit||0)+1', 'hit=1'))
  .map((attack) => attack.replaceAll('hit||0)+1', '1)'))
  .filter((attack) => Buffer.byteLength(attack) <= 200);
const MORE = ALL.filter((attack) => attack.length < 2_000);

/** A place where a text of somebody becomes HTML that a browser may show. */
export interface Place {
  /** Fields of the graph that answer such HTML. */
  readonly fields?: readonly string[];
  /** Files of `src` that write it. */
  readonly files?: readonly string[];
  readonly attacks: readonly string[];
  /** Writes an attack as the one with the fewest rights who may. Returns what is shown. */
  readonly shown: (service: Harness, attack: string) => Promise<readonly (string | undefined)[]>;
}

const as = async (service: Harness, role: RoleName) => ({ headers: await service.session(role) });
const texts = (item: Record<string, { rendered?: string }>) =>
  ['title', 'content', 'excerpt'].map((name) => item[name]?.rendered);

/** Makes something by a mutation that answers it alone. Undefined when its name is refused. */
async function made(service: Harness, role: RoleName, name: string, fields: string, input: object) {
  const kind = name.replace(/^[a-z]+/, '');
  const query =
    `mutation($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) ` +
    `{ ${name}(input: $input) { ${fields} } }`;
  const { data, errors } = await service.ask(query, { input }, await as(service, role));
  if (!errors) return Object.values(data[name] as object)[0];
  const problem = JSON.stringify(errors);
  if (/TERM_NAME_INVALID|the address of a web page/.test(problem)) return undefined;
  throw new Error(`${kind}: ${problem}`);
}

const models = new WeakMap<Harness, Promise<{ id: number }>>();
async function leaflet(service: Harness): Promise<number> {
  const known = models.get(service) ?? makeModel(service, 'leaflet', { about: 'WYSIWYG' });
  models.set(service, known);
  return (await known).id;
}

const visitors = new WeakMap<Harness, Visitor>();
/** Somebody who is signed in to the pages. Each test begins without accounts. */
async function visitor(service: Harness): Promise<Visitor> {
  const known = visitors.get(service);
  if (known && (await known.get('/admin/')).status === 200) return known;
  const { username, password } = await service.account('author');
  const one = new Visitor(service);
  await one.submit(await one.get('/admin/login'), { username, password });
  visitors.set(service, one);
  return one;
}

const posts: Place = {
  fields: [
    ...['Post.title', 'Post.content', 'Post.excerpt', 'Article.title', 'Article.content'],
    ...['Article.excerpt', 'ContentItem.title', 'ContentItem.content', 'Embed.html', 'Embed.title'],
    ...['Revision.title', 'Revision.content', 'Revision.excerpt'],
    // Only those who may store any HTML write pages.
    ...['Page.title', 'Page.content', 'Page.excerpt'],
  ],
  files: [
    ...['pages/site/content-page.ts', 'pages/site/layout.ts', 'pages/site/visited.ts'],
    ...['pages/html.ts', 'domains/embeds/own-embed.service.ts', 'domains/embeds/embed.types.ts'],
  ],
  attacks: ALL,
  async shown(service, attack) {
    const author = await as(service, 'author');
    const meta = { footnotes: JSON.stringify([{ id: 'a', content: attack }]) };
    const body = { title: attack, content: attack, excerpt: `e${attack}`, meta };
    const { body: post } = await service.rest('POST', '/v1/posts', {
      ...author,
      body: { ...body, status: 'publish' },
    });
    const { body: short } = await service.rest('POST', '/v1/posts', {
      ...author,
      body: { title: 't', content: attack, status: 'publish' },
    });
    const { body: typed } = await service.rest('POST', `/v1/posts/${post.id}/autosaves`, {
      ...author,
      body: { ...body, content: `x ${attack}` },
    });
    const { body: embed } = await service.rest('GET', '/oembed/1.0/embed', {
      query: { url: post.link },
    });
    const pages = [post.link, `${post.link}embed/`, `${short.link}embed/`];
    const documents = await Promise.all(
      pages.map((page) => service.fetch(new URL(page).pathname, {})),
    );
    const notes = JSON.parse(post.meta.footnotes || '[]') as { content: string }[];
    return [
      ...[...texts(post), ...texts(typed), short.excerpt.rendered, embed.html, embed.title],
      ...[...notes.map(({ content }) => content), ...documents.map(({ text }) => text)],
    ];
  },
};

const healthcare: Place = {
  fields: ['HealthcareItem.title', 'HealthcareItem.content'],
  attacks: ALL,
  async shown(service, attack) {
    const { title, content } = await made(
      ...([service, 'author', 'createHealthcareItem', 'healthcareItem { title content }'] as const),
      { title: `t${attack}`, content: attack, status: 'PUBLISH' },
    );
    return [title, content];
  },
};

const media: Place = {
  fields: ['Media.title', 'Media.caption', 'Media.description'],
  attacks: ALL,
  async shown(service, attack) {
    const medium = await made(
      ...([service, 'author', 'createMedia'] as const),
      'media { databaseId title caption description altText }',
      {
        ...{ url: 'https://cdn.example/x.jpg', mimeType: 'image/jpeg', altText: attack },
        ...{ title: `t${attack}`.slice(0, 200), caption: attack, description: attack },
      },
    );
    const { body } = await service.rest('GET', `/wp/v2/media/${medium.databaseId}`);
    return [
      ...[medium.title, medium.caption, medium.description, medium.altText],
      ...[body.title.rendered, body.caption.rendered, body.description.rendered],
    ];
  },
};

/** Clients of REST insert the name of a term and its description as they are. */
const terms: Place = {
  fields: ['Term.description'],
  attacks: ALL,
  async shown(service, attack) {
    const input = { taxonomy: 'TAG', name: `t${attack}`.slice(0, 200), description: attack };
    const fields = 'term { name description }';
    const term = await made(service, 'author', 'createTerm', fields, input);
    return [term?.name, term?.description];
  },
};

const values: Place = {
  attacks: ALL,
  async shown(service, attack) {
    return [(await makeItem(service, await leaflet(service), { about: attack })).values.about];
  },
};

const policy: Place = {
  fields: ['Policy.text'],
  attacks: ALL,
  async shown(service, attack) {
    const input = { languageId: 1, title: 'Policy', text: attack };
    return [(await made(service, 'administrator', 'createPolicy', 'policy { text }', input)).text];
  },
};

/** Clients of REST insert the name of an author as it is; pages and mails name people too. */
const names: Place = {
  files: [
    ...['pages/sign-in.ts', 'pages/site/archive-page.ts', 'pages/visit.ts', 'pages/people.ts'],
    'pages/authorize-application.ts',
  ],
  attacks: NAMES,
  async shown(service, name) {
    const { id } = await service.account('author');
    const given = await made(service, 'author', 'updateProfile', 'viewer { id }', { name });
    // One that is refused now may have been stored before: the pages write it as text.
    if (!given) await service.database.prisma.account.update({ where: { id }, data: { name } });
    const { body: post } = await service.rest('POST', '/v1/posts', {
      ...(await as(service, 'author')),
      body: { title: 't', content: 'c', status: 'publish' },
    });
    const { body: author } = await service.rest('GET', `/wp/v2/users/${id}`);
    const { body: embed } = await service.rest('GET', '/oembed/1.0/embed', {
      query: { url: post.link },
    });
    const somebody = await visitor(service);
    const query = new URLSearchParams({ app_name: name });
    const shown = [
      await somebody.get('/admin/'),
      await somebody.get(`/admin/authorize-application.php?${query}`),
      await service.fetch(new URL(author.link).pathname, {}),
    ];
    const told = given ? [author.name, embed.author_name] : [];
    return [...told, ...shown.map(({ text }) => text)];
  },
};

const pages: Place = {
  files: ['pages/set-password.ts', 'pages/site/root.ts'],
  attacks: MORE,
  async shown(service, attack) {
    const stranger = new Visitor(service);
    const form = await stranger.get(`/admin/login?${new URLSearchParams({ redirect_to: attack })}`);
    const code = encodeURIComponent(attack);
    const answers = [
      form,
      await stranger.submit(form, { username: attack.slice(0, 300), password: 'wrong' }),
      await stranger.get(`/admin/set-password?link=${code}`),
      await (await visitor(service)).get(
        `/admin/authorize-application.php?${new URLSearchParams({ app_name: attack, success_url: attack })}`,
      ),
      await stranger.get(`/?s=${code}`),
    ];
    return answers
      .filter(({ headers }) => headers.get('content-type')?.startsWith('text/html'))
      .map(({ text }) => text);
  },
};

/** The page of a REST route, and each mail, with an attack as each of its values: each mail with some of them. */
const written: Place = {
  files: ['rest/renderers.ts', 'domains/mail/mail-rendering.ts'],
  attacks: MORE,
  async shown(_service, attack) {
    const page = await RENDERERS.page?.answer({ title: attack, message: attack }, never, {});
    const all = Object.values(TEMPLATES);
    const { values: named, wordings } = all[MORE.indexOf(attack) % all.length] ?? never();
    const given = Object.fromEntries([...named, 'site'].map((name) => [name, attack]));
    return [page?.text, renderMail(wordings, 'en', given, 'UTC').html];
  },
};

/** The frame of a saved report, and the page that ends its mails. */
const reports: Place = {
  files: [
    ...['domains/reports/embedded/report-embed.types.ts', 'pages/embedded-report.ts'],
    ...['pages/report-picture.ts', 'pages/report-mails.ts'],
    ...['pages/picture-heat.ts', 'pages/picture-marks.ts'],
  ],
  attacks: NAMES,
  async shown(service, attack) {
    const by = await as(service, 'administrator');
    const { id: reportId } = await savedReport(service, attack);
    const change = (name: string, fields: string, input: object) =>
      service.data(mutation(name, fields), { input }, by);
    const embed = await change('createReportEmbed', 'url', {
      ...{ reportId, origins: ['https://clinic.example'] },
    });
    const me = (await service.data('{ viewer { account { id } } }', {}, by)).viewer.account.id;
    await change('setReportMailing', 'reportMailing { every }', {
      ...{ reportId, every: 'WEEK', day: 1, recipientIds: [me] },
    });
    const { accountId, mailing } =
      await service.database.prisma.reportMailingRecipient.findFirstOrThrow({
        orderBy: { id: 'desc' },
        include: { mailing: true },
      });
    const recipient = { reportId: mailing.reportId, accountId: accountId ?? 0 };
    const address = unsubscribeAddress(await service.context(), recipient);
    const paths = [embed.createReportEmbed.url, new URL(address, service.url).href];
    const pages = await Promise.all(paths.map((path) => service.fetch(new URL(path).pathname, {})));
    return pages.map(({ text }) => text);
  },
};

async function savedReport(service: Harness, name: string): Promise<{ id: string }> {
  // An account may have a limited number of them.
  await service.database.prisma.reportEmbed.deleteMany();
  await service.database.prisma.savedReport.deleteMany();
  const query = '{ doseReport(range: THIS_YEAR) { rows { month taken } } }';
  const input = { name, query };
  const by = await as(service, 'administrator');
  const made = mutation('createSavedReport', 'savedReport { id }');
  return (await service.data(made, { input }, by)).createSavedReport.savedReport;
}

function never(): never {
  throw new Error('This is never asked for.');
}

/** Every place, by what it is. */
export const PLACES: Readonly<Record<string, Place>> = {
  'a post: its fields, pages, embed, autosave and footnotes': posts,
  'a healthcare item': healthcare,
  'a medium': media,
  'a tag': terms,
  'a value of a model': values,
  'the policy': policy,
  'the name of an author': names,
  'the address of a page': pages,
  'a page of REST and the mails': written,
  'a saved report in a frame, and in the page of its mails': reports,
};

/** What shows HTML of no person of the service. */
export const ELSEWHERE = {
  /** Other sites: test/browser/foreign-markup.test.ts and embeds.test.ts. */
  fields: ['Embed.frame'],
  files: [
    ...['domains/embeds/embed-preview.service.ts'],
    // Only texts of this repository.
    ...['pages/playground.ts', 'pages/reference.ts'],
  ],
} as const;
