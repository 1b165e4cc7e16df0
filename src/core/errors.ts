import { GraphQLError } from 'graphql';
import type { Reason } from './reasons.js';

/**
 * Why the domain refuses. `reason` is stable and part of the interface (GraphQL shows it in
 * `extensions.code`). `message` is for people. `param` names the input at fault. `input` does so
 * for GraphQL alone, where the answer of REST is specified without parameters; dots lead into an
 * input object. `detail` has further data for the caller. It has no HTTP status: `rest/errors.ts`
 * maps reasons to statuses.
 */
export interface Refusal {
  readonly reason: Reason;
  readonly message: string;
  readonly param?: string;
  readonly input?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * An error that carries a refusal to the caller. Services throw it. Access rules return the refusal
 * itself, because creating an error is slower. `refusals` are all that are known, the first one
 * included.
 */
export class DomainError extends GraphQLError {
  constructor(
    readonly refusal: Refusal,
    readonly refusals: readonly Refusal[] = [refusal],
    extensions: Readonly<Record<string, unknown>> = extensionsOf(refusal),
  ) {
    super(refusal.message, { extensions });
    this.name = 'DomainError';
  }
}

const extensionsOf = ({ reason, param, detail }: Refusal) => ({
  code: reason,
  ...(param && { param }),
  ...detail,
});

/** Makes the error of a refusal: `throw refuse('POST_NOT_FOUND', 'Invalid post ID.')`. */
export function refuse(
  reason: Reason,
  message: string,
  more: Pick<Refusal, 'param' | 'input' | 'detail'> = {},
): DomainError {
  return new DomainError({ reason, message, ...more });
}
