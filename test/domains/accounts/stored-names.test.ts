import { readMigrations } from '../../../src/platform/database/migrations.js';
import { useService } from '../../support/harness.js';

const service = useService();

test('names that were stored with tags are cleaned once, and others stay', async () => {
  const { prisma } = service().database;
  const { id } = await service().account('author');
  const rows: readonly (readonly [stored: string, cleaned: string])[] = [
    ['<img src=x onerror=y> Mina', 'img src=x onerror=y> Mina'],
    ['Mina</b><!-- x', 'Mina /b> !-- x'],
    ['Mina <3', 'Mina <3'],
    ['<a', 'a'],
  ];
  const [migration] = readMigrations().filter(({ name }) => name.endsWith('names_without_tags'));
  for (const [stored, cleaned] of rows) {
    await prisma.account.update({ where: { id }, data: { name: stored } });
    await prisma.$executeRawUnsafe(migration?.script ?? '');
    expect(await service().data('{ viewer { account { name } } }', {}, 'author')).toStrictEqual({
      viewer: { account: { name: cleaned } },
    });
  }
});
