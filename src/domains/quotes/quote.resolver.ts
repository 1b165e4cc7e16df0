import { Arg, Args, Ctx, Resolver } from 'type-graphql';
import { Access, anyone, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { type Filter, FilterBy } from '../../core/filtering.js';
import { InputArg, Shared } from '../../core/marks.js';
import { type Order, OrderBy } from '../../core/ordering.js';
import { type Page, PageArgs } from '../../core/paging.js';
import { Mutation, Query } from '../../core/root-fields.js';
import { LanguageTag } from '../../core/scalars.js';
import { CreateQuoteInput, DeleteQuoteInput, UpdateQuoteInput } from './quote.inputs.js';
import { createQuote, deleteQuote, quoteList, updateQuote } from './quote.service.js';
import {
  CreateQuotePayload,
  DeleteQuotePayload,
  type Quote,
  QuoteConnection,
  QuoteOfTheDay,
  UpdateQuotePayload,
} from './quote.types.js';
import { quoteOfTheDay } from './quote-of-the-day.service.js';

/** Root fields of quotes. */
@Resolver()
export class QuoteResolver {
  @Access(anyone)
  @Shared({ timely: true })
  @Query(() => QuoteOfTheDay, {
    description:
      'The quote of this day: the same for everybody on a date who reads the language. The day ' +
      'is ' +
      "that of the viewer's zone, for the anonymous that of the site's. QUOTE_NOT_FOUND.",
  })
  async quoteOfTheDay(
    @Ctx() context: RequestContext,
    @Arg('languageCode', () => LanguageTag, {
      nullable: true,
      description:
        "Language of the quote. Default: the viewer's; English for the anonymous and where there " +
        'are none.',
    })
    languageCode?: string | null,
  ): Promise<QuoteOfTheDay> {
    return quoteOfTheDay(context, languageCode);
  }

  @Access(capable('edit_library'))
  @Rows(20)
  @Query(() => QuoteConnection, {
    description:
      'All quotes, newest first; 20 unless said otherwise. For editors and administrators. ' +
      'CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async quotes(
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(quoteList) order: Order | null | undefined,
    @FilterBy(quoteList) filter: Filter | null | undefined,
  ): Promise<Page<Quote>> {
    return quoteList.page(context, page, order, filter);
  }

  @Access(capable('edit_library'))
  @Mutation(() => CreateQuotePayload, {
    description:
      'Makes a quote, which may be shown from the next date on. For editors and administrators.',
  })
  async createQuote(
    @Ctx() context: RequestContext,
    @InputArg(CreateQuoteInput) input: CreateQuoteInput,
  ): Promise<{ quote: Quote }> {
    return { quote: await createQuote(context, input) };
  }

  @Access(capable('edit_library'))
  @Mutation(() => UpdateQuotePayload, {
    description: 'Changes a quote. For editors and administrators. QUOTE_NOT_FOUND, CONFLICT.',
  })
  async updateQuote(
    @Ctx() context: RequestContext,
    @InputArg(UpdateQuoteInput) input: UpdateQuoteInput,
  ): Promise<{ quote: Quote }> {
    return { quote: await updateQuote(context, input) };
  }

  @Access(capable('edit_library'))
  @Mutation(() => DeleteQuotePayload, {
    description: 'Deletes a quote for good. For editors and administrators. QUOTE_NOT_FOUND.',
  })
  async deleteQuote(
    @Ctx() context: RequestContext,
    @InputArg(DeleteQuoteInput) input: DeleteQuoteInput,
  ): Promise<{ quote: Quote }> {
    return { quote: await deleteQuote(context, input) };
  }
}
