import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Deps } from '../../../src/core/deps.js';
import { adminUrl, startError, withServer } from '../../faults/databases.js';
import { dataFolder, startService } from '../../faults/service.js';
import {
  type Environment,
  exported,
  imported,
  linesIn,
  linesOf,
  PASSWORD,
  place,
  rewrite,
  startDemo,
  within,
} from './world.js';

const KEY = 'ab'.repeat(16);
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n');

/** Adds what the demo does not have. */
async function enrich({ database, storage }: Deps): Promise<void> {
  const { prisma } = database;
  const [author] = await prisma.account.findMany({ orderBy: { id: 'asc' } });
  const authorId = author?.id ?? 0;
  const at = new Date('2026-02-03T04:05:06.789Z');
  await prisma.applicationPassword.create({
    data: {
      id: '11111111-2222-4333-8444-555555555555',
      accountId: authorId,
      name: 'Robot',
      hash: 'x'.repeat(64),
      createdAt: at,
    },
  });
  await prisma.identity.create({
    data: {
      accountId: authorId,
      issuer: 'https://id.example',
      subject: 's',
      email: null,
      createdAt: at,
      usedAt: at,
    },
  });
  await prisma.account.create({
    data: {
      username: 'Gone',
      usernameKey: 'gone',
      name: 'Gone "quoted" \\ ünï 💊',
      slug: 'gone',
      roles: ['subscriber'],
      suspendedAt: at,
      remindersStopped: true,
      timeZone: 'Europe/Berlin',
      passwordHash: null,
    },
  });
  // A parent that was made after its child.
  const child = await prisma.term.create({
    data: { taxonomy: 'category', name: 'Child', nameKey: 'child', slug: 'child' },
  });
  const parent = await prisma.term.create({
    data: { taxonomy: 'category', name: 'Parent', nameKey: 'parent', slug: 'parent' },
  });
  await prisma.term.update({ where: { id: child.id }, data: { parentId: parent.id } });
  await storage.put(KEY, Readable.from([PDF]), PDF.length);
  const [{ id = 0 } = {}] = await database.query<{ id: number }>(
    `SELECT nextval('content_item_id_seq')::int AS id`,
  );
  await prisma.media.create({
    data: {
      id,
      title: 'Leaflet',
      slug: 'leaflet',
      mimeType: 'application/pdf',
      sourceUrl: `/files/${KEY}/leaflet.pdf`,
      authorId,
      createdAt: at,
      modifiedAt: at,
    },
  });
  await prisma.mediaFile.create({
    data: {
      key: KEY,
      mediaId: id,
      name: 'leaflet.pdf',
      mimeType: 'application/pdf',
      bytes: PDF.length,
      sha256: createHash('sha256').update(PDF).digest('hex'),
    },
  });
}

interface Tally {
  readonly read: number;
  readonly unchanged: number;
}

async function makeWorld(environment: Environment): Promise<void> {
  await startDemo(environment);
  await within(environment, enrich);
}

describe('An export', () => {
  const from = place();
  const folder = join(dataFolder(), 'export');
  let said: Awaited<ReturnType<typeof exported>>;
  beforeAll(async () => {
    await makeWorld(from);
    said = await exported(from, folder);
  });

  it('says what it holds', () => {
    expect(said).toStrictEqual({
      status: 0,
      lines: [expect.stringMatching(/export holds \d+ lines and 1 files of media\.$/)],
    });
  });

  it('comes back from an empty service byte by byte', async () => {
    const to = place();
    const { status, lines } = await imported(to, folder);
    expect([status, lines.join('\n')]).toStrictEqual([0, expect.not.stringMatching(/refused \(/)]);
    const again = join(dataFolder(), 'again');
    await exported(to, again);
    expect(linesIn(again)).toStrictEqual(linesIn(folder));
    expect(readFileSync(join(again, 'care.ndjson'))).toStrictEqual(
      readFileSync(join(folder, 'care.ndjson')),
    );
    expect(readFileSync(join(again, 'files', KEY))).toStrictEqual(PDF);
  });

  it('is imported once: the second import changes nothing', async () => {
    const to = place();
    await imported(to, folder);
    const json = join(dataFolder(), 'report.json');
    expect((await imported(to, folder, '--json', json)).status).toBe(0);
    const { kinds } = JSON.parse(readFileSync(json, 'utf8')) as { kinds: Record<string, Tally> };
    for (const tally of Object.values(kinds)) expect(tally.unchanged).toBe(tally.read);
  });

  it('brings people, who sign in with their passwords, and files at their addresses', async () => {
    const to = place();
    await imported(to, folder);
    const { url, child } = await startService({ environment: { ...to, LOG_LEVEL: 'info' } });
    const query = `mutation { login(input: { username: "admin", password: "${PASSWORD}" }) { token } }`;
    const login = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const file = await fetch(`${url}/files/${KEY}/leaflet.pdf`);
    const bytes = Buffer.from(await file.arrayBuffer());
    await child.kill();
    expect(await login.json()).toMatchObject({ data: { login: { token: expect.any(String) } } });
    expect([file.status, bytes]).toStrictEqual([200, PDF]);
  });

  it('is readable by its owner alone, and is in the audit', async () => {
    const files = ['care.ndjson', 'fhir.ndjson', 'manifest.json', `files/${KEY}`];
    const modes = files.map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toStrictEqual([0o600, 0o600, 0o600, 0o600]);
    expect(readdirSync(folder).sort()).toStrictEqual([
      ...['care.ndjson', 'content.xml', 'fhir.ndjson', 'files', 'manifest.json'],
    ]);
    const events = await within(from, ({ database }) =>
      database.prisma.auditEvent.findMany({ where: { action: 'organisation.export' } }),
    );
    expect(events).toMatchObject([{ actorId: null, subjectId: null }]);
  });

  it('holds no secret of the service that it is of', () => {
    const text = readFileSync(join(folder, 'care.ndjson'), 'utf8');
    for (const word of ['feedHash', 'codeHash', 'sealed', 'tokenHash', 'macs'])
      expect(text).not.toContain(word);
  });

  it('needs an empty folder', async () => {
    await expect(exported(from, folder)).rejects.toSatisfy(
      startError(/ is not empty: choose a new folder for the export\.$/),
    );
    await expect(exported(from, '--all')).rejects.toSatisfy(startError(/^Usage: npm run export/));
    const file = join(dataFolder(), 'file');
    writeFileSync(file, '');
    await expect(exported(from, file)).rejects.toSatisfy(
      startError(/^The file system refuses \(EEXIST\): the export in \S+ is not whole\.$/),
    );
  });

  const copied = () => {
    const copy = join(dataFolder(), 'copy');
    cpSync(folder, copy, { recursive: true });
    return copy;
  };
  const refused = async (path: string, sentence: RegExp) => {
    const to = place();
    await expect(imported(to, path)).rejects.toSatisfy(startError(sentence));
    expect(existsSync(to.DATA_DIR as string)).toBe(false);
  };

  it('comes back byte by byte where fields that are null are left out', async () => {
    const to = place();
    const copy = copied();
    const sparse = (value: object) =>
      Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
    const parts = ['applicationPasswords', 'identities', 'files', 'pauses', 'pastPlans'];
    rewrite(copy, (lines) =>
      lines.map((text) => {
        const line = sparse(JSON.parse(text));
        for (const part of parts) if (line[part]) line[part] = line[part].map(sparse);
        return JSON.stringify(line);
      }),
    );
    expect(linesIn(copy)).not.toStrictEqual(linesIn(folder));
    expect((await imported(to, copy)).status).toBe(0);
    const again = join(dataFolder(), 'again');
    await exported(to, again);
    expect(linesIn(again)).toStrictEqual(linesIn(folder));
  });

  it('is refused when it was cut or changed anywhere, and makes no database', async () => {
    const text = readFileSync(join(folder, 'care.ndjson'), 'utf8');
    const cut = copied();
    truncateSync(join(cut, 'care.ndjson'), text.length >> 1);
    await refused(cut, /care\.ndjson line \d+: it is no JSON object, or it is cut short\.$/);
    const lines = text.trimEnd().split('\n');
    const shorter = copied();
    writeFileSync(join(shorter, 'care.ndjson'), `${lines.slice(0, 20).join('\n')}\n`);
    await refused(shorter, /care\.ndjson is cut short: its last line is missing\.$/);
    const fewer = copied();
    writeFileSync(join(fewer, 'care.ndjson'), `${lines.filter((_, i) => i !== 5).join('\n')}\n`);
    await refused(fewer, /care\.ndjson is not whole: \d+ of \d+ lines are in it\.$/);
    const other = copied();
    writeFileSync(join(other, 'care.ndjson'), text.replace('Mina', 'Tina'));
    await refused(other, /care\.ndjson is not as its manifest says: it was cut or changed\.$/);
    const unfinished = copied();
    rmSync(join(unfinished, 'manifest.json'));
    await refused(unfinished, /copy is no whole export: its manifest\.json is missing\.$/);
  });

  it('is refused when it is none, or of a form that is not known', async () => {
    const file = join(dataFolder(), 'other.ndjson');
    writeFileSync(file, '{"kind":"account"}\n');
    await refused(file, /other\.ndjson is no export of this service\.$/);
    writeFileSync(file, '{"kind":"care-export","version":2}\n');
    await refused(file, /other\.ndjson has a form that is not known here: version 2\.$/);
    const head = '{"kind":"care-export","version":1,"lastIds":{}}\n';
    writeFileSync(file, `${head}{"kind":"wish"}\n`);
    await refused(file, /other\.ndjson line 2: its kind is not known here: wish\.$/);
    writeFileSync(file, `${head}{"kind":"term","id":1}\n{"kind":"account","id":1}\n`);
    await refused(file, /line 3: lines of a later kind stand before it\.$/);
    writeFileSync(file, `${head}{"kind":"term","id":2}\n{"kind":"term","id":2}\n`);
    await refused(file, /line 3: its number is not above that of the line before it\.$/);
    await refused(join(dataFolder(), 'none.ndjson'), / cannot be read \(ENOENT\)\.$/);
  });

  it('has its lines refused one by one that do not fit, and takes the others', async () => {
    const copy = copied();
    rewrite(copy, (lines) =>
      lines.map((line) => {
        if (line.includes('"username":"gone"') || line.includes('"username":"Gone"'))
          return line.replace('"roles":["subscriber"]', '"roles":["king"]');
        if (line.includes('"slug":"child"'))
          return line.replace(/"parentId":\d+/, '"parentId":9999');
        if (line.startsWith('{"kind":"quote","id":1,'))
          return line.replace('"version":0', '"wish":0');
        if (line.startsWith('{"kind":"video","id":1,'))
          return line.replace(/"publishedAt":"[^"]+"/, '"publishedAt":"soon"');
        return line;
      }),
    );
    const json = join(dataFolder(), 'report.json');
    expect((await imported(place(), copy, '--json', json)).status).toBe(1);
    const { remarks } = JSON.parse(readFileSync(json, 'utf8'));
    expect(remarks).toMatchObject([
      {
        at: expect.stringMatching(/^account \d+$/),
        outcome: 'refused',
        reason: 'it has a role that does not exist here',
      },
      {
        at: expect.stringMatching(/^term \d+$/),
        outcome: 'imported',
        reason: 'its parent is below it, or is not in the export: it has no parent here',
      },
      {
        at: 'quote 1',
        outcome: 'refused',
        reason: "its fields do not fit: it must have required property 'version'",
      },
      {
        at: 'video 1',
        outcome: 'refused',
        reason: expect.stringMatching(/^its fields do not fit: publishedAt must match pattern/),
      },
    ]);
  });

  it('has no front page where that is no page that came along', async () => {
    const to = place();
    const copy = copied();
    const front = (id: number) => (line: string) =>
      line.startsWith('{"kind":"site"')
        ? line.replaceAll(/"(front|posts)PageId":(\d+|null)/g, `"$1PageId":${id}`)
        : line;
    rewrite(copy, (lines) => lines.map(front(999_999)));
    expect((await imported(to, copy)).status).toBe(0);
    const again = join(dataFolder(), 'again');
    await exported(to, again);
    expect(linesOf(again, 'site')).toMatchObject([{ frontPageId: null, postsPageId: null }]);
  });

  it('has a file refused with other bytes, and tells of one that is missing', async () => {
    const copy = copied();
    writeFileSync(join(copy, 'files', KEY), '%PDF-1.5\n%%EOF\n');
    const other = await imported(place(), copy);
    expect([other.status, other.lines.join()]).toStrictEqual([
      1,
      expect.stringContaining('a file of it is not as its line says (media '),
    ]);
    rmSync(join(copy, 'files', KEY));
    const without = await imported(place(), copy);
    expect([without.status, without.lines.join()]).toStrictEqual([
      0,
      expect.stringContaining('a file of it is not beside the export (media '),
    ]);
  });

  it('says which file the storage lacks', async () => {
    const lacking = place();
    await makeWorld(lacking);
    rmSync(join(lacking.DATA_DIR as string, 'files', KEY.slice(0, 2), KEY));
    const { status, lines } = await exported(lacking, join(dataFolder(), 'lacking'));
    expect([status, lines[1]]).toStrictEqual([
      1,
      expect.stringMatching(/^The storage lacks a file of the medium \d+, or has another one: ab/),
    ]);
  });

  it('is checked without writing anything', async () => {
    const to = place();
    await within(to, async () => {});
    const { status, lines } = await imported(to, folder, '--check');
    expect([status, lines.at(-1)]).toStrictEqual([0, 'Nothing was written: --check.']);
    const count = await within(to, ({ database }) => database.prisma.account.count());
    expect(count).toBe(0);
  });

  it('refuses lines whose numbers rows of the service have', async () => {
    const to = place();
    await startDemo(to);
    const { status, lines } = await imported(to, folder);
    expect([status, lines.join('\n')]).toStrictEqual([
      1,
      expect.stringMatching(/its number is taken by a row that was not imported \(account 1,/),
    ]);
  });

  it('gives no number again that its service has given', async () => {
    const to = place();
    await imported(to, folder);
    const lastIds = JSON.parse(linesIn(folder)[0] as string).lastIds as Record<string, number>;
    const [row] = await within(to, ({ database }) =>
      database.query<{ id: number }>(`SELECT nextval('content_item_id_seq')::int AS id`),
    );
    expect(row?.id).toBe((lastIds.content_item as number) + 1);
  });
});

(adminUrl ? describe : describe.skip)('An export of PostgreSQL', () => {
  it('comes back from an empty service byte by byte, and from the embedded database', () =>
    withServer((source) =>
      withServer(async (target) => {
        const from = place({ DATABASE_URL: source });
        await makeWorld(from);
        const folder = join(dataFolder(), 'export');
        await exported(from, folder);
        const to = place({ DATABASE_URL: target });
        await within(to, async () => {});
        for (const one of [to, place()]) {
          expect((await imported(one, folder)).status).toBe(0);
          const again = join(dataFolder(), 'again');
          await exported(one, again);
          expect(linesIn(again)).toStrictEqual(linesIn(folder));
        }
      }),
    ));

  it('is of one instant while others write', () =>
    withServer(async (source) => {
      const from = place({ DATABASE_URL: source });
      await makeWorld(from);
      let isOver = false;
      const writing = within(from, async ({ database }) => {
        for (let i = 0; !isOver; i++)
          await database.transaction(async (db) => {
            const data = { createdAt: new Date(), languageCode: 'en' };
            await db.quote.create({ data: { ...data, text: `x${i}` } });
            await db.form.create({
              data: {
                name: `x${i}`,
                scoreLeast: 0,
                scoreMost: 1,
                retentionDays: 1,
                createdAt: new Date(),
              },
            });
          });
      });
      const folder = join(dataFolder(), 'export');
      await exported(from, folder);
      isOver = true;
      await writing;
      const made = (kind: string, field: string) =>
        linesOf(folder, kind).filter((line) => String(line[field]).startsWith('x')).length;
      expect(made('form', 'name')).toBe(made('quote', 'text'));
    }));
});
