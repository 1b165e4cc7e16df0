import { ArgsType, Field, InputType } from 'type-graphql';
import { BasedOn, IdField, Internal, idInput } from '../../core/marks.js';
import { PageArgs } from '../../core/paging.js';
import {
  DateTime,
  DurationSeconds,
  LanguageTag,
  LongText,
  PageNumber,
  ShortText,
  WebAddress,
} from '../../core/scalars.js';

@ArgsType()
export class VideosArgs extends PageArgs {
  @Internal()
  @Field(() => PageNumber, { nullable: true, description: 'Number of the page. Default 1.' })
  page?: number | null;

  @Field(() => LanguageTag, {
    nullable: true,
    description: 'Only videos in which this language is spoken, in any region.',
  })
  languageCode?: string | null;
}

@InputType({ description: 'Captions of a video in a language.' })
export class VideoCaptionInput {
  @Field(() => LanguageTag, { description: 'Language of the captions.' })
  languageCode!: string;

  @Field(() => ShortText, { description: 'Name as shown.' })
  label!: string;

  @Field(() => WebAddress, { description: 'Address of the file (WebVTT).' })
  url!: string;
}

@InputType({ description: 'A new video.' })
export class CreateVideoInput {
  @Field(() => ShortText, { description: 'Title as shown.' })
  title!: string;

  @Field(() => LongText, { nullable: true, description: 'What it is about.' })
  description?: string | null;

  @Field(() => WebAddress, {
    description: 'Address of its page at YouTube or Vimeo, or of its file.',
  })
  url!: string;

  @Field(() => DurationSeconds, { description: 'Length in seconds.' })
  durationSeconds!: number;

  @Field(() => LanguageTag, { description: 'Language that is spoken.' })
  languageCode!: string;

  @Field(() => [VideoCaptionInput], {
    nullable: true,
    description: 'Its captions, at most 20. Default: none.',
  })
  captions?: VideoCaptionInput[] | null;

  @Field(() => WebAddress, { nullable: true, description: 'Address of a picture of it.' })
  thumbnailUrl?: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was published. Default: now. Until then it is not shown.',
  })
  publishedAt?: Date | null;
}

@InputType({ description: 'A change of a video. What is absent stays.' })
export class UpdateVideoInput {
  @IdField('Video', { description: 'The video.' })
  id!: number;

  @BasedOn()
  version?: number | null;

  @Field(() => ShortText, { nullable: true, description: 'Title; null stays as it is.' })
  title?: string | null;

  @Field(() => LongText, { nullable: true, description: 'What it is about; null empties it.' })
  description?: string | null;

  @Field(() => WebAddress, { nullable: true, description: 'Address; null stays as it is.' })
  url?: string | null;

  @Field(() => DurationSeconds, {
    nullable: true,
    description: 'Length in seconds; null stays as it is.',
  })
  durationSeconds?: number | null;

  @Field(() => LanguageTag, { nullable: true, description: 'Language; null stays as it is.' })
  languageCode?: string | null;

  @Field(() => [VideoCaptionInput], {
    nullable: true,
    description: 'All of its captions, at most 20; null removes them.',
  })
  captions?: VideoCaptionInput[] | null;

  @Field(() => WebAddress, { nullable: true, description: 'Its picture; null removes it.' })
  thumbnailUrl?: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was published; null stays as it is.',
  })
  publishedAt?: Date | null;
}

@InputType({ description: 'A video to delete for good.' })
export class DeleteVideoInput extends idInput('Video', 'The video.') {}
