import { Extensions } from 'type-graphql';
import type { RequestContext } from './context.js';
import { DomainError, type Refusal } from './errors.js';

/**
 * What a root field has against its arguments, before anything runs and whoever asks: every refusal
 * with the `param` that is at fault. It changes nothing and decides by what was sent alone, so the
 * REST adapter can name all mistakes of a request at once. The field refuses the same when it runs.
 */
export type Judgement = (
  context: RequestContext,
  args: never,
) => Iterable<Refusal> | Promise<Iterable<Refusal>>;

/** Declares how a root field judges its arguments. */
export const Judge = (judgement: Judgement) => Extensions({ judge: judgement });

/** The judgement that a field declares. */
export const judgementOf = ({ extensions }: { extensions: Readonly<Record<string, unknown>> }) =>
  extensions.judge as Judgement | undefined;

/** The refusals of checks that throw them, all of them; any other error is thrown. */
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
