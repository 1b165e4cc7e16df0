import { GraphQLError } from 'graphql';
import type { Reason } from './reasons.js';

/**
 * Why the domain says no. `reason` is stable and belongs to the interface (GraphQL shows it in
 * `extensions.code`); `message` is for people. `param` names the input that is at fault, `detail`
 * what a caller needs besides. No HTTP here: `rest/errors.ts` maps reasons.
 */
export interface Refusal {
  readonly reason: Reason;
  readonly message: string;
  readonly param?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * A refusal on its way to the caller. Thrown by services; access rules return the refusal itself,
 * which costs nothing when discarded.
 */
export class DomainError extends GraphQLError {
  constructor(readonly refusal: Refusal) {
    const { reason, message, param, detail } = refusal;
    super(message, { extensions: { code: reason, ...(param && { param }), ...detail } });
    this.name = 'DomainError';
  }
}

/** Raises a refusal: `throw refuse('POST_NOT_FOUND', 'Invalid post ID.')`. */
export function refuse(
  reason: Reason,
  message: string,
  more: Pick<Refusal, 'param' | 'detail'> = {},
): DomainError {
  return new DomainError({ reason, message, ...more });
}
