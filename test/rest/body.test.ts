import fc from 'fast-check';
import { BodyError, parseBody } from '../../src/rest/body.js';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const parse = async (type: string | undefined, text: string | Buffer) =>
  plain(await parseBody(type, Buffer.from(text)));
const json = (text: string | Buffer) => parse('application/json', text);
const refuses = (text: string | Buffer, json_error_code: number, json_error_message: string) =>
  expect(json(text)).rejects.toSatisfy((error) => {
    expect(error).toBeInstanceOf(BodyError);
    expect([error.status, error.code, error.data]).toStrictEqual([
      400,
      'rest_invalid_json',
      { json_error_code, json_error_message },
    ]);
    return true;
  });
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const part = (name: string, value: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const multipart = (...parts: string[]) =>
  parse('multipart/form-data; boundary=x', `${parts.join('')}--x--\r\n`);

describe('the content type decides', () => {
  it('JSON has several', async () => {
    for (const type of [
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/vnd.api+json',
      'application/ld+json ;a=b',
    ])
      expect(await parse(type, '{"a":1}'), type).toStrictEqual({ json: { a: 1 } });
  });
  it('forms have two', async () => {
    expect(
      await parse(
        'application/x-www-form-urlencoded; charset=UTF-8',
        'title=Form+x&categories[]=2',
      ),
    ).toStrictEqual({
      form: { title: 'Form x', categories: ['2'] },
    });
    expect(await multipart(part('a', '1'))).toStrictEqual({ form: { a: '1' } });
  });
  it('any other body is ignored', async () => {
    for (const type of [
      undefined,
      '',
      'text/plain',
      'application/jsonp',
      'text/json',
      'application/xml',
    ])
      expect(await parse(type, '{"a":1}'), type).toStrictEqual({});
  });
});

describe('a JSON body', () => {
  it('has no fields when it is empty, null, a scalar or a list', async () => {
    for (const text of ['', 'null', '5', '"x"', 'true', '[]', '[{"a":1}]', ' {} '])
      expect(await json(text)).toStrictEqual({ json: {} });
  });
  it('is refused when it is malformed', async () => {
    for (const text of [
      '{"title": ',
      '{',
      ' ',
      '{a:1}',
      '\uFEFF{}',
      '{"a":1}x',
      "{'a':1}",
      '{"a":NaN}',
    ])
      await refuses(text, 4, 'Syntax error');
    await refuses(
      '{"a":"line\nbreak"}',
      3,
      'Control character error, possibly incorrectly encoded',
    );
  });
  it('is refused when it is not UTF-8', () =>
    refuses(
      Buffer.from('{"a":"é"}', 'latin1'),
      5,
      'Malformed UTF-8 characters, possibly incorrectly encoded',
    ));
  it('is refused for half a surrogate pair', async () => {
    for (const text of ['{"a":"\\ud83d"}', '{"a":["\\uDE00 x"]}', '{"\\ud83d":1}'])
      await refuses(text, 10, 'Single unpaired high surrogate in Unicode escape');
    expect(await json('{"a":"\\ud83d\\ude00","b":"\\\\ud83d"}')).toStrictEqual({
      json: { a: '😀', b: '\\ud83d' },
    });
  });
  it('nests at most 512 deep', async () => {
    await json(nested(512));
    for (const text of [
      nested(513),
      nested(10_000),
      nested(900_000),
      '['.repeat(10_000),
      '{"a":'.repeat(10_000),
    ])
      await refuses(text, 1, 'Maximum stack depth exceeded');
  });
  it('holds at most 30,000 values, commas and brackets within texts not counted', async () => {
    const keys = (count: number) =>
      `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join()}}`;
    await json(keys(29_000));
    await json(`{"a":"${'[{,\\"'.repeat(100_000)}"}`);
    for (const text of [
      keys(31_000),
      `{"a":[${'[],'.repeat(20_000)}1]}`,
      `{"a":"\\\\","b":[${'1,'.repeat(31_000)}1]}`,
    ])
      await expect(json(text)).rejects.toSatisfy((error) => {
        expect(error).toBeInstanceOf(BodyError);
        expect([error.status, error.code]).toStrictEqual([413, 'rest_request_too_large']);
        return true;
      });
  });
  it('never reaches a prototype', async () => {
    for (const name of ['__proto__', '\\u005f_proto__', '__pr\\u006Fto__']) {
      const { json: fields } = await parseBody(
        'application/json',
        Buffer.from(`{"${name}":{"x":1},"a":[{"${name}":{"x":1},"b":2}]}`),
      );
      expect(Object.getPrototypeOf(fields)).toBeNull();
      expect(plain(fields)).toStrictEqual({ a: [{ b: 2 }] });
      expect(({} as { x?: number }).x).toBeUndefined();
    }
  });
  it('is what it was written from', () =>
    fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (fields) => {
        const text = JSON.stringify(fields);
        fc.pre(!text.includes('__proto__') && !text.includes('\\ud'));
        expect(await json(text)).toStrictEqual({ json: JSON.parse(text) });
      }),
    ));
  it('is parsed or refused, whatever its bytes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array(),
          fc.string().map((text) => Buffer.from(text)),
        ),
        async (bytes) => {
          await parseBody('application/json', Buffer.from(bytes)).catch((error) =>
            expect(error).toBeInstanceOf(BodyError),
          );
        },
      ),
    ));
});

describe('a multipart body', () => {
  it('has fields named as in a query, in UTF-8', async () =>
    expect(await multipart(part('a[b][]', 'é'), part('a[b][]', '2'), part('ü', ''))).toStrictEqual({
      form: { a: { b: ['é', '2'] }, ü: '' },
    }));
  it('has no files', async () =>
    expect(await multipart(part('f', 'data', '; filename="f.txt"'), part('a', '1'))).toStrictEqual({
      form: { a: '1' },
    }));
  it('has no names that reach a prototype', async () =>
    expect(await multipart(part('__proto__[x]', '1'), part('a', '1'))).toStrictEqual({
      form: { a: '1' },
    }));
  it('has at most 1,000 fields', async () => {
    const { form } = (await multipart(
      ...Array.from({ length: 1_500 }, (_, i) => part(`p${i}`, '1')),
    )) as { form: object };
    expect(Object.keys(form)).toHaveLength(1_000);
  });
  it('is refused for a field above 1 MiB', async () => {
    await multipart(part('a', 'x'.repeat(2 ** 20)));
    await expect(multipart(part('a', 'x'.repeat(2 ** 20 + 1)))).rejects.toMatchObject({
      status: 413,
      code: 'rest_request_too_large',
    });
  });
  it('is ignored where its type names no boundary, and without a byte', async () => {
    expect(await parse('multipart/form-data', part('a', '1'))).toStrictEqual({ form: {} });
    expect(await parse('multipart/form-data; boundary=x', '--x--')).toStrictEqual({ form: {} });
  });
  it('is refused wherever it breaks off', async () => {
    const whole = `${part('a', '1')}${part('f', 'data', '; filename="f"')}${part('b', 'é')}--x--`;
    const bytes = Buffer.from(whole);
    const type = 'multipart/form-data; boundary=x';
    expect(await parse(type, whole)).toStrictEqual({ form: { a: '1', b: 'é' } });
    for (let length = 1; length < bytes.length; length++)
      await expect(parseBody(type, bytes.subarray(0, length)), `${length}`).rejects.toMatchObject({
        status: 400,
        code: 'rest_invalid_multipart',
      });
  });
  it('is read or refused, whatever its bytes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.constantFrom(
            '--x',
            '\r\n',
            '--',
            'Content-Disposition: form-data; name="a"',
            '"',
            ':',
            'é',
          ),
        ),
        async (bits) => {
          await parseBody('multipart/form-data; boundary=x', Buffer.from(bits.join(''))).catch(
            ({ status }) => expect(status).toBe(400),
          );
        },
      ),
    ));
});
