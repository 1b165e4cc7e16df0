import { Field, InputType, Int } from 'type-graphql';
import {
  LongText,
  MimeType,
  PixelCount,
  SearchText,
  ShortText,
  Text,
  WebAddress,
} from '../../../core/scalars.js';
import { MediaKind } from './media-kind.types.js';

@InputType({ description: 'A rendition of an image that lies at an address of its own.' })
export class MediaSizeInput {
  @Field(() => ShortText, { description: 'Name of the rendition: thumbnail, medium, large, …' })
  name!: string;

  @Field(() => PixelCount, { description: 'Pixels.' })
  width!: number;

  @Field(() => PixelCount, { description: 'Pixels.' })
  height!: number;

  @Field(() => WebAddress, { description: 'Address of the rendition.' })
  sourceUrl!: string;
}

@InputType({ description: 'A new medium: the record of a file that lies at an address already.' })
export class CreateMediaInput {
  @Field(() => WebAddress, { description: 'Address of the file: http or https.' })
  sourceUrl!: string;

  @Field(() => MimeType, {
    description: 'Media type of the file, such as image/jpeg. Only images can be featured.',
  })
  mimeType!: string;

  @Field(() => Text, {
    nullable: true,
    description: 'The title. Default: the name of the file without its ending.',
  })
  title?: string | null;

  @Field(() => Text, {
    nullable: true,
    description: 'Name in addresses. Default: made from the title; a number is added when taken.',
  })
  slug?: string | null;

  @Field(() => LongText, {
    nullable: true,
    description: 'A line to show below the medium; HTML allowed.',
  })
  caption?: string | null;

  @Field(() => LongText, { nullable: true, description: 'What the medium is about; HTML allowed.' })
  description?: string | null;

  @Field(() => LongText, {
    nullable: true,
    description: 'Text in place of the image for those who do not see it.',
  })
  altText?: string | null;

  @Field(() => PixelCount, {
    nullable: true,
    description: 'Width of an image in pixels. Default 0, unknown.',
  })
  width?: number | null;

  @Field(() => PixelCount, {
    nullable: true,
    description: 'Height of an image in pixels. Default 0, unknown.',
  })
  height?: number | null;

  @Field(() => [MediaSizeInput], {
    nullable: true,
    description: 'Renditions of an image, at most 20.',
  })
  sizes?: MediaSizeInput[] | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The item that it is attached to; whoever may not read that does not see the medium.',
  })
  itemId?: number | null;
}

@InputType({ description: 'A change of a medium. What is absent or null stays.' })
export class UpdateMediaInput {
  @Field(() => Int, { description: 'Id of the medium.' })
  id!: number;

  @Field(() => Text, { nullable: true, description: 'The title. The slug stays.' })
  title?: string | null;

  @Field(() => Text, {
    nullable: true,
    description: 'Name in addresses; a number is added when taken.',
  })
  slug?: string | null;

  @Field(() => LongText, {
    nullable: true,
    description: 'A line to show below the medium; HTML allowed.',
  })
  caption?: string | null;

  @Field(() => LongText, { nullable: true, description: 'What the medium is about; HTML allowed.' })
  description?: string | null;

  @Field(() => LongText, {
    nullable: true,
    description: 'Text in place of the image for those who do not see it.',
  })
  altText?: string | null;

  @Field(() => Int, { nullable: true, description: 'The item to attach it to; 0 detaches it.' })
  itemId?: number | null;
}

@InputType({
  description:
    'A medium to delete. What features it features nothing afterwards; the file itself stays ' +
    'where it lies.',
})
export class DeleteMediaInput {
  @Field(() => Int, { description: 'Id of the medium.' })
  id!: number;
}

@InputType({ description: 'Which media. Everything given must hold; what is null does not count.' })
export class MediaFilter {
  @Field(() => [Int], {
    nullable: true,
    description: 'Limit result set to media attached to these items; 0 is none.',
  })
  item?: number[] | null;

  @Field(() => MediaKind, {
    nullable: true,
    description: 'Limit result set to images, or to other files.',
  })
  mediaKind?: MediaKind | null;

  @Field(() => SearchText, {
    nullable: true,
    description: 'Limit results to those whose title contains a string.',
  })
  search?: string | null;

  @Field(() => [Int], { nullable: true, description: 'Limit result set to specific IDs.' })
  include?: number[] | null;
}
