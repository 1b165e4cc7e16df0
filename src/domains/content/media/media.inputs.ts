import { ArgsType, Field, InputType, Int } from 'type-graphql';
import {
  BasedOn,
  IdField,
  IdsField,
  Internal,
  idInput,
  RestDescription,
} from '../../../core/marks.js';
import {
  LongText,
  MimeType,
  PixelCount,
  SearchText,
  ShortText,
  Text,
  WebAddress,
} from '../../../core/scalars.js';
import { NumberedPageArgs } from '../numbered-page.inputs.js';
import { MediaKind } from './media-kind.types.js';

@InputType({ description: 'A rendition of an image that lies at an address of its own.' })
export class MediaSizeInput {
  @Field(() => ShortText, { description: 'Name of the rendition: thumbnail, medium, large, …' })
  name!: string;

  @Field(() => PixelCount, { description: 'Width in pixels.' })
  width!: number;

  @Field(() => PixelCount, { description: 'Height in pixels.' })
  height!: number;

  @Field(() => WebAddress, { description: 'Address of the rendition. MEDIA_ADDRESS_PRIVATE.' })
  url!: string;
}

@InputType({
  description:
    'A new medium: of an upload, or the record of a file that lies at an address already. Of the two ' +
    'exactly one is given, MEDIA_SOURCE_INVALID.',
})
export class CreateMediaInput {
  @IdField('StagedUpload', {
    nullable: true,
    description:
      'The upload whose file has arrived. Type, width, height and renditions come from the file: of an ' +
      'image thumbnail, medium, medium_large and large, as far as it is larger. UPLOAD_NOT_FOUND, ' +
      'UPLOAD_USED, UPLOAD_MISSING, FILE_TYPE_REFUSED, FILE_UNREADABLE.',
  })
  uploadId?: number | null;

  @Field(() => WebAddress, {
    nullable: true,
    description:
      'Address of the file: http or https, of the public internet or of this site. ' +
      'MEDIA_ADDRESS_PRIVATE.',
  })
  url?: string | null;

  @Field(() => MimeType, {
    nullable: true,
    description:
      'Media type of the file at the address, such as image/jpeg. Only images can be featured.',
  })
  mimeType?: string | null;

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
    description: 'Width of an image in pixels. Default: unknown.',
  })
  width?: number | null;

  @Field(() => PixelCount, {
    nullable: true,
    description: 'Height of an image in pixels. Default: unknown.',
  })
  height?: number | null;

  @Field(() => [MediaSizeInput], {
    nullable: true,
    description: 'Renditions of an image, at most 20. SIZES_INVALID.',
  })
  sizes?: MediaSizeInput[] | null;

  @IdField(['Post', 'Page', 'HealthcareItem'], {
    nullable: true,
    description:
      'The item that it is attached to; whoever may not read that does not see the medium. ' +
      'Default: none. MEDIA_ITEM_INVALID.',
  })
  attachedToId?: number | null;
}

@InputType({
  description:
    'A change of a medium. What is absent or null stays, unless its field says otherwise.',
})
export class UpdateMediaInput {
  @IdField('Media', { description: 'The medium.' })
  id!: number;

  @BasedOn()
  version?: number | null;

  @Field(() => Text, { nullable: true, description: 'The title; may be empty. The slug stays.' })
  title?: string | null;

  @Field(() => Text, {
    nullable: true,
    description: 'Name in addresses; empty: made of the title. A number is added when taken.',
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

  @IdField(['Post', 'Page', 'HealthcareItem'], {
    nullable: true,
    description: 'The item to attach it to; null detaches it. MEDIA_ITEM_INVALID.',
  })
  attachedToId?: number | null;
}

@InputType({
  description:
    'A medium to delete. What features it features nothing afterwards. Uploaded files are gone at ' +
    'once, and deleted within minutes; a file at an address of others stays where it lies.',
})
export class DeleteMediaInput extends idInput('Media', 'The medium.') {}

/** Which medium. */
@ArgsType()
export class MediaArgs {
  @RestDescription('Unique identifier for the medium.')
  @IdField('Media', { description: 'The medium.' })
  id!: number;
}

@InputType({ description: 'Which media. Everything given must hold; what is null does not count.' })
export class MediaFilter {
  @RestDescription('Limit result set to media attached to these items; 0 is none.')
  @IdsField(['Post', 'Page', 'HealthcareItem'], {
    nullable: true,
    description: 'Attached to one of these items.',
  })
  attachedTo?: number[] | null;

  @RestDescription('Limit result set to images, or to other files.')
  @Field(() => MediaKind, { nullable: true, description: 'Images, or other files.' })
  kind?: MediaKind | null;

  @Internal()
  @Field(() => [Int], { nullable: true, description: 'Limit result set to specific IDs.' })
  include?: number[] | null;
}

/** Which media, and which part of their list. */
@ArgsType()
export class MediaListArgs extends NumberedPageArgs {
  @Field(() => MediaFilter, {
    nullable: true,
    description: 'Which media. Default: all that the viewer may see.',
  })
  filter?: MediaFilter | null;

  @RestDescription('Limit results to those whose title contains a string.')
  @Field(() => SearchText, {
    nullable: true,
    description: 'Only media whose title contains this; case is ignored.',
  })
  search?: string | null;
}
