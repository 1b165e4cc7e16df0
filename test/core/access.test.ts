import { buildSchema, graphqlSync } from 'graphql';
import { enforceAccess } from '../../src/core/access.js';

describe('Access', () => {
  it('is declared on every field, or the schema does not start', () => {
    expect(() => enforceAccess(buildSchema('type Query { open: Int }'))).toThrow(
      /open declares no access/,
    );
  });

  it('fails a refused root field and leaves a refused field of a row null', async () => {
    const schema = buildSchema(
      'type Query { row: Row, secret: Int } type Row { shown: Int hidden: Int }',
    );
    const anyRow = { row: { shown: 1, hidden: 2 } };
    const refusal = { reason: 'FORBIDDEN', message: 'no' };
    const { anyone } = await import('../../src/core/access.js');
    const declare = (type: string, field: string, rule: () => unknown) => {
      const object = schema.getType(type) as unknown as {
        getFields(): Record<string, { extensions: object }>;
      };
      Object.assign(object.getFields()[field] as object, { extensions: { access: rule } });
    };
    declare('Query', 'row', anyone);
    declare('Row', 'shown', anyone);
    declare('Row', 'hidden', () => refusal);
    declare('Query', 'secret', () => refusal);
    enforceAccess(schema);
    const { data, errors } = graphqlSync({
      schema,
      source: '{ row { shown hidden } }',
      rootValue: anyRow,
      contextValue: {},
    });
    expect(JSON.stringify(data)).toBe('{"row":{"shown":1,"hidden":null}}');
    expect(errors).toBeUndefined();
  });
});
