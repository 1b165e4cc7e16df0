import type { Caller } from '../../support/harness.js';
import type { World } from './world.js';

/**
 * A value as it is sent, and how the output shows it: the same, of an object a part, the pattern of
 * a text, or what a list holds beside others.
 */
export class Shown {
  constructor(
    readonly sent: unknown,
    readonly shown: unknown,
  ) {}
}

/** Of a list some rows, in any order. */
export class Among {
  constructor(readonly rows: readonly unknown[]) {}
}

/** What is written to a field, in turn; or what is written in a round, counted from 0. */
export type Samples = readonly unknown[] | ((world: World, round: number) => unknown);

const shown = (sent: unknown, as: unknown) => new Shown(sent, as);
const term =
  (taxonomy: string): Samples =>
  async (world, round) => [await world.term(taxonomy, round)];
const TEXT_AS_HTML = [shown('One', '<p>One</p>\n'), shown('Two', '<p>Two</p>\n')];
const among = (...lists: unknown[][]) => lists.map((rows) => shown(rows, new Among(rows)));
const option = (name: string) => ['one', 'two'].map((value) => [{ name, value }]);
/** A schedule, and the fields by which it is shown. */
const schedule = (repeat: object, fields: object, more: object = {}) =>
  shown({ repeat, ...more }, fields);
const clocks = (...times: string[]) => ({ times: times.map((clock) => ({ clock })) });

/**
 * Values of fields, by the name of the input and the field, by the noun and the field, or by the
 * field. Other fields have values by their type.
 */
export const SAMPLES: Readonly<Record<string, Samples>> = {
  // Other rows.
  authorId: (world, round) => world.author(round),
  featuredMediaId: (world, round) => world.media(round),
  attachedToId: (world, round) => world.post(round),
  categoryIds: term('CATEGORY'),
  tagIds: term('TAG'),
  healthcareCategoryIds: term('HEALTHCARE_CATEGORY'),
  languageIds: term('LANGUAGE'),
  locationIds: term('LOCATION'),
  therapeuticAreaIds: term('THERAPEUTIC_AREA'),
  typeIds: async (world, round) => [await world.serviceType(round)],
  memberId: (world, round) => world.member(round),
  language: (world, round) => world.language(round),
  languageId: (world, round) => world.language(round),
  userId: (world) => world.own,
  'ModelItem.modelId': (world, round) => world.model(round),
  modelId: (world) => world.model(0),
  reportId: (world, round) => world.savedReport(round),
  'ReportEmbed.origins': [['https://a.example'], ['https://b.example', 'https://c.example']],
  'ReportEmbed.expiresAt': ['2026-05-01T08:00:00.000Z', '2026-06-01T08:00:00.000Z'],
  groupId: (world, round) => world.group(round),
  'Page.parentId': (world, round) => world.page(round),
  'UpdateTerm.parentId': (world, round) => world.term('LOCATION', round),
  'CreateTerm.parentId': (world, round) => world.term(round ? 'LOCATION' : 'CATEGORY', round),
  'HealthcareServiceType.parentId': (world, round) => world.serviceType(round),
  // Texts with a form.
  slug: ['a-slug', 'b-slug', 'c-slug'],
  languageCode: ['de', 'pt-BR'],
  languageCodes: [['de'], ['en', 'pt-BR']],
  phone: ['+49 30 123456', '+49 30 123457'],
  status: ['DRAFT', 'PENDING', 'PRIVATE'],
  mimeType: ['image/png', 'image/jpeg'],
  username: ['one', 'two'],
  roles: [['EDITOR'], ['AUTHOR', 'ANALYST']],
  taxonomy: ['CATEGORY', 'LOCATION'],
  'SavedReport.query': ['query One { viewer { username } }', 'query Two { viewer { name } }'],
  'SavedReport.variables': ['{"a":1}', '{"b":2}'],
  options: among(...option('an-option')),
  'Poll.options': [
    ['Yes', 'No'],
    ['One', 'Two', 'Three'],
  ],
  'Model.mode': [shown('CREATE', null), shown('EXTEND', 'model_two')],
  'Model.name': ['model_one', 'model_two'],
  'Model.type': ['POST_TYPE', 'TAXONOMY'],
  'ModelField.name': ['field_one', 'field_two'],
  'ModelField.type': ['TEXT', 'PARAGRAPH'],
  'ModelGroup.name': ['group_one', 'group_two'],
  'ModelItem.values': [
    shown([{ field: 'street', value: 'Main' }], { street: 'Main' }),
    shown([{ field: 'street', value: 'High' }], { street: 'High' }),
  ],
  'Media.caption': TEXT_AS_HTML,
  'Media.description': TEXT_AS_HTML,
  // Numbers that go together.
  scoreLeast: [0.5, 1.5],
  scoreMost: [5.5, 6.5],
  place: [
    { address: 'One', latitude: 48.25, longitude: 16.5 },
    { address: 'Two', latitude: 52.5, longitude: 13.25 },
  ],
  openingHours: [
    [{ weekday: 'MONDAY', opens: '08:00', closes: '16:00' }],
    [{ weekday: 'TUESDAY', opens: '09:00', closes: '17:00' }],
  ],
  // Times.
  startsOn: ['2026-03-10', '2026-03-11'],
  endsOn: ['2026-04-10', '2026-04-11'],
  opensAt: ['2026-03-02T08:00:00.000Z', '2026-03-03T08:00:00.000Z'],
  closesAt: ['2026-04-02T08:00:00.000Z', '2026-04-03T08:00:00.000Z'],
  effectiveAt: ['2026-04-02T08:00:00.000Z', '2026-04-03T08:00:00.000Z'],
  date: [shown('2026-03-10', /^2026-03-10T/), shown('2026-03-11', /^2026-03-11T/)],
  time: [shown('08:30', /T08:30:/), shown('09:45', /T09:45:/)],
  quietStart: ['21:00', '22:00'],
  quietEnd: ['06:00', '07:00'],
  dayTimes: [
    { waking: '06:00', breakfast: '07:00', lunch: '12:00', dinner: '18:00', bedtime: '22:00' },
    { waking: '07:00', breakfast: '08:00', lunch: '13:00', dinner: '19:00', bedtime: '23:00' },
  ],
  usualTimes: among([{ times: ['07:30'] }], [{ times: ['08:30'] }, { times: ['08:30', '20:30'] }]),
  // Reminders.
  frequency: ['daily', 'every_other_day'],
  'MedicineReminder.schedule': [
    schedule(
      { days: { every: 2 } },
      { kind: 'DAYS', every: 2, ...clocks('09:15') },
      clocks('09:15'),
    ),
    schedule(
      { days: { every: 3 } },
      { kind: 'DAYS', count: 5, times: [{ anchor: 'BREAKFAST', minutes: -30 }] },
      { end: { count: 5 }, times: [{ anchor: { at: 'BREAKFAST', minutes: -30 } }] },
    ),
    schedule(
      { weeks: { every: 2, weekdays: ['MONDAY', 'FRIDAY'] } },
      { kind: 'WEEKS', every: 2, weekdays: ['MONDAY', 'FRIDAY'], days: 30 },
      { end: { days: 30 } },
    ),
    schedule(
      { months: { every: 2, days: [1, 15] } },
      { kind: 'MONTHS', every: 2, monthDays: [1, 15] },
    ),
    schedule({ cycle: { daysOn: 21, daysOff: 7 } }, { kind: 'CYCLE', daysOn: 21, daysOff: 7 }),
    schedule({ interval: { minutes: 90 } }, { kind: 'INTERVAL', minutes: 90 }),
    schedule({ afterDose: { minutes: 360 } }, { kind: 'AFTER_DOSE', minutes: 360 }),
    schedule(
      { asNeeded: { leastMinutes: 240, mostADay: 4 } },
      { kind: 'AS_NEEDED', minutes: 240, mostADay: 4 },
    ),
    schedule({ once: true }, { kind: 'ONCE' }),
    schedule({ rrule: 'FREQ=DAILY;INTERVAL=4' }, { every: 4 }),
    schedule({ phrase: 'every 5 days' }, { kind: 'DAYS', every: 5 }),
  ],
  fhirDosage: [
    shown(
      {
        version: 'R4',
        dosages: [{ timing: { repeat: { frequency: 1, period: 2, periodUnit: 'd' } } }],
      },
      [{ timing: { repeat: { frequency: 1, period: 2, periodUnit: 'd' } } }],
    ),
    shown(
      {
        version: 'R4',
        dosages: [{ timing: { repeat: { frequency: 1, period: 3, periodUnit: 'd' } } }],
      },
      [{ timing: { repeat: { frequency: 1, period: 3, periodUnit: 'd' } } }],
    ),
  ],
};

const SCHEDULE =
  'schedule { kind every weekdays monthDays daysOn daysOff minutes mostADay count days ' +
  'times { anchor clock minutes } }';

/**
 * Where the output shows a field that it names otherwise, from the type of the output on. Other
 * fields are found by their name, `featuredMediaId` as `featuredMedia.id`, `tagIds` as `tags.id`.
 */
export const OUTPUTS: Readonly<Record<string, string>> = {
  'Post.title': 'titleSource',
  'Page.title': 'titleSource',
  'HealthcareItem.title': 'titleSource',
  content: 'contentSource',
  excerpt: 'excerptSource',
  date: 'startsAt',
  time: 'startsAt',
  'MedicineReminder.schedule': SCHEDULE,
  fhirDosage: 'fhirDosages(version: R4)',
  'Poll.options': 'options.text',
  'Model.mode': 'extends',
  'ModelItem.values': 'values',
  languageId: 'language.id',
  'User.language': 'language.id',
  'Profile.language': 'language.id',
  'Profile.description': 'account.description',
  'Profile.url': 'account.url',
  'GuestSession.language': 'language.id',
};

/** Where what has no node is read again. */
export const ROOTS: Readonly<Record<string, string>> = {
  CareSettings: 'careSettings(memberId: $memberId)',
  NotificationPreference: 'notificationPreference',
  Site: 'site',
  Profile: 'viewer',
};

/** Fields that are not written together, as the fields that each run leaves out. */
export const RUNS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Post: [['password'], ['isSticky', 'status']],
  Page: [['password'], ['status']],
  HealthcareItem: [['password'], ['status']],
  Media: [['uploadId']],
  MedicineReminder: [
    ['schedule', 'fhirDosage'],
    ['frequency', 'fhirDosage', 'startTime', 'endsOn'],
    ['frequency', 'schedule', 'startsOn', 'startTime', 'endsOn'],
  ],
};

/** Who writes and reads. Default: an administrator. */
export const WRITERS: Readonly<Record<string, Caller>> = {
  MedicineReminder: 'subscriber',
  AppointmentReminder: 'subscriber',
  CalendarFeed: 'subscriber',
  CareSettings: 'subscriber',
  NotificationPreference: 'subscriber',
  Profile: 'subscriber',
  GuestSession: 'anonymous',
};

/** Fields that are not read again, and why. */
export const UNREAD: Readonly<Record<string, string>> = {
  id: 'Names the row that is changed.',
  'UpdateUser.userId': 'Names the account that is changed.',
  version: 'The version that a change is based on; every change here sends it.',
  maxLost: 'How many values a change may lose: it allows, and is not kept.',
  'Model.storage': 'REST alone shows it, as it was asked for: see rest/models/pods.test.ts.',
  'CreateMedia.uploadId': 'Says itself what others say: see domains/files/uploads.test.ts.',
  'User.password': 'A secret, which is kept as a hash.',
  'ModelField.modelId': 'The model, whose version the next change of this test reads.',
  'ModelGroup.modelId': 'The model, whose version the next change of this test reads.',
  'Channel.reminders': 'Needs a provider of messages: see domains/notifications/channels.test.ts.',
  'ApplicationPassword.userId': 'An application password is shown to its owner alone.',
};
