import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField, idInput } from '../../core/marks.js';
import { LanguageTag, QuoteText, ShortText } from '../../core/scalars.js';

@InputType({ description: 'A new quote.' })
export class CreateQuoteInput {
  @Field(() => QuoteText, { description: 'The words.' })
  text!: string;

  @Field(() => ShortText, { nullable: true, description: 'Who said it. Default: nobody knows.' })
  author?: string | null;

  @Field(() => LanguageTag, { description: 'Language of the words.' })
  languageCode!: string;
}

@InputType({ description: 'A change of a quote. What is absent stays.' })
export class UpdateQuoteInput {
  @IdField('Quote', { description: 'The quote.' })
  id!: number;

  @BasedOn()
  version?: number | null;

  @Field(() => QuoteText, { nullable: true, description: 'The words; null stays as it is.' })
  text?: string | null;

  @Field(() => ShortText, { nullable: true, description: 'Who said it; null for nobody known.' })
  author?: string | null;

  @Field(() => LanguageTag, { nullable: true, description: 'Language; null stays as it is.' })
  languageCode?: string | null;
}

@InputType({ description: 'A quote to delete for good.' })
export class DeleteQuoteInput extends idInput('Quote', 'The quote.') {}
