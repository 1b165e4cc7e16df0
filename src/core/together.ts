import type { GraphQLField } from 'graphql';
import { Extensions } from 'type-graphql';

/**
 * Declares that neighbours of one request or batch may execute a mutation at once. Their effect must
 * be the same as one after the other: they are written in order, and each refusal is of one alone.
 */
export const Together = () => Extensions({ together: true });

/** Returns whether a mutation is declared so. */
export const isTogether = ({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>) =>
  extensions.together === true;
