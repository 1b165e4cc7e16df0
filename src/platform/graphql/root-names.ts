import { type DocumentNode, Kind } from 'graphql';

/**
 * Returns the names of the root fields of a document by the names that they have in the response,
 * which are their aliases. Fields within fragments are left out.
 */
export function rootNamesOf({ definitions }: DocumentNode): ReadonlyMap<string, string> {
  const fields = definitions
    .flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [],
    )
    .filter((selection) => selection.kind === Kind.FIELD);
  return new Map(fields.map(({ alias, name }) => [(alias ?? name).value, name.value]));
}
