import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { LanguageTag } from '../../../core/scalars.js';
import { choicesOf } from '../amount/choice.service.js';
import { directionsWords } from './directions-told.service.js';
import { FrequencyChoice, FrequencyDoubt } from './doubt.types.js';
import { partsOf } from './doubt-parts.service.js';
import { notRinging } from './unrecognized.service.js';

@Resolver(() => FrequencyDoubt)
export class DoubtResolver {
  @Access(anyone)
  @Rows(10)
  @FieldResolver(() => [String], {
    description:
      'The parts of the frequency that were read, in its order, in lower case and without accents.',
  })
  async read(
    @Ctx() context: RequestContext,
    @Root() { frequency }: FrequencyDoubt,
  ): Promise<readonly string[]> {
    return (await context.loader(partsOf).load(frequency))?.read ?? [];
  }

  @Access(anyone)
  @Rows(5)
  @FieldResolver(() => [String], {
    description:
      'The words that have no place in a direction, in their order. Empty where all were read, and ' +
      'contradict each other or leave something open.',
  })
  async unread(
    @Ctx() context: RequestContext,
    @Root() { frequency }: FrequencyDoubt,
  ): Promise<readonly string[]> {
    return (await context.loader(partsOf).load(frequency))?.unread ?? [];
  }

  @Access(anyone)
  @Rows(3)
  @FieldResolver(() => [FrequencyChoice], {
    description: 'All that the frequency may mean, for `confirmDirections` to choose from.',
  })
  async choices(
    @Ctx() context: RequestContext,
    @Root() { memberId, frequency }: FrequencyDoubt,
    @Arg('language', () => LanguageTag, {
      nullable: true,
      description: 'A BCP 47 tag. Default: the language of the member.',
    })
    language?: string | null,
  ): Promise<FrequencyChoice[]> {
    return choicesOf(context, memberId, frequency, language);
  }

  @Access(anyone)
  @FieldResolver(() => String, {
    description:
      'What is the matter and what to do, in the language of the member: that the medicine will ' +
      'not ring, or that its directions have to be checked.',
  })
  async message(
    @Ctx() context: RequestContext,
    @Root() { memberId, doubt, rings }: FrequencyDoubt,
  ): Promise<string> {
    if (doubt === 'unusual' || rings)
      return directionsWords(context, memberId, doubt === 'unusual' ? doubt : 'doubted');
    const { title, bodies } = await notRinging(context, memberId);
    return `${title}. ${bodies[doubt]}`;
  }
}
