import { createHash } from 'node:crypto';
import { importFrom } from '../../src/app/moving/importing.service.js';
import { MysqlSource } from '../../src/app/moving/mysql-source.js';
import { useService } from '../support/harness.js';
import { Original } from './original.js';

const SERVER = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1/';

/** What the original knows of a picture of 600 by 400 pixels, as PHP serializes it. */
const METADATA =
  'a:4:{s:5:"width";i:600;s:6:"height";i:400;s:4:"file";s:13:"2020/01/p.png";s:5:"sizes";a:1:{' +
  's:6:"medium";a:4:{s:4:"file";s:13:"p-300x200.png";s:5:"width";i:300;s:6:"height";i:200;' +
  's:9:"mime-type";s:9:"image/png";}}}';
const MEDIUM = {
  ...{ post_type: 'attachment', post_status: 'inherit', post_mime_type: 'image/png' },
};

describe('The contents of an import', () => {
  const service = useService();
  let original: Original;
  beforeEach(async () => {
    original = await Original.make(SERVER);
  });
  afterEach(() => original.drop());

  async function run() {
    const source = await MysqlSource.open(original.address);
    const options = { check: false, overwrite: false, progress: () => {} };
    return importFrom(source, service().app.deps, options).finally(() => source.close());
  }
  const get = async (path: string) => (await service().rest('GET', path)).body;
  const medium = (ID: number, more = {}) =>
    original.post(
      { ID, ...MEDIUM, post_name: `p${ID}`, ...more },
      { _wp_attached_file: '2020/01/p.png', _wp_attachment_metadata: METADATA },
    );

  it('show galleries and pictures of media, as these are when they are read', async () => {
    await medium(5, { post_excerpt: 'Before' });
    await medium(6, { post_parent: 8 });
    const picture =
      '<img src="https://clinic.example/wp-content/uploads/2020/01/p.png" class="wp-image-5" />';
    await original.post({ ID: 7, post_content: `[gallery ids="5" link="none"]\n\n${picture}` });
    await original.post({ ID: 8, post_content: '[gallery]', post_name: 'eight' });
    await run();
    const { content, excerpt } = await get('/v1/posts/7');
    expect(content.rendered).toContain("id='gallery-1-5'>\n\t\t\t\tBefore\n");
    expect(content.rendered).toContain(
      'srcset="https://clinic.example/wp-content/uploads/2020/01/p.png 600w, ' +
        'https://clinic.example/wp-content/uploads/2020/01/p-300x200.png 300w" ' +
        'sizes="auto, (max-width: 600px) 100vw, 600px" />',
    );
    expect(excerpt.rendered).toBe('');
    expect((await get('/v1/posts/8')).content.rendered).toContain("/eight/p6/'><img loading");
    await original.change("UPDATE wp_posts SET post_excerpt = 'Later' WHERE ID = 5");
    await run();
    expect((await get('/v1/posts/7')).content.rendered).toContain('Later');
  });

  it('show what the original kept of embeds, also after an edit here', async () => {
    const url = 'https://v.example/7';
    const key = createHash('md5')
      .update(`${url}a:2:{s:5:"width";i:500;s:6:"height";i:750;}`)
      .digest('hex');
    const meta = {
      [`_oembed_${key}`]: '<b>Film</b>',
      [`_oembed_${'0'.repeat(32)}`]: '{{unknown}}',
    };
    await original.post({ ID: 7, post_content: `Look:\n\n${url}` }, meta);
    await run();
    const texts = async () => {
      const { content, excerpt } = await get('/v1/posts/7');
      return [content.rendered, excerpt.rendered];
    };
    const shown = ['<p>Look:</p>\n<p><b>Film</b></p>\n', '<p>Look: Film</p>\n'];
    expect(await texts()).toStrictEqual(shown);
    const headers = await service().session('administrator');
    const body = { title: 'New' };
    expect((await service().rest('POST', '/v1/posts/7', { headers, body })).status).toBe(200);
    expect(await texts()).toStrictEqual(shown);
  });

  it('are reported where the original makes a block of other rows', async () => {
    const post_content = '<!-- wp:latest-posts /-->\n<!-- wp:search {"label":"x"} /-->';
    await original.post({ ID: 7, post_content });
    const { reasons } = await run();
    expect(Object.fromEntries(reasons)).toMatchObject({
      'post: its block latest-posts shows nothing here': 1,
      'post: its block search shows nothing here': 1,
    });
  });

  it('show the image of a smiley at the address of the site, and signs of others', async () => {
    await original.post({ ID: 7, post_content: 'Well :mrgreen: :)', post_title: 'Wordpress :)' });
    await run();
    const { content, title } = await get('/v1/posts/7');
    expect(content.rendered).toBe(
      `<p>Well <img src="${service().url}/wp-includes/images/smilies/mrgreen.png" alt=":mrgreen:" ` +
        'class="wp-smiley" style="height: 1em; max-height: 1em;" /> 🙂</p>\n',
    );
    expect(title.rendered).toBe('WordPress :)');
  });

  it('show reused blocks that are published, as they are in the original at the last import', async () => {
    const block = { post_type: 'wp_block', post_status: 'publish' };
    const text = (words: string) => `<!-- wp:paragraph --><p>${words}</p><!-- /wp:paragraph -->`;
    const reuse = (id: number) => `<!-- wp:block {"ref":${id}} /-->`;
    await original.post({ ID: 5, ...block, post_content: text('one') + reuse(6) + reuse(5) });
    await original.post({ ID: 6, ...block, post_content: text('two') + reuse(4) });
    await original.post({ ID: 4, ...block, post_content: text('no'), post_status: 'draft' });
    await original.post({ ID: 7, post_content: `${reuse(5)}${reuse(99)}` });
    await run();
    const shown = async () => (await get('/v1/posts/7')).content.rendered;
    expect(await shown()).toBe('<p>one</p><p>two</p>');
    await original.change('UPDATE wp_posts SET post_content = ? WHERE ID = 6', [text('three')]);
    await run();
    expect(await shown()).toBe('<p>one</p><p>three</p>');
  });
});
