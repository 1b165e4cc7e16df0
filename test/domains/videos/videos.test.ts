import { embedOf, providerOf } from '../../../src/domains/videos/provider.js';
import { errorCode, mutation, useService } from '../../support/harness.js';

const service = useService();
const VIDEO = {
  title: 'x',
  url: 'https://cdn.example/x.mp4',
  durationSeconds: 60,
  languageCode: 'en',
};
const make = (input: object = {}) =>
  service().ask(
    mutation('createVideo', 'video { id databaseId version captions { label } }'),
    { input: { ...VIDEO, ...input } },
    'editor',
  );
const update = (input: object) =>
  service().ask(
    mutation('updateVideo', 'video { title description version thumbnailUrl }'),
    { input },
    'editor',
  );

describe('Videos', () => {
  it('are changed on the version that was read; else CONFLICT, which changes nothing', async () => {
    const { id, version } = (await make({ description: 'long' })).data.createVideo.video;
    const { data } = await update({ id, version, title: 'y' });
    expect(data.updateVideo.video).toStrictEqual({
      title: 'y',
      description: 'long',
      version: 1,
      thumbnailUrl: null,
    });
    expect(errorCode(await update({ id, version, title: 'z' }))).toBe('CONFLICT');
    expect((await update({ id, description: null })).data.updateVideo.video).toMatchObject({
      title: 'y',
      description: '',
    });
  });

  it('tell all mistakes of an input at once', async () => {
    const captions = Array.from({ length: 21 }, () => ({
      languageCode: 'en',
      label: 'x',
      url: 'https://cdn.example/x.vtt',
    }));
    expect(errorCode(await make({ captions }))).toBe('TOO_MANY');
    const body = await make({ durationSeconds: 0, languageCode: '?', url: 'ftp://x', title: '' });
    expect(
      body.errors[0].extensions.problems.map(({ path }: { path: string[] }) => path[1]).sort(),
    ).toStrictEqual(['durationSeconds', 'languageCode', 'title', 'url']);
  });

  it('are listed as connections both ways, with the cursor of another order refused', async () => {
    for (const title of ['a', 'b', 'c', 'd']) await make({ title });
    const page = (args: string) =>
      service().ask(`{ videos(${args}) { nodes { title } totalCount pageInfo { endCursor
        startCursor hasNextPage hasPreviousPage } } }`);
    const titles = (body: { data: { videos: { nodes: { title: string }[] } } }) =>
      body.data.videos.nodes.map(({ title }) => title).join('');
    const first = await page('first: 2');
    expect(titles(first)).toBe('dc');
    const { endCursor } = first.data.videos.pageInfo;
    expect(titles(await page(`first: 2, after: "${endCursor}"`))).toBe('ba');
    expect(titles(await page('last: 1'))).toBe('a');
    expect(first.data.videos.totalCount).toBe(4);
    expect(errorCode(await page('first: 1, after: "x"'))).toBe('CURSOR_INVALID');
  });

  it('are read again by their global ids; those of the future by editors alone', async () => {
    const { id } = (await make({ publishedAt: '2999-01-01T00:00:00Z' })).data.createVideo.video;
    const node = async (as: 'subscriber' | 'editor') =>
      (await service().data(`{ node(id: "${id}") { id } }`, {}, as)).node;
    expect(await node('subscriber')).toBeNull();
    expect(await node('editor')).toStrictEqual({ id });
  });

  it('belong to the provider of their address', () => {
    const known = {
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ': 'youtube',
      'https://www.youtube.com/watch?t=4&v=dQw4w9WgXcQ': 'youtube',
      'https://youtu.be/dQw4w9WgXcQ?t=3': 'youtube',
      'https://vimeo.com/76979871': 'vimeo',
      'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ': 'file',
      'https://evil.example/?https://vimeo.com/76979871': 'file',
      'https://www.youtube.com/watch?v="><script>': 'file',
    };
    for (const [url, provider] of Object.entries(known)) {
      expect(providerOf(url)).toBe(provider);
      expect(embedOf(url) === null).toBe(provider === 'file');
    }
  });
});
