import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from 'graphql';
import { dataOf } from './sending.js';
import type { Account } from './session.js';

/** Roles that may read the schema. */
const READERS = ['CLINICIAN', 'ANALYST', 'ADMINISTRATOR'];

/** Whether the service shows the schema to somebody. Under NODE_ENV=development the page says so. */
export const maySeeSchema = (who: Account | undefined): boolean =>
  document.body.dataset.schema === 'open' ||
  (who?.roles.some((role) => READERS.includes(role)) ?? false);

/** Returns the schema as the service shows it to who is signed in; null for whom it shows none. */
export async function schemaFor(who: Account | undefined): Promise<GraphQLSchema | null> {
  if (!maySeeSchema(who)) return null;
  try {
    const query = getIntrospectionQuery({ inputValueDeprecation: true });
    const data = await dataOf({ query, operationName: 'IntrospectionQuery' });
    return buildClientSchema(data as unknown as IntrospectionQuery);
  } catch {
    return null;
  }
}
