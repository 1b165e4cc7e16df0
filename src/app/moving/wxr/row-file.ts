import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a value stands in the file. */
interface Extent {
  readonly at: number;
  readonly length: number;
}

/** Values by their numbers in a file that only this process reads and that goes with it. */
export class RowFile<T> {
  readonly #extents = new Map<number, Extent>();
  #end = 0;

  private constructor(
    private readonly folder: string,
    private readonly file: FileHandle,
  ) {}

  static async make<T>(): Promise<RowFile<T>> {
    const folder = await mkdtemp(join(tmpdir(), 'care-import-'));
    return new RowFile<T>(folder, await open(join(folder, 'rows'), 'wx+', 0o600));
  }

  /** Returns whether there is a value with a number. */
  has(id: number): boolean {
    return this.#extents.has(id);
  }

  async add(id: number, value: T): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(value));
    await this.file.write(bytes, 0, bytes.length, this.#end);
    this.#extents.set(id, { at: this.#end, length: bytes.length });
    this.#end += bytes.length;
  }

  /** Returns a value that there is. */
  async get(id: number): Promise<T> {
    const { at, length } = this.#extents.get(id) as Extent;
    const { buffer } = await this.file.read(Buffer.alloc(length), 0, length, at);
    return JSON.parse(buffer.toString()) as T;
  }

  /** Returns how many bytes a value has. */
  lengthOf(id: number): number {
    return this.#extents.get(id)?.length ?? 0;
  }

  async remove(): Promise<void> {
    await this.file.close();
    await rm(this.folder, { recursive: true });
  }
}
