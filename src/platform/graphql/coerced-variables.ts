import { Kind, type VariableDefinitionNode, type VariableNode } from 'graphql';

/** The scalar that takes a variable as it is: graphql-js has coerced it. */
export const COERCED = 'CoercedVariable';

/** Returns a variable as a document names it. */
export const variableOf = (name: string): VariableNode => ({
  kind: Kind.VARIABLE,
  name: { kind: Kind.NAME, value: name },
});

/** Returns the definition of a variable that graphql-js has coerced. */
export const coercedDefinition = (name: string): VariableDefinitionNode => ({
  kind: Kind.VARIABLE_DEFINITION,
  variable: variableOf(name),
  type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: COERCED } },
});
