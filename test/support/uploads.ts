import { type Answer, type Caller, type Harness, mutation } from './harness.js';

/** An upload as `stagedUpload` answers it. */
export interface Staged {
  readonly id: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly expiresAt: string;
}

const FIELDS = 'upload { id name mimeType bytes url expiresAt headers { name value } }';

/** Announces a file. Returns the whole body. */
export const announce = (
  service: Harness,
  input: { name?: string; mimeType?: string; bytes: number },
  as: Caller = 'author',
): Promise<Answer['body']> =>
  service.ask(
    mutation('stagedUpload', FIELDS),
    { input: { name: 'pillbox.jpg', mimeType: 'image/jpeg', ...input } },
    as,
  );

/** Sends a file to the address of an upload. Returns the response. */
export const send = (
  { url, headers }: Staged,
  body: Uint8Array | string,
  more: Record<string, string> = {},
): Promise<Response> =>
  fetch(url, {
    method: 'PUT',
    body: body as BodyInit,
    headers: { ...Object.fromEntries(headers.map(({ name, value }) => [name, value])), ...more },
  });

/** Announces and sends a file. Returns the upload. */
export async function upload(
  service: Harness,
  file: Uint8Array,
  { name, mimeType, as }: { name?: string; mimeType?: string; as?: Caller } = {},
): Promise<Staged> {
  const input = { ...(name && { name }), ...(mimeType && { mimeType }), bytes: file.length };
  const { data, errors } = await announce(service, input, as);
  if (errors) throw new Error(JSON.stringify(errors));
  const staged = data.stagedUpload.upload as Staged;
  const { status } = await send(staged, file);
  if (status !== 200) throw new Error(`The file was refused: ${status}`);
  return staged;
}

const MEDIA =
  'media { id databaseId slug title url mimeType width height kind sizes { name width height url } }';

/** Makes a medium of an upload. Returns the whole body. */
export const createOf = (
  service: Harness,
  uploadId: string,
  { as = 'author', ...more }: { as?: Caller } & Record<string, unknown> = {},
): Promise<Answer['body']> =>
  service.ask(mutation('createMedia', MEDIA), { input: { uploadId, ...more } }, as);
