import { findRoute, type Route, readPasted, wordsOf } from '../../playground/rest/reading.js';

const route = (methods: string, path: string, variables: Route['variables'] = []): Route => ({
  methods: methods.split('|'),
  path,
  operation: `${methods} ${path}`,
  description: '',
  document: '',
  variables,
  leftOut: [],
  fixed: {},
});
const variable = (name: string, type: string, values?: Record<string, string>) => ({
  name,
  type,
  isRequired: type.endsWith('!'),
  isList: type.startsWith('['),
  ...(values && { values }),
});

describe('A pasted request', () => {
  it.each([
    ['/api/v1/posts?page=2', 'GET', 'A', '/v1/posts', { page: '2' }],
    ['https://care.example/v3/api/v1/posts/7/', 'GET', 'B', '/v1/posts/7', {}],
    ['DELETE /api/v1/posts/7?force=true', 'DELETE', 'A', '/v1/posts/7', { force: 'true' }],
    ['/api/v1/posts?include[]=1&include[]=2', 'GET', 'A', '/v1/posts', { include: ['1', '2'] }],
    [
      `curl -X POST 'https://x/v3/api/v1/polls' -H 'Authorization: Bearer a' --data '{"a":[1]}'`,
      'POST',
      'B',
      '/v1/polls',
      { a: [1] },
    ],
    [
      'curl -s http://x/api/v1/login -d username=a -d "password=b c"',
      'POST',
      'A',
      '/v1/login',
      { username: 'a', password: 'b c' },
    ],
    [
      'curl -G http://x/api/v1/posts \\\n  -d per_page=5',
      'GET',
      'A',
      '/v1/posts',
      { per_page: '5' },
    ],
  ])('is read: %s', (text, method, edition, path, parameters) => {
    expect(readPasted(text)).toStrictEqual({ method, edition, path, parameters });
  });

  it.each([
    ['hello', 'The address is not below /api or /v3/api.'],
    ['http://[', 'This is neither an address nor a curl line.'],
    [`curl /api/v1/posts -d '{"a":'`, 'The body is no JSON.'],
  ])('is refused in words: %s', (text, message) => {
    expect(() => readPasted(text)).toThrow(message);
  });

  it('is split as a shell does', () => {
    expect(wordsOf(`a 'b c' "d \\"e\\"" f\\ g h'i'j`)).toStrictEqual([
      'a',
      'b c',
      'd "e"',
      'f g',
      'hij',
    ]);
  });

  it('finds its route, and fills the variables with values of their types', () => {
    const routes = [
      route('GET', '/v1/posts/{id}', [variable('id', 'ID!')]),
      route('GET', '/v1/posts', [
        variable('per_page', 'Int'),
        variable('status', '[PostStatus!]', { publish: 'PUBLISH', draft: 'DRAFT' }),
        variable('sticky', 'Boolean'),
        variable('title', 'String!'),
      ]),
    ];
    const find = (text: string) => findRoute(routes, readPasted(text));
    expect(find('/api/v1/posts/7').variables).toStrictEqual({ id: '7' });
    const { variables, unused, missing } = find(
      '/api/v1/posts?per_page=5&status=publish,draft&sticky=1&_fields=id&page=2',
    );
    expect(variables).toStrictEqual({ per_page: 5, status: ['PUBLISH', 'DRAFT'], sticky: true });
    expect([unused, missing]).toStrictEqual([['page'], ['title']]);
    expect(() => find('POST /api/v1/posts/7')).toThrow('This address has no POST, but GET.');
    expect(() => find('/api/v1/nothing')).toThrow('No route has this address.');
  });
});
