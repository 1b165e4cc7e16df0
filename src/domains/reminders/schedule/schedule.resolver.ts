import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { LanguageTag } from '../../../core/scalars.js';
import { languageOf } from '../../accounts/account-language.service.js';
import { sayTimed, wordsOf } from './saying/say.js';
import { Schedule } from './schedule.types.js';

@Resolver(() => Schedule)
export class ScheduleResolver {
  @Access(anyone)
  @FieldResolver(() => String, {
    description:
      'The schedule in words of a language: English, Spanish, French, German, Portuguese or ' +
      'Arabic; English for another. A rule is shown as it is written.',
  })
  async words(
    @Ctx() context: RequestContext,
    @Root() { timed, memberId }: Schedule,
    @Arg('language', () => LanguageTag, {
      nullable: true,
      description: 'A BCP 47 tag. Default: the language of the member.',
    })
    language?: string | null,
  ): Promise<string> {
    return sayTimed(timed, wordsOf(language ?? (await languageOf(context, memberId))));
  }
}
