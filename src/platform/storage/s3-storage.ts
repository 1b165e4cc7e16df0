import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { lazily } from '../lazily.js';
import {
  type ByteRange,
  type PutGrant,
  requireKey,
  type Storage,
  StorageOutage,
} from './storage.js';

/** Where a bucket is, and how it is signed in to. */
export interface Bucket {
  /** Origin of the storage. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Default: what the environment gives AWS's libraries, such as the role of the machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

const sdk = lazily<typeof import('@aws-sdk/client-s3')>('@aws-sdk/client-s3');
const presigner = lazily<typeof import('@aws-sdk/s3-request-presigner')>(
  '@aws-sdk/s3-request-presigner',
);
const LIMITS = { connectionTimeout: 5_000, requestTimeout: 60_000 };

/**
 * Keeps files in a bucket of a storage that speaks S3. Files of uploads go to it directly, by presigned
 * requests: it takes no more bytes and no other type than were signed. Until such an address expires it
 * takes another file as well, so nothing relies on the bytes that lie there: see `keepUpload`.
 */
export class S3Storage implements Storage {
  readonly kind = 's3';
  #client: S3Client | undefined;

  constructor(private readonly at: Bucket) {}

  async put(key: string, body: Readable, bytes: number): Promise<void> {
    const { PutObjectCommand } = sdk();
    const object = { ...this.#object(key), Body: body, ContentLength: bytes };
    await this.#open().send(new PutObjectCommand(object)).catch(throwOutage);
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const { GetObjectCommand, NoSuchKey } = sdk();
    const Range = range && `bytes=${range.start}-${range.end}`;
    const object = { ...this.#object(key), ...(Range && { Range }) };
    try {
      const { Body } = await this.#open().send(new GetObjectCommand(object));
      return Body && Readable.from(whole(Body as Readable));
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      return throwOutage(error);
    }
  }

  async delete(key: string): Promise<void> {
    const { DeleteObjectCommand } = sdk();
    await this.#open()
      .send(new DeleteObjectCommand(this.#object(key)))
      .catch(throwOutage);
  }

  async putAddress(key: string, { bytes, mimeType, seconds }: PutGrant): Promise<string> {
    const { PutObjectCommand } = sdk();
    const object = { ...this.#object(key), ContentLength: bytes, ContentType: mimeType };
    return presigner().getSignedUrl(this.#open(), new PutObjectCommand(object), {
      expiresIn: seconds,
      signableHeaders: new Set(['host', 'content-length', 'content-type']),
    });
  }

  #object(key: string) {
    requireKey(key);
    return { Bucket: this.at.bucket, Key: key };
  }

  /** Made at the first use: the libraries take a while to load. */
  #open(): S3Client {
    const { endpoint, region, credentials } = this.at;
    this.#client ??= new (sdk().S3Client)({
      endpoint,
      region,
      ...(credentials && { credentials }),
      forcePathStyle: true,
      // Others than AWS know no checksums, and a presigned request would have that of nothing.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: LIMITS,
    });
    return this.#client;
  }
}

/** Throws StorageOutage for what is not the answer of a storage that works, else the error itself. */
function throwOutage(error: unknown): never {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 503;
  throw status >= 500 || status === 429 ? new StorageOutage(error) : error;
}

/** Passes on the bytes of a file. Breaking off is an outage. */
async function* whole(body: Readable) {
  try {
    yield* body;
  } catch (error) {
    throw new StorageOutage(error);
  }
}
