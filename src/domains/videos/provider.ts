/** Where a video is kept. */
export enum VideoProvider {
  YOUTUBE = 'youtube',
  VIMEO = 'vimeo',
  FILE = 'file',
}

/** An address of a video at a provider, with the id of the video there. */
interface Form {
  readonly provider: VideoProvider;
  readonly address: RegExp;
  readonly embed: (id: string) => string;
}

const youtube = (address: RegExp): Form => ({
  provider: VideoProvider.YOUTUBE,
  address,
  embed: (id) => `https://www.youtube-nocookie.com/embed/${id}`,
});
const vimeo = (address: RegExp): Form => ({
  provider: VideoProvider.VIMEO,
  address,
  embed: (id) => `https://player.vimeo.com/video/${id}`,
});

const FORMS: readonly Form[] = [
  youtube(/^https?:\/\/(?:www\.|m\.)?youtube\.com\/watch\?(?:[^#]*&)?v=(?<id>[\w-]{11})(?![\w-])/),
  youtube(/^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/(?:embed|shorts)\/(?<id>[\w-]{11})\b/),
  youtube(/^https?:\/\/youtu\.be\/(?<id>[\w-]{11})(?![\w-])/),
  vimeo(/^https?:\/\/(?:www\.)?vimeo\.com\/(?<id>\d{1,12})(?![\w-])/),
  vimeo(/^https?:\/\/player\.vimeo\.com\/video\/(?<id>\d{1,12})(?![\w-])/),
];

const formOf = (url: string) => FORMS.find(({ address }) => address.test(url));

/** Returns where a video is kept. An address of no known form is that of a file. */
export const providerOf = (url: string): VideoProvider =>
  formOf(url)?.provider ?? VideoProvider.FILE;

/** Returns the address of the provider's player for a video; null for a file. */
export function embedOf(url: string): string | null {
  const form = formOf(url);
  const id = form?.address.exec(url)?.groups?.id;
  return form && id ? form.embed(id) : null;
}
