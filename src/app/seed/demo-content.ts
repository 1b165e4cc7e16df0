/** The demo content, over 300 lines: one table, whose items name each other. */

import { ItemStatus, PostFormat, Taxonomy } from '../../domains/content/content.enums.js';

/**
 * The authors of the demo content. It has posts, pages, media and healthcare items as a clinic's
 * content team could have written them in its first weeks.
 */
export type Writer = 'erin' | 'aziz' | 'cora';

/** Terms of each taxonomy. In `Parent > Child` the second is a child of the first. */
export const DEMO_TERMS: Readonly<Record<Taxonomy, readonly string[]>> = {
  [Taxonomy.CATEGORY]: [
    'Medicine',
    'Medicine > Side effects',
    'Living well',
    'Living well > Food',
    'Appointments',
    'News',
  ],
  [Taxonomy.TAG]: ['Reminders', 'Sleep', 'Food', 'Carers', 'Travel'],
  [Taxonomy.HEALTHCARE_CATEGORY]: [
    'Clinics',
    'Pharmacies',
    'Pharmacies > Night service',
    'Help lines',
  ],
  [Taxonomy.LANGUAGE]: ['English', 'German', 'Arabic'],
  [Taxonomy.LOCATION]: ['North', 'North > Harbour', 'South'],
  [Taxonomy.THERAPEUTIC_AREA]: ['Diabetes', 'Heart', 'Asthma', 'Mental health'],
};

/** An image of the demo content; `name` is that of its file. */
export interface DemoImage {
  readonly name: string;
  readonly altText: string;
  readonly caption?: string;
}

/** The images that the content uses. */
export const DEMO_IMAGES: readonly DemoImage[] = [
  {
    name: 'pillbox',
    altText: 'A pillbox with seven compartments, three of them empty',
    caption: 'Sunday to Tuesday: done.',
  },
  { name: 'sunrise', altText: 'The sun half above the horizon' },
  { name: 'clinic', altText: 'A white building with a red cross' },
  { name: 'suitcase', altText: 'A suitcase with a round sticker' },
];

interface DemoItem {
  readonly title: string;
  readonly content: string;
  readonly by: Writer;
  readonly image?: string;
  readonly status?: ItemStatus;
}

/** A post of the demo content. */
export interface DemoPost extends DemoItem {
  /** Negative for a post that is published in the future. */
  readonly daysAgo: number;
  readonly category: string;
  readonly tags: readonly string[];
  readonly format?: PostFormat;
  readonly sticky?: boolean;
  readonly excerpt?: string;
  /** Content of a change a day later, which makes a revision. */
  readonly corrected?: string;
}

/** The posts, of several formats and statuses. */
export const DEMO_POSTS: readonly DemoPost[] = [
  {
    title: 'Welcome to your care plan',
    by: 'erin',
    daysAgo: 40,
    category: 'News',
    tags: [],
    sticky: true,
    image: 'sunrise',
    content:
      '<!-- wp:paragraph -->\n<p>Here you find what helps you keep to your plan: reminders, ' +
      'appointments and short reads.</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:heading ' +
      '-->\n<h2>Where to begin</h2>\n<!-- /wp:heading -->\n\n<!-- wp:list -->\n<ul><li>Set ' +
      'your usual times for medicine.</li><li>Invite somebody you trust as a ' +
      'carer.</li></ul>\n<!-- /wp:list -->',
  },
  {
    title: 'What to do when you miss a dose',
    by: 'aziz',
    daysAgo: 31,
    category: 'Medicine',
    tags: ['Reminders'],
    image: 'pillbox',
    content:
      'Missing a dose happens to nearly everyone.\n\nLook at the leaflet first: for many ' +
      'medicines you take the dose when you notice, unless the next one is close. Never take ' +
      'two doses to catch up.\n\nIf you are unsure, call your pharmacy or your clinic.',
    corrected:
      'Missing a dose happens to nearly everyone.\n\nLook at the leaflet first: for many ' +
      'medicines you take the dose when you notice, unless the next one is close. Never take ' +
      'two doses to catch up.\n\nIf you are unsure, call your pharmacy, your clinic or the ' +
      'help line; the app shows all three.',
  },
  {
    title: 'Medicine and travel: crossing time zones',
    by: 'aziz',
    daysAgo: 24,
    category: 'Medicine',
    tags: ['Reminders', 'Travel'],
    image: 'suitcase',
    content:
      'Tell the app where you are, and it moves what is to come to your new clock.\n\nMedicine ' +
      'that must keep its hours apart stays as it was: ask your clinic before you go.',
  },
  {
    title: 'Sleeping better without a pill',
    by: 'erin',
    daysAgo: 18,
    category: 'Living well',
    tags: ['Sleep'],
    content:
      'Go to bed at the same time each day, keep the room cool and dark, and leave the phone ' +
      'outside.\n\nGive it two weeks before you judge it.',
  },
  {
    title: 'Dizzy after standing up? What to tell your clinic',
    by: 'aziz',
    daysAgo: 15,
    category: 'Medicine > Side effects',
    tags: [],
    excerpt: 'Three facts help your clinic most: when, how long, and what you took before.',
    content:
      'Medicine for blood pressure can make you dizzy in the first weeks, above all in the ' +
      'morning.\n\nWrite down when it happens, how long it lasts, and what you took in the two ' +
      'hours before. Sit down before you fall; if you faint, call at once.',
  },
  {
    title: 'Questions worth bringing to an appointment',
    by: 'erin',
    daysAgo: 12,
    category: 'Appointments',
    tags: ['Carers'],
    content:
      'Write them down the evening before:\n\n<ul>\n<li>What is this medicine ' +
      'for?</li>\n<li>What would make you change it?</li>\n<li>Whom do I call at the ' +
      'weekend?</li>\n</ul>',
  },
  {
    title: 'Grapefruit, and other food that does not go with medicine',
    by: 'aziz',
    daysAgo: 6,
    category: 'Living well > Food',
    tags: ['Food'],
    content:
      'Some food changes how much of a medicine reaches your blood. Grapefruit is the best ' +
      'known; ask your pharmacist about yours.',
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
    title: 'Caring from afar',
    by: 'erin',
    daysAgo: 1,
    category: 'Living well',
    tags: ['Carers', 'Travel'],
    content:
      'You need not live next door to help. Agree on what you will see and what you will not, ' +
      'call at a fixed hour, and let the app tell you when a dose was missed instead of asking ' +
      'each time.',
  },
  {
    title: 'The clinic is closed on the holiday',
    by: 'erin',
    daysAgo: -7,
    category: 'News',
    tags: [],
    content:
      'The pharmacy at the harbour keeps its night service. In an emergency call the help line.',
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
  {
    title: 'Walking, ten minutes at a time',
    by: 'cora',
    daysAgo: 0,
    category: 'Living well',
    tags: [],
    status: ItemStatus.DRAFT,
    content: 'Three walks of ten minutes count as much as one of thirty. To be checked with Clara.',
  },
];

/** A page of the demo content. */
export interface DemoPage extends DemoItem {
  /** Title of the parent page. */
  readonly below?: string;
  readonly menuOrder: number;
}

/** The pages; a parent comes before its children. */
export const DEMO_PAGES: readonly DemoPage[] = [
  {
    title: 'About us',
    by: 'erin',
    menuOrder: 1,
    image: 'clinic',
    content:
      'We are a clinic with four doctors, two pharmacists and a team that answers the telephone.',
  },
  { title: 'Help', by: 'erin', menuOrder: 2, content: 'How the app works, in short pages.' },
  {
    title: 'Setting a reminder',
    by: 'erin',
    below: 'Help',
    menuOrder: 1,
    content:
      'Choose the medicine, how often, and when. The app uses your usual times unless you say ' +
      'otherwise.',
  },
  {
    title: 'Inviting a carer',
    by: 'erin',
    below: 'Help',
    menuOrder: 2,
    content:
      'A carer sees what you allow: your plan, your answers, or both. You can end it at any time.',
  },
  {
    title: 'When the telephone is off',
    by: 'erin',
    below: 'Setting a reminder',
    menuOrder: 1,
    content:
      'A reminder that is more than half an hour late is not sent any more; it shows as ' +
      'missed, and your carers are told.',
  },
  {
    title: 'Privacy',
    by: 'erin',
    menuOrder: 3,
    content: 'Your data is yours: you can take all of it with you, and have it erased.',
  },
];

/** A healthcare item of the demo content. */
export interface DemoHealthcare extends DemoItem {
  readonly category: string;
  readonly languages: readonly string[];
  readonly location: string;
  readonly areas: readonly string[];
}

/** The healthcare items. */
export const DEMO_HEALTHCARE: readonly DemoHealthcare[] = [
  {
    title: 'Harbour Clinic',
    by: 'erin',
    image: 'clinic',
    category: 'Clinics',
    languages: ['English', 'German'],
    location: 'North > Harbour',
    areas: ['Heart', 'Diabetes'],
    content:
      'General practice, with an hour for those who come without an appointment: weekdays from ' +
      '8:00.',
  },
  {
    title: 'Southgate Practice',
    by: 'erin',
    category: 'Clinics',
    languages: ['English', 'Arabic'],
    location: 'South',
    areas: ['Asthma'],
    content: 'Lungs and allergies. Step-free entrance at the back.',
  },
  {
    title: 'Harbour Pharmacy',
    by: 'aziz',
    category: 'Pharmacies > Night service',
    languages: ['English'],
    location: 'North > Harbour',
    areas: [],
    content: 'Open every night; ring the bell.',
  },
  {
    title: 'Rose Pharmacy',
    by: 'aziz',
    category: 'Pharmacies',
    languages: ['German'],
    location: 'South',
    areas: ['Diabetes'],
    content: 'Measures blood sugar without an appointment.',
  },
  {
    title: 'Somebody to talk to',
    by: 'erin',
    category: 'Help lines',
    languages: ['English', 'German', 'Arabic'],
    location: 'North',
    areas: ['Mental health'],
    content: 'Day and night, free, and nobody asks for your name.',
  },
];
