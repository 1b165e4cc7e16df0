import type { RequestContext } from '../../core/context.js';
import { Role } from '../../core/roles.js';
import { Viewer } from '../../core/viewer.js';
import { createUser } from '../../domains/accounts/account.service.js';
import { randomPassword } from '../../domains/accounts/password.js';
import { createPolicy } from '../../domains/consents/policy.service.js';
import { ItemStatus, Taxonomy } from '../../domains/content/content.enums.js';
import { createItem } from '../../domains/content/item/item-create.service.js';
import { updateItem } from '../../domains/content/item/item-update.service.js';
import { createMedia } from '../../domains/content/media/media.service.js';
import { createTerm } from '../../domains/content/term/term.service.js';
import { importSample } from '../../domains/polls/poll-import.service.js';
import { seedCare } from './demo-care.js';
import { seedCommunity, seedForms } from './demo-community.js';
import {
  DEMO_HEALTHCARE,
  DEMO_IMAGES,
  DEMO_PAGES,
  DEMO_POSTS,
  DEMO_TERMS,
  type DemoPost,
} from './demo-content.js';
import { seedDirectory } from './demo-directory.js';
import { askForHistory } from './demo-history.js';
import type { FirstAccount } from './first-account.js';

const ACCOUNTS: readonly (readonly [Role, username: string, name: string])[] = [
  [Role.EDITOR, 'erin', 'Erin Castle'],
  [Role.AUTHOR, 'aziz', 'Aziz Noor'],
  [Role.CONTRIBUTOR, 'cora', 'Cora Lind'],
  [Role.SUBSCRIBER, 'mina', 'Mina Okoro'],
  [Role.SUBSCRIBER, 'otto', 'Otto Okoro'],
  [Role.CLINICIAN, 'clara', 'Dr. Clara Weiss'],
  [Role.ANALYST, 'anna', 'Anna Petit'],
];

/** The policy in English. */
const DEMO_POLICY = {
  languageId: 1,
  title: 'How your data are used',
  text: '<p>Your reminders and answers are kept for you and for those who care for you.</p>',
};

const DAY = 24 * 60 * 60 * 1000;
const IMAGE = { mimeType: 'image/svg+xml', width: 800, height: 500 };

/** What the demo has created so far: ids by name. */
interface DemoContext {
  readonly terms: ReadonlyMap<string, number>;
  readonly images: ReadonlyMap<string, number>;
  readonly as: (username: string) => RequestContext;
}

/**
 * Creates an account of each role with a random password; a member with reminders, a carer and a
 * clinician; the content of a clinic: terms, media, pages, posts and healthcare items, some not
 * yet published; videos, quotes, a directory of services and a form. Runs inside the transaction of
 * the first start. Returns the accounts.
 */
export async function seedDemo(
  context: RequestContext,
  administratorId: number,
): Promise<FirstAccount[]> {
  const { accounts, viewers } = await seedAccounts(context);
  const administrator = context.as(new Viewer(administratorId, [Role.ADMINISTRATOR]));
  const as = (username: string) => context.as(viewers.get(username) as Viewer);
  await seedCare({ administrator, as });
  await createPolicy(administrator, DEMO_POLICY);
  await importSample(administrator);
  await seedCommunity(as('erin'));
  await seedDirectory(as('erin'));
  await seedForms(administrator);
  await askForHistory(administrator);
  const made = { as, terms: await seedTerms(administrator), images: await seedImages(as('erin')) };
  for (const post of DEMO_POSTS) await seedPost(made, post);
  await seedPages(made);
  await seedHealthcare(made);
  return accounts;
}

async function seedAccounts(context: RequestContext) {
  const accounts: FirstAccount[] = [];
  const viewers = new Map<string, Viewer>();
  for (const [role, username, name] of ACCOUNTS) {
    const password = randomPassword(16);
    const { id } = await createUser(context, {
      username,
      email: `${username}@example.com`,
      name,
      password,
      roles: [role],
    });
    viewers.set(username, new Viewer(id, [role]));
    accounts.push({ role, username, password });
  }
  return { accounts, viewers };
}

async function seedHealthcare(made: DemoContext): Promise<void> {
  for (const { by, category, languages, location, areas, ...item } of DEMO_HEALTHCARE) {
    await createItem(made.as(by), 'healthcare', {
      ...itemFields(made, item),
      healthcareCategoryIds: ids(made, Taxonomy.HEALTHCARE_CATEGORY, [category]),
      languageIds: ids(made, Taxonomy.LANGUAGE, languages),
      locationIds: ids(made, Taxonomy.LOCATION, [location]),
      therapeuticAreaIds: ids(made, Taxonomy.THERAPEUTIC_AREA, areas),
    });
  }
}

async function seedTerms(context: RequestContext): Promise<Map<string, number>> {
  const terms = new Map<string, number>();
  for (const taxonomy of Object.values(Taxonomy)) {
    for (const path of DEMO_TERMS[taxonomy]) {
      const [name, above] = path.split(' > ').reverse() as [string, string?];
      const parentId = above ? terms.get(`${taxonomy}:${above}`) : undefined;
      terms.set(
        `${taxonomy}:${path}`,
        (await createTerm(context, { taxonomy, name, ...(parentId && { parentId }) })).id,
      );
    }
  }
  return terms;
}

async function seedImages(context: RequestContext): Promise<Map<string, number>> {
  const images = new Map<string, number>();
  for (const { name, ...texts } of DEMO_IMAGES)
    images.set(
      name,
      (await createMedia(context, { ...IMAGE, ...texts, url: `/demo/${name}.svg` })).id,
    );
  return images;
}

async function seedPost(
  made: DemoContext,
  { by, daysAgo, category, tags, corrected, format, sticky, excerpt, ...item }: DemoPost,
) {
  const context = made.as(by);
  const published = (item.status ?? ItemStatus.PUBLISH) === ItemStatus.PUBLISH;
  const { row } = await createItem(context, 'post', {
    ...itemFields(made, item),
    ...(published && { date: { local: context.deps.clock() - daysAgo * DAY, offset: 0 } }),
    ...(format && { format }),
    ...(sticky && { isSticky: sticky }),
    ...(excerpt && { excerpt }),
    categoryIds: ids(made, Taxonomy.CATEGORY, [category]),
    tagIds: ids(made, Taxonomy.TAG, tags),
  });
  if (corrected) await updateItem(context, 'post', { id: row.id, content: corrected });
}

async function seedPages(made: DemoContext): Promise<void> {
  const pages = new Map<string, number>();
  for (const { by, below, menuOrder, ...item } of DEMO_PAGES) {
    const parent = below ? pages.get(below) : undefined;
    const { row } = await createItem(made.as(by), 'page', {
      ...itemFields(made, item),
      menuOrder,
      ...(parent && { parentId: parent }),
    });
    pages.set(item.title, row.id);
  }
}

const ids = ({ terms }: DemoContext, taxonomy: Taxonomy, paths: readonly string[]) =>
  paths.map((path) => terms.get(`${taxonomy}:${path}`) as number);

function itemFields(
  { images }: DemoContext,
  {
    title,
    content,
    image,
    status = ItemStatus.PUBLISH,
  }: Pick<DemoPost, 'title' | 'content' | 'image' | 'status'>,
) {
  return { title, content, status, ...(image && { featuredMediaId: images.get(image) as number }) };
}
