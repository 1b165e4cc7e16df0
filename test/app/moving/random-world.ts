// Random lines of every kind, which refer to each other as those of an export do.
import * as fc from 'fast-check';

type Draw = fc.GeneratorValue;
export type WorldLine = Readonly<Record<string, unknown>> & { readonly kind: string };

/** How the original names an embed. */
const KEY = '0123456789abcdef'.repeat(2);
const TEXT = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    '"\\',
    'a\u00a0b\u2028c',
    '\t\r\n',
    '💊 é',
    '</script>',
    '\u0001',
    '{"a":1}',
  ),
);
const NAME = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const FIRST = Date.parse('1970-01-02T00:00:00Z');
const LAST = Date.parse('2099-12-30T00:00:00Z');
const CLOCKS = fc.constant({ '2026-01-01T00:00:00.000Z': '2026-01-01T03:00:00' });
/** What a medium is attached to, where that is no item of content. */
const ATTACHMENT = fc.record(
  {
    id: fc.constant(1_999_999_999),
    path: fc.constantFrom(null, '', '/houses/one'),
    isHidden: fc.constant(true),
  },
  { requiredKeys: ['id', 'path'] },
);
const AT = fc.integer({ min: FIRST, max: LAST }).map((at) => new Date(at).toISOString());
const ZONE = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Lima');
const LANGUAGE = fc.constantFrom('en', 'de', 'fr', 'ar');
const VERSION = fc.integer({ min: 0, max: 9 });
const DECIMAL = fc.constantFrom('0.25', '1', '2.50', '999999.9999');
const UUID = fc.uuid();
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

/** Draws a world: the lines of each kind in order, with the last numbers that were given. */
export class RandomWorld {
  readonly lines: WorldLine[] = [];
  readonly lastIds: Record<string, number> = {};
  readonly #ids = new Map<string, number[]>();

  constructor(private readonly draw: Draw) {
    this.#people();
    this.#content();
    this.#models();
    this.#directory();
    this.#care();
    this.#polls();
    this.#rest();
  }

  #pick<T>(arbitrary: fc.Arbitrary<T>): T {
    return this.draw(() => arbitrary);
  }

  #one<T>(values: readonly T[]): T {
    return this.#pick(fc.constantFrom(...values));
  }

  #of(kind: string): number[] {
    return this.#ids.get(kind) ?? [];
  }

  /** Returns a new number of a sequence, sometimes far behind the one before. */
  #next(sequence: string): number {
    const step = this.#pick(fc.constantFrom(1, 1, 1, 7, 1000));
    const id = (this.lastIds[sequence] ?? 0) + step;
    this.lastIds[sequence] = id;
    return id;
  }

  #many(most: number, work: (i: number) => void, least = 0): void {
    const count = this.#pick(fc.integer({ min: least, max: most }));
    for (let i = 0; i < count; i++) work(i);
  }

  #list<T>(most: number, work: (i: number) => T): T[] {
    const list: T[] = [];
    this.#many(most, (i) => list.push(work(i)));
    return list;
  }

  #add(kind: string, fields: Readonly<Record<string, unknown>>, sequence = kind): number {
    const id = this.#next(sequence);
    this.lines.push({ kind, id, ...fields });
    this.#ids.set(kind, [...this.#of(kind), id]);
    return id;
  }

  #account = () => this.#one(this.#of('account'));

  #people(): void {
    const p = <T>(arbitrary: fc.Arbitrary<T>) => this.#pick(arbitrary);
    this.#many(
      6,
      (i) =>
        this.#add('account', {
          username: `U${i} ${p(NAME)}`.toLowerCase().trim(),
          email: p(some(fc.constant(`u${i}@example.com`))),
          signsInByEmail: false,
          name: p(TEXT),
          slug: `u${i}`,
          url: p(TEXT),
          description: p(TEXT),
          passwordHash: p(some(fc.constant('$argon2id$v=19$m=1,t=1,p=1$c2FsdHNhbHQ$aGFzaA'))),
          roles: p(fc.subarray(['administrator', 'subscriber', 'clinician', 'guest'])),
          language: p(LANGUAGE),
          timeZone: p(some(ZONE)),
          createdAt: p(AT),
          emailProvenAt: p(some(AT)),
          idleSince: p(some(AT)),
          suspendedAt: p(some(AT)),
          remindersStopped: p(fc.boolean()),
          version: p(VERSION),
          applicationPasswords: this.#list(2, () => ({
            ...{ id: p(UUID), name: p(TEXT), hash: p(UUID), appId: p(some(UUID)) },
            createdAt: p(AT),
          })).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)),
          identities: this.#list(2, () => ({
            ...{ id: this.#next('identity'), issuer: 'https://id.example', subject: p(UUID) },
            ...{ email: p(some(TEXT)), createdAt: p(AT), usedAt: p(AT) },
          })),
          notificationPreference: p(
            some(
              fc.record({
                quietStart: some(fc.constant('22:00')),
                quietEnd: some(fc.constant('07:00')),
                lockScreenNames: fc.boolean(),
                renotifyMinutes: some(fc.constant(10)),
                renotifyTimes: fc.constant(2),
                missedToCarers: fc.boolean(),
                carersWaitMinutes: some(fc.constant(15)),
                version: VERSION,
              }),
            ),
          ),
          careSetting: p(
            some(
              fc.record({
                learnedZone: some(ZONE),
                usualTimes: fc.constantFrom([], ['08:00', '08:00 20:00']),
                dayTimes: fc.constant([]),
                feedTitles: fc.boolean(),
                feedAlarms: fc.boolean(),
                version: VERSION,
              }),
            ),
          ),
        }),
      2,
    );
    for (const line of this.lines) {
      const account = line as unknown as { email: string | null; signsInByEmail: boolean };
      account.signsInByEmail = account.email !== null && p(fc.boolean());
    }
  }

  #content(): void {
    const p = <T>(arbitrary: fc.Arbitrary<T>) => this.#pick(arbitrary);
    // Parents may come behind their children, as after an edit, but are no circle.
    const ids = this.#list(6, () => this.#next('term'));
    for (const [i, id] of ids.entries()) {
      const above = ids.filter((_, j) => j % 2 === 0 && i % 2 === 1);
      this.lines.push({
        ...{
          kind: 'term',
          id,
          taxonomy: p(fc.constantFrom('category', 'post_tag')),
          name: p(TEXT),
        },
        ...{ slug: `t${i}`, description: p(TEXT) },
        parentId: above.length > 0 ? p(some(fc.constantFrom(...above))) : null,
        version: p(VERSION),
      });
    }
    this.lastIds.term ??= 1; // of the category that migrations make
    const site = {
      ...{ kind: 'site', id: 1, title: p(TEXT), tagline: p(TEXT), timeZone: p(ZONE) },
      ...{
        defaultCategoryId: ids[0] ?? 0,
        frontPageId: null,
        postsPageId: null,
        version: p(VERSION),
      },
    };
    const siteAt = this.lines.push(site) - 1;
    for (const kind of ['page', 'post', 'healthcare'])
      this.#many(4, () =>
        this.#add(
          kind,
          {
            status: p(fc.constantFrom('publish', 'future', 'draft', 'pending', 'private', 'trash')),
            ...{ title: p(TEXT), content: p(TEXT), excerpt: p(TEXT) },
            slug: `i${(this.lastIds.content_item ?? 0) + 1}`,
            ...{ password: p(TEXT), authorId: this.#account(), publishedAt: p(AT) },
            ...{ floating: p(fc.boolean()), createdAt: p(AT), modifiedAt: p(AT) },
            ...{ commentsOpen: p(fc.boolean()), pingsOpen: p(fc.boolean()) },
            ...{ sticky: p(fc.boolean()), format: p(fc.constantFrom('standard', 'quote')) },
            ...{ template: p(TEXT), footnotes: p(TEXT), featuredMediaId: p(VERSION) },
            parentId:
              kind === 'page' && this.#of(kind).length > 0
                ? p(some(fc.constantFrom(...this.#of(kind))))
                : null,
            ...{
              menuOrder: p(fc.integer({ min: -5, max: 5 })),
              guid: p(TEXT),
              version: p(VERSION),
            },
            trashedFrom: p(some(fc.constant('draft'))),
            clocks: p(some(CLOCKS)),
            insets: p(some(fc.constant({ blocks: { 1: 'y' }, embeds: { [KEY]: '<b>x</b>' } }))),
            sharesSlug: null,
            terms: ids.length > 0 ? p(fc.subarray(ids)) : [],
          },
          'content_item',
        ),
      );
    const fronts = this.lines.filter(({ kind, status }) => kind === 'page' && status !== 'trash');
    if (fronts.length > 0)
      this.lines[siteAt] = {
        ...site,
        frontPageId: p(some(fc.constantFrom(...fronts.map(({ id }) => id)))),
        postsPageId: p(some(fc.constantFrom(...fronts.map(({ id }) => id)))),
      };
    const items = ['page', 'post', 'healthcare'].flatMap((kind) => this.#of(kind));
    this.#many(3, (i) => {
      const itemId = items.length > 0 ? p(some(fc.constantFrom(...items))) : null;
      this.#add(
        'media',
        {
          ...{ title: p(TEXT), slug: `m${i}`, caption: p(TEXT), description: p(TEXT) },
          ...{ altText: p(TEXT), mimeType: 'image/png', sourceUrl: p(TEXT) },
          ...{ width: p(VERSION), height: p(VERSION) },
          sizes: p(
            fc.constantFrom([], [{ name: 'thumbnail', width: 1, height: 1, sourceUrl: '/x' }]),
          ),
          details: p(some(fc.constant({ file: 'x', sizes: {} }))),
          authorId: this.#account(),
          itemId,
          attachment: itemId === null ? p(some(ATTACHMENT)) : null,
          commentsOpen: p(some(fc.constant(true))),
          ...{ createdAt: p(AT), modifiedAt: p(AT), version: p(VERSION), clocks: p(some(CLOCKS)) },
          files: [],
        },
        'content_item',
      );
    });
    if (items.length > 0)
      this.#many(4, () =>
        this.#add('revision', {
          ...{ itemId: this.#one(items), authorId: this.#account(), autosave: false },
          ...{ title: p(TEXT), content: p(TEXT), excerpt: p(TEXT), footnotes: p(TEXT) },
          ...{ createdAt: p(AT), modifiedAt: p(AT), clocks: p(some(CLOCKS)) },
        }),
      );
  }

  #models(): void {
    const p = <T>(arbitrary: fc.Arbitrary<T>) => this.#pick(arbitrary);
    const fields = new Map<number, number>();
    this.#many(2, (i) => {
      const id = this.#next('model_part');
      const field = this.#next('model_part');
      const document = {
        ...{ name: `model${i}`, type: 'post_type', label: p(TEXT), fields: [], groups: [] },
        ...{ options: [], storage: 'meta', description: p(TEXT) },
      };
      const part = {
        ...{ id: field, name: 'word', type: 'text', label: 'Word', description: '' },
        ...{ weight: 0, groupId: null, options: [['queryable', '1']] },
      };
      const withField = { ...document, fields: [part] };
      fields.set(id, field);
      this.lines.push({
        ...{ kind: 'model', id, name: document.name, document: ordered(withField), version: 2 },
        ...{ createdAt: p(AT), updatedAt: p(AT), removedAt: null },
        numbers: [
          { id, kind: 'model' },
          { id: field, kind: 'field' },
        ],
        versions: [document, withField].map((document, number) => ({
          ...{ number: number + 1, document: ordered(document), change: p(TEXT) },
          ...{ accountId: p(some(fc.constant(this.#account()))), createdAt: p(AT) },
        })),
      });
    });
    for (const [definitionId, field] of fields)
      this.#many(3, () =>
        this.#add(
          'modelItem',
          {
            ...{ definitionId, values: p(fc.constantFrom({}, { [field]: 'Wört' })) },
            ...{ version: 1, authorId: p(some(fc.constant(this.#account()))) },
            ...{ createdAt: p(AT), updatedAt: p(AT) },
          },
          'model_item',
        ),
      );
  }

  #directory(): void {
    const p = <T>(arbitrary: fc.Arbitrary<T>) => this.#pick(arbitrary);
    this.#many(3, () =>
      this.#add('quote', {
        ...{ text: p(TEXT), author: p(some(TEXT)), languageCode: p(LANGUAGE) },
        ...{ createdAt: p(AT), version: p(VERSION) },
      }),
    );
    this.#many(2, () =>
      this.#add('video', {
        ...{ title: p(TEXT), description: p(TEXT), url: p(TEXT), durationSeconds: p(VERSION) },
        ...{ languageCode: p(LANGUAGE), captions: [], thumbnailUrl: p(some(TEXT)) },
        ...{ publishedAt: p(AT), version: p(VERSION) },
      }),
    );
    this.#many(3, () =>
      this.#add(
        'serviceType',
        {
          ...{ name: p(NAME), description: p(TEXT) },
          parentId:
            this.#of('serviceType').length > 0
              ? p(some(fc.constantFrom(...this.#of('serviceType'))))
              : null,
          version: p(VERSION),
        },
        'service_type',
      ),
    );
    this.#many(3, (i) =>
      this.#add(
        'healthcareService',
        {
          ...{ externalId: p(some(fc.constant(`s${i}`))), name: p(NAME), description: p(TEXT) },
          ...{ typeIds: p(fc.subarray(this.#of('serviceType'))), address: p(TEXT) },
          ...p(
            fc.constantFrom(
              { latitude: 48.137, longitude: -11.575 },
              { latitude: null, longitude: null },
            ),
          ),
          ...{ timeZone: p(ZONE), hours: [{ opens: '08:00', closes: '17:30', weekday: 'MONDAY' }] },
          ...{ languageCodes: ['en', 'de-AT'], phone: p(some(TEXT)), email: p(some(TEXT)) },
          ...{ url: p(some(TEXT)), accessibility: [], updatedAt: p(AT), version: p(VERSION) },
        },
        'healthcare_service',
      ),
    );
  }

  #care(): void {
    const p = <T>(arbitrary: fc.Arbitrary<T>) => this.#pick(arbitrary);
    const [first = 0, second = 0] = this.#of('account');
    if (p(fc.boolean()))
      this.#add(
        'careRelation',
        {
          ...{
            memberId: first,
            carerId: second,
            right: p(fc.constantFrom('see', 'answer', 'edit')),
          },
          ...{ position: 1, createdAt: p(AT), toldOfSilenceAt: p(some(AT)), version: p(VERSION) },
        },
        'care_relation',
      );
    this.lines.push({
      kind: 'careAssignment',
      memberId: first,
      clinicianId: second,
      createdAt: p(AT),
    });
    this.#many(2, () =>
      this.#add(
        'breakGlass',
        { memberId: first, clinicianId: second, reason: p(TEXT), createdAt: p(AT), endsAt: p(AT) },
        'break_glass',
      ),
    );
    for (const kind of ['medicine', 'appointment'] as const)
      this.#many(5, () => this.#reminder(kind));
    const medicines = this.#of('medicine');
    const amount = () => p(some(DECIMAL));
    this.#many(8, () =>
      this.#add('dose', {
        accountId: this.#account(),
        reminderId: medicines.length > 0 ? p(some(fc.constantFrom(...medicines))) : null,
        ...{ plannedAt: p(some(AT)), extra: p(fc.boolean()) },
        answer: p(fc.constantFrom('taken', 'skipped', 'refused', 'unneeded')),
        ...{ at: p(AT), name: p(TEXT), medicineType: p(some(TEXT)), note: p(some(TEXT)) },
        ...{ amount: amount(), unit: p(some(NAME)), fromStock: amount() },
        ...{ loggedById: this.#account(), loggedAt: p(AT) },
      }),
    );
    this.#many(3, (i) =>
      this.#add('device', {
        ...{ accountId: this.#account(), type: 'fcm', token: tokenOf(i), platform: p(TEXT) },
        ...{
          installation: p(some(fc.constant(`phone ${i}`))),
          createdAt: p(AT),
          lastSeenAt: p(AT),
        },
        ...{ suspendedAt: p(some(AT)), unservedAt: p(some(AT)), channel: null },
      }),
    );
    this.#many(2, (i) =>
      this.#add('device', {
        ...{ accountId: this.#account(), type: 'sms', token: `+4915112345${i}`, platform: '' },
        ...{ installation: null, createdAt: p(AT), lastSeenAt: p(AT), suspendedAt: p(some(AT)) },
        ...{ unservedAt: null, channel: { verifiedAt: p(some(AT)), version: p(VERSION) } },
      }),
    );
    this.#many(4, () =>
      this.#add('notification', {
        ...{ accountId: this.#account(), createdBy: p(some(fc.constant(first))) },
        ...{
          aboutId: p(some(fc.constant(second))),
          type: 'message',
          title: p(TEXT),
          body: p(TEXT),
        },
        ...{ data: '', messageId: p(UUID), silent: p(fc.boolean()), deviceId: p(some(VERSION)) },
        ...{ state: 'queued', createdAt: p(AT), sendAt: p(AT), readAt: p(some(AT)) },
      }),
    );
  }

  #reminder(kind: 'medicine' | 'appointment'): void {
    const p = <T>(arbitrary: fc.Arbitrary<T>) => this.#pick(arbitrary);
    const accountId = this.#account();
    this.#add(
      kind,
      {
        ...{ accountId, creatorId: this.#account(), name: p(TEXT), description: p(some(TEXT)) },
        medicineType: kind === 'medicine' ? p(some(NAME)) : null,
        frequencyType:
          kind === 'medicine'
            ? p(
                fc.constantFrom(
                  'twice_a_day',
                  'weekly',
                  'as_needed',
                  'every 6 hours',
                  'now\u00a0and then',
                  null,
                ),
              )
            : null,
        ...{ schedule: null, startDate: '2026-03-01', endDate: p(some(fc.constant('2026-04-01'))) },
        ...{
          createdDate: p(some(fc.constant('2026-03-01'))),
          remindBefore: p(some(fc.constant('1d'))),
        },
        ...{ eventType: p(some(TEXT)), scheduled: p(fc.boolean()), recognized: p(fc.boolean()) },
        ...{ follows: p(fc.boolean()), zone: p(ZONE), zoneSource: 'profile' },
        ...{ startLocal: '2026-03-01T08:00:00', times: ['08:00', '20:00'], timesSource: 'usual' },
        ...{ untilAt: p(some(AT)), suppliedUntil: p(some(AT)), ownUntilAt: p(some(AT)) },
        ...{ leadSeconds: p(fc.constantFrom(0, 86400)), planFrom: p(some(AT)) },
        ...{ withheld: p(fc.array(AT, { maxLength: 2 })), doseUnit: p(some(NAME)) },
        ...{ maxPerDay: p(some(VERSION)), leastInterval: p(some(VERSION)), reading: 1 },
        ...{ doubtedAt: p(some(AT)), confirmedAt: p(some(AT)), attendedAt: p(some(AT)) },
        ...{ createdAt: p(AT), updatedAt: p(AT), deletedAt: p(some(AT)), version: p(VERSION) },
        pastPlans: this.#list(1, () => ({
          ...{ id: this.#next('past_plan'), frequencyType: p(some(TEXT)), schedule: null },
          ...{ zone: p(ZONE), startLocal: '2026-01-01T08:00:00', times: ['08:00'] },
          ...{ untilAt: p(some(AT)), fromAt: p(some(AT)), toAt: p(AT) },
        })),
        pauses: this.#list(2, () => ({
          ...{ id: this.#next('reminder_pause'), fromAt: p(AT), untilAt: p(some(AT)) },
          ...{ madeById: accountId, createdAt: p(AT) },
        })),
        amounts: this.#list(kind === 'medicine' ? 2 : 0, () => ({
          ...{ id: this.#next('dose_amount'), startsOn: '2026-03-01', startsAt: p(some(AT)) },
          ...{
            time: p(fc.constantFrom(null, '08:00')),
            amount: '1.5',
            upTo: p(some(fc.constant('2'))),
          },
          weekdays: [],
        })),
        stock: p(fc.boolean())
          ? {
              ...{ amount: p(DECIMAL), unit: p(NAME), isCertain: p(fc.boolean()), noticeDays: 7 },
              ...{
                countedAt: p(AT),
                lookAt: p(some(AT)),
                lowToldAt: p(some(AT)),
                version: p(VERSION),
              },
            }
          : null,
        packs: [],
      },
      'reminder',
    );
    const line = this.lines.at(-1) as unknown as { stock: unknown; packs: unknown };
    if (line.stock)
      line.packs = this.#list(2, () => ({
        ...{ id: this.#next('medicine_pack'), amount: p(DECIMAL), expiresOn: '2027-01-31' },
        toldAt: p(some(AT)),
      }));
  }

  #polls(): void {
    const p = <T>(arbitrary: fc.Arbitrary<T>) => this.#pick(arbitrary);
    const options = new Map<number, number[]>();
    this.#many(2, (i) => {
      const own = this.#list(3, (position) => ({
        ...{ id: this.#next('poll_option'), position, text: p(NAME), votes: p(VERSION) },
      }));
      const id = this.#add('poll', {
        ...{
          externalId: p(some(fc.constant(`p${i}`))),
          question: p(TEXT),
          multiple: p(fc.boolean()),
        },
        ...{ statement: p(some(TEXT)), visibility: 'after_answering', opensAt: p(AT) },
        ...{
          closesAt: p(some(AT)),
          participants: p(VERSION),
          version: p(VERSION),
          createdAt: p(AT),
        },
        options: own,
      });
      options.set(
        id,
        own.map(({ id }) => id),
      );
    });
    for (const kind of ['answer', 'pollAgreement'])
      for (const pollId of this.#of('poll'))
        for (const accountId of p(fc.subarray(this.#of('account'))))
          this.lines.push(
            kind === 'answer'
              ? {
                  ...{
                    kind,
                    pollId,
                    accountId,
                    optionIds: p(fc.subarray(options.get(pollId) ?? [])),
                  },
                  submittedAt: p(AT),
                }
              : { kind, pollId, accountId, agreedAt: p(AT) },
          );
    this.#many(2, (i) =>
      this.#add('policy', {
        ...{
          language: p(LANGUAGE),
          number: i + 1,
          title: p(NAME),
          text: '<p>Text &amp; <b>more</b></p>',
        },
        ...{ effectiveAt: p(AT), agreed: p(VERSION), createdAt: p(AT) },
      }),
    );
    for (const policyId of this.#of('policy'))
      for (const accountId of p(fc.subarray(this.#of('account'))))
        this.lines.push({ kind: 'policyAgreement', policyId, accountId, agreedAt: p(AT) });
  }

  #rest(): void {
    const p = <T>(arbitrary: fc.Arbitrary<T>) => this.#pick(arbitrary);
    this.#many(2, () =>
      this.#add('form', {
        ...{ name: p(NAME), scoreLeast: '-1.50', scoreMost: '100.00', retentionDays: 180 },
        ...{ open: p(fc.boolean()), createdAt: p(AT), version: p(VERSION) },
      }),
    );
    this.#many(3, () =>
      this.#add(
        'submission',
        {
          formId:
            this.#of('form').length > 0 ? p(some(fc.constantFrom(...this.#of('form')))) : null,
          ...{ accountId: p(some(fc.constant(this.#account()))), platform: p(TEXT) },
          person: {
            ...{ name: p(TEXT), email: p(TEXT), phone: p(TEXT), phoneE164: null },
            score: p(some(VERSION)),
          },
          ...{ receivedAt: p(AT), marks: p(fc.subarray(['phone', 'score'])) },
        },
        'form_submission',
      ),
    );
    this.#many(2, () =>
      this.#add(
        'savedReport',
        {
          ...{ accountId: this.#account(), name: p(TEXT), query: p(TEXT), variables: '{}' },
          ...{
            view: p(some(fc.constant('TABLE'))),
            measure: p(some(TEXT)),
            isShared: p(fc.boolean()),
          },
          ...{ modifiedAt: p(AT), version: p(VERSION) },
          unsubscriptions: p(fc.subarray(this.#of('account'))).map((accountId) => ({
            accountId,
            at: p(AT),
          })),
        },
        'saved_report',
      ),
    );
    for (const reportId of this.#of('savedReport'))
      this.#add(
        'reportMailing',
        {
          ...{ reportId, every: 'week', day: 1, hour: 8, nextOn: '2026-03-02', dueAt: p(AT) },
          recipients: this.#list(1, () => ({
            ...{ id: this.#next('report_mailing_recipient'), accountId: this.#account() },
            unsubscribedAt: p(some(AT)),
          })),
        },
        'report_mailing',
      );
  }

  /** Returns the lines of the export that the world is. */
  texts(): string[] {
    const lastIds = Object.fromEntries(
      Object.entries(this.lastIds).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    return [
      { kind: 'care-export', version: 1, lastIds },
      ...this.lines,
      { kind: 'end', lines: this.lines.length },
    ].map((line) => JSON.stringify(line));
  }
}

/** Returns an object as the database stores JSON: shorter names first, then by their letters. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, one]) => [name, ordered(one)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)));
}

/** Returns a token such as FCM issues. */
const tokenOf = (i: number) =>
  `dA1b2C3d4E5f6G7h8I9j${i}:APA91b${'aB3dE5gH7jK9mN1pQ3sT'.repeat(7)}${i}`;
