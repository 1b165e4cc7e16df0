import { Extensions } from 'type-graphql';
import type { RequestContext } from './context.js';
import { DomainError, type Refusal } from './errors.js';

/**
 * Checks the arguments of a root field before anything runs, independent of the viewer. Returns
 * every refusal, with the `param` at fault. It changes nothing and uses only the arguments, so the
 * REST adapter can report all mistakes of a request at once. The field makes the same checks when
 * it runs.
 */
export type Judgement = (
  context: RequestContext,
  args: never,
) => Iterable<Refusal> | Promise<Iterable<Refusal>>;

/** Declares the judgement of a root field. */
export const Judge = (judgement: Judgement) => Extensions({ judge: judgement });

/** Returns the judgement that a field declares. */
export const judgementOf = ({ extensions }: { extensions: Readonly<Record<string, unknown>> }) =>
  extensions.judge as Judgement | undefined;

/** Runs checks and returns all refusals that they throw. Any other error is thrown. */
export async function refusalsOf(...checks: readonly (() => unknown)[]): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refusals.push(error.refusal);
    }
  }
  return refusals;
}
