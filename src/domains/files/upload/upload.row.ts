/** Milliseconds after an upload was announced until which its file is taken. */
export const ARRIVAL = 30 * 60 * 1000;
/** Milliseconds after an upload was announced until which a medium can be made of it. */
export const LIFETIME = 24 * 60 * 60 * 1000;

/** An upload as read. */
export interface UploadRow {
  readonly id: number;
  readonly accountId: number;
  readonly key: string;
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: number;
  /** Of what arrived, hexadecimal. Null until then, and where the storage took it. */
  readonly sha256: string | null;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}
