import { GraphQLInt, GraphQLString } from 'graphql';
import { ArgsType, Field, Int } from 'type-graphql';
import { type EnumValue, enumType } from '../../core/enum-type.js';
import { Internal, RestDescription } from '../../core/marks.js';
import { scalar } from '../../core/scalars/scalar.js';

/** The width of an embed that nobody asks for, in pixels. */
export const USUAL_WIDTH = 600;

/**
 * The width of an embed as the original reads it: the digits at the beginning of any text; 0
 * without any.
 */
const EmbedWidth = scalar<number>({
  name: 'EmbedWidth',
  description: 'Pixels.',
  jsonSchema: { readsBlank: true },
  servedAs: GraphQLInt,
  expected: 'a number of pixels',
  parse: (value) => Number.parseInt(String(value), 10) || 0,
});

/**
 * A text that may be an address: what is none leads to nothing, and is no mistake in the request.
 */
const EmbedAddress = scalar<string>({
  name: 'EmbedAddress',
  description: 'A text of at most 64 KiB that may be an address.',
  jsonSchema: { type: 'string', format: 'uri' },
  servedAs: GraphQLString,
  expected: 'a text of at most 64 KiB',
  parse: (value) => (typeof value === 'string' && value.length <= 64 * 1024 ? value : undefined),
});

/** Any text is a format for the original: all but `xml` are JSON. */
const EmbedFormatText = scalar<string>({
  name: 'EmbedFormatText',
  description: 'xml, or any other text for JSON.',
  jsonSchema: {},
  servedAs: GraphQLString,
  expected: 'a text',
  parse: (value) => (value === 'xml' ? 'xml' : 'json'),
});

const WIDTH = `Width at most, in pixels. Read as at least 200 and at most 600. Default ${USUAL_WIDTH}.`;

/** The formats that the REST editions let callers ask for. */
export const EmbedFormat = enumType('EmbedFormat', 'A format of oEmbed.', {
  JSON: ['json', 'JSON.'],
  XML: ['xml', 'XML.'],
});
export type EmbedFormat = EnumValue<typeof EmbedFormat>;

/** Which of the site's own pages to embed, and how wide. */
@ArgsType()
export class ContentEmbedArgs {
  @Field(() => EmbedAddress, { description: 'Address of the page of an item of content.' })
  url!: string;

  @Field(() => EmbedWidth, { nullable: true, description: WIDTH })
  maxWidth?: number | null;

  @Internal()
  @Field(() => EmbedFormatText, { nullable: true, description: 'Read by the REST editions alone.' })
  format?: string | null;
}

/** Which page of any site to embed, and how large. */
@ArgsType()
export class EmbedPreviewArgs {
  @RestDescription('The URL of the resource for which to fetch oEmbed data.')
  @Field(() => EmbedAddress, { description: 'Address of the page.' })
  url!: string;

  @RestDescription('The maximum width of the embed frame in pixels.')
  @Field(() => Int, {
    nullable: true,
    description: `Width at most, in pixels, as a wish to the site. Default ${USUAL_WIDTH}.`,
  })
  maxWidth?: number | null;

  @RestDescription('The maximum height of the embed frame in pixels.')
  @Field(() => Int, {
    nullable: true,
    description: 'Height at most, in pixels, as a wish to the site. Default: of the width.',
  })
  maxHeight?: number | null;

  @RestDescription('Whether to perform an oEmbed discovery request for unsanctioned providers.')
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether a site outside the list of providers is asked as well: its page is fetched and ' +
      'names where its embeds are. Default true.',
  })
  discover?: boolean | null;

  @Internal()
  @RestDescription('The oEmbed format to use.')
  @Field(() => EmbedFormat, {
    nullable: true,
    description: 'The format to answer in. The response is JSON in both.',
  })
  format?: EmbedFormat | null;
}
