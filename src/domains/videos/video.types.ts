import { Int, ObjectType, registerEnumType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../core/cost.js';
import { DatabaseId, Node, Version } from '../../core/node.js';
import { connectionType } from '../../core/paging.js';
import { changePayloads } from '../../core/payload.js';
import { DateTime, LanguageTag, WebAddress } from '../../core/scalars.js';
import { embedOf, providerOf, VideoProvider } from './provider.js';

registerEnumType(VideoProvider, {
  name: 'VideoProvider',
  description: 'Where a video is kept.',
  valuesConfig: {
    YOUTUBE: { description: 'YouTube.' },
    VIMEO: { description: 'Vimeo.' },
    FILE: { description: 'A file, which a player opens by its address.' },
  },
});

/** How many captions a video has at most. */
export const MOST_CAPTIONS = 20;

@ObjectType({ description: 'Captions of a video in a language.' })
export class VideoCaption {
  @Visible(() => LanguageTag, { description: 'Language of the captions.' })
  languageCode!: string;

  @Visible({ description: 'Name as shown, such as "English for the hard of hearing".' })
  label!: string;

  @Visible(() => WebAddress, { description: 'Address of the file (WebVTT).' })
  url!: string;
}

@ObjectType({ implements: Node, description: 'A video for everybody. It is kept elsewhere.' })
export class Video {
  @DatabaseId()
  id!: number;

  @Visible({ description: 'Title as shown.' })
  title!: string;

  @Weight(WEIGHTS.text)
  @Visible({ description: 'What it is about; may be empty.' })
  description!: string;

  @Visible(() => WebAddress, { description: 'Address of its page, or of its file.' })
  url!: string;

  @Visible(() => VideoProvider, { description: 'Where it is kept: follows from its address.' })
  get provider(): VideoProvider {
    return providerOf(this.url);
  }

  @Visible(() => WebAddress, {
    nullable: true,
    description: "Address of the provider's player, for a frame. Null for a file.",
  })
  get embedUrl(): string | null {
    return embedOf(this.url);
  }

  @Visible(() => Int, { description: 'Length in seconds.' })
  durationSeconds!: number;

  @Visible(() => LanguageTag, { description: 'Language that is spoken.' })
  languageCode!: string;

  @Rows(MOST_CAPTIONS)
  @Visible(() => [VideoCaption], { description: 'Its captions, at most 20.' })
  captions!: VideoCaption[];

  @Visible(() => WebAddress, { nullable: true, description: 'Address of a picture of it.' })
  thumbnailUrl!: string | null;

  @Visible(() => DateTime, { description: 'When it was published, in UTC.' })
  publishedAt!: Date;

  @Version()
  version!: number;
}

/** A page of videos. */
export const VideoConnection = connectionType(Video, 'Video', 'a video');

export const [CreateVideoPayload, UpdateVideoPayload, DeleteVideoPayload] = changePayloads<{
  video: Video;
}>('Video', 'video', () => Video);
