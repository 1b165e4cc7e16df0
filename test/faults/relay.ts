import { once } from 'node:events';
import {
  type AddressInfo,
  connect as connectTo,
  createServer,
  type Server,
  type Socket,
} from 'node:net';

/**
 * Stands between the service and the server, so that the connection can be taken away without
 * stopping the server.
 */
export class Relay {
  readonly #sockets = new Set<Socket>();
  #silent = false;
  #frozen = false;
  #held = false;
  #server: Server | undefined;
  #port = 0;

  private constructor(private readonly target: URL) {}

  static async before(url: string): Promise<Relay> {
    const relay = new Relay(new URL(url));
    await relay.restore();
    return relay;
  }

  get url(): string {
    return Object.assign(new URL(this.target), { host: `127.0.0.1:${this.#port}` }).href;
  }

  /** Ends all connections and refuses new ones. */
  async cut(): Promise<void> {
    this.#endAll();
    const server = this.#server;
    this.#server = undefined;
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  /** Ends all connections, accepts new ones and says nothing. */
  silence(): void {
    this.#silent = true;
    this.#endAll();
  }

  /**
   * Keeps all connections open, accepts new ones, and forwards nothing: what is sent meanwhile is
   * lost.
   */
  freeze(): void {
    this.#frozen = true;
  }

  thaw(): void {
    this.#frozen = false;
  }

  /** Keeps what is sent, and forwards it after `go`, as a server does that has no processor. */
  hold(): void {
    this.#held = true;
    for (const socket of this.#sockets) socket.pause();
  }

  go(): void {
    this.#held = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async restore(): Promise<void> {
    await this.cut();
    this.#silent = false;
    this.#server = createServer((socket) => this.#join(socket)).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(socket: Socket): void {
    const ends = this.#silent
      ? [socket]
      : [socket, connectTo(Number(this.target.port || 5432), this.target.hostname)];
    const [near, far] = ends;
    if (near && far) {
      near.on('data', (bytes) => this.#frozen || far.write(bytes));
      far.on('data', (bytes) => this.#frozen || near.write(bytes));
    }
    for (const end of ends) {
      this.#sockets.add(end);
      if (this.#held) end.pause();
      end.on('error', () => {});
      end.on('close', () => {
        this.#sockets.delete(end);
        for (const other of ends) other.destroy();
      });
    }
  }
}
