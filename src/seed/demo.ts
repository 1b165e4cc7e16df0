import type { RequestContext } from '../context.js';
import { createUser } from '../domains/accounts/account.service.js';
import { randomPassword } from '../domains/accounts/password.js';
import { Role } from '../domains/accounts/role.js';
import { Viewer } from '../domains/accounts/viewer.js';
import { ItemStatus, PostFormat, Taxonomy } from '../domains/content/content.enums.js';
import { createItem } from '../domains/content/item-write.service.js';
import { createTerm } from '../domains/content/term.service.js';
import type { FirstAccount } from './first-start.js';

const ACCOUNTS: readonly (readonly [Role, username: string, name: string])[] = [
  [Role.EDITOR, 'erin', 'Erin Castle'],
  [Role.AUTHOR, 'aziz', 'Aziz Noor'],
  [Role.CONTRIBUTOR, 'cora', 'Cora Lind'],
  [Role.SUBSCRIBER, 'mina', 'Mina Okoro'],
  [Role.CLINICIAN, 'clara', 'Dr. Clara Weiss'],
  [Role.ANALYST, 'anna', 'Anna Petit'],
];

const CATEGORIES = ['Medicine', 'Living well', 'Appointments', 'News'] as const;
const TAGS = ['Reminders', 'Sleep', 'Food', 'Carers', 'Travel'] as const;

interface DemoPost {
  readonly title: string;
  readonly by: 'erin' | 'aziz' | 'cora';
  readonly daysAgo: number;
  readonly category: (typeof CATEGORIES)[number];
  readonly tags: readonly (typeof TAGS)[number][];
  readonly content: string;
  readonly status?: ItemStatus;
  readonly format?: PostFormat;
  readonly sticky?: boolean;
}

const POSTS: readonly DemoPost[] = [
  {
    title: 'Welcome to your care plan',
    by: 'erin',
    daysAgo: 40,
    category: 'News',
    tags: [],
    sticky: true,
    content:
      '<!-- wp:paragraph -->\n<p>Here you find what helps you keep to your plan: reminders, appointments and short reads.</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:heading -->\n<h2>Where to begin</h2>\n<!-- /wp:heading -->\n\n<!-- wp:list -->\n<ul><li>Set your usual times for medicine.</li><li>Invite somebody you trust as a carer.</li></ul>\n<!-- /wp:list -->',
  },
  {
    title: 'What to do when you miss a dose',
    by: 'aziz',
    daysAgo: 31,
    category: 'Medicine',
    tags: ['Reminders'],
    content:
      'Missing a dose happens to nearly everyone.\n\nLook at the leaflet first: for many medicines you take the dose when you notice, unless the next one is close. Never take two doses to catch up.\n\nIf you are unsure, call your pharmacy or your clinic.',
  },
  {
    title: 'Medicine and travel: crossing time zones',
    by: 'aziz',
    daysAgo: 24,
    category: 'Medicine',
    tags: ['Reminders', 'Travel'],
    content:
      'Tell the app where you are, and it moves what is to come to your new clock.\n\nMedicine that must keep its hours apart stays as it was: ask your clinic before you go.',
  },
  {
    title: 'Sleeping better without a pill',
    by: 'erin',
    daysAgo: 18,
    category: 'Living well',
    tags: ['Sleep'],
    content:
      'Go to bed at the same time each day, keep the room cool and dark, and leave the phone outside.\n\nGive it two weeks before you judge it.',
  },
  {
    title: 'Questions worth bringing to an appointment',
    by: 'erin',
    daysAgo: 12,
    category: 'Appointments',
    tags: ['Carers'],
    content:
      'Write them down the evening before:\n\n<ul>\n<li>What is this medicine for?</li>\n<li>What would make you change it?</li>\n<li>Whom do I call at the weekend?</li>\n</ul>',
  },
  {
    title: 'Grapefruit, and other food that does not go with medicine',
    by: 'aziz',
    daysAgo: 6,
    category: 'Medicine',
    tags: ['Food'],
    content:
      'Some food changes how much of a medicine reaches your blood. Grapefruit is the best known; ask your pharmacist about yours.',
  },
  {
    title: '“I put the pillbox next to the kettle.”',
    by: 'aziz',
    daysAgo: 2,
    category: 'Living well',
    tags: ['Reminders'],
    format: PostFormat.QUOTE,
    content: 'A member, on what worked.',
  },
  {
    title: 'New opening hours in spring',
    by: 'cora',
    daysAgo: 0,
    category: 'News',
    tags: [],
    status: ItemStatus.PENDING,
    content: 'From 1 March the clinic opens at 7:30.',
  },
];

const DAY = 24 * 60 * 60 * 1000;

/** Makes an account of each role with a random password, terms and posts, inside the transaction of the first start. */
export async function seedDemo(context: RequestContext, administratorId: number): Promise<FirstAccount[]> {
  const accounts: FirstAccount[] = [];
  const viewers = new Map<string, Viewer>();
  for (const [role, username, name] of ACCOUNTS) {
    const password = randomPassword(16);
    const { id } = await createUser(context, { username, email: `${username}@example.com`, name, password, roles: [role] });
    viewers.set(username, new Viewer(id, [role]));
    accounts.push({ role, username, password });
  }
  const administrator = context.as(new Viewer(administratorId, [Role.ADMINISTRATOR]));
  const terms = new Map<string, number>();
  for (const name of CATEGORIES) terms.set(name, (await createTerm(administrator, { taxonomy: Taxonomy.CATEGORY, name })).id);
  for (const name of TAGS) terms.set(name, (await createTerm(administrator, { taxonomy: Taxonomy.TAG, name })).id);
  for (const { by, daysAgo, category, tags, status = ItemStatus.PUBLISH, ...post } of POSTS) {
    const date = status === ItemStatus.PUBLISH ? { date: { local: context.deps.clock() - daysAgo * DAY, offset: 0 } } : {};
    const filed = { categories: idsOf(terms, [category]), tags: idsOf(terms, tags) };
    await createItem(context.as(viewers.get(by) as Viewer), 'post', { ...post, ...date, ...filed, status });
  }
  return accounts;
}

const idsOf = (terms: ReadonlyMap<string, number>, names: readonly string[]) => names.map((name) => terms.get(name) as number);
