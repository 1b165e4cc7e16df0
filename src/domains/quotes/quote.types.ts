import { GraphQLLocalDate } from 'graphql-scalars';
import { ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { DatabaseId, Node, Version } from '../../core/node.js';
import { connectionType } from '../../core/paging.js';
import { changePayloads } from '../../core/payload.js';
import { LanguageTag, TimeZone } from '../../core/scalars.js';

@ObjectType({ implements: Node, description: 'A quote that may be that of a day.' })
export class Quote {
  @DatabaseId()
  id!: number;

  @Visible({ description: 'The words.' })
  text!: string;

  @Visible(() => String, { nullable: true, description: 'Who said it; null when nobody knows.' })
  author!: string | null;

  @Visible(() => LanguageTag, { description: 'Language of the words.' })
  languageCode!: string;

  @Version()
  version!: number;
}

@ObjectType({ description: 'The quote of a day: the same for everybody who reads the language.' })
export class QuoteOfTheDay {
  @Visible(() => GraphQLLocalDate, { description: 'The day.' })
  date!: string;

  @Visible(() => TimeZone, { description: 'The zone in which it is this day.' })
  timeZone!: string;

  @Visible(() => Quote, { description: 'The quote.' })
  quote!: Quote;
}

/** A page of quotes. */
export const QuoteConnection = connectionType(Quote, 'Quote', 'a quote');

export const [CreateQuotePayload, UpdateQuotePayload, DeleteQuotePayload] = changePayloads<{
  quote: Quote;
}>('Quote', 'quote', () => Quote);
