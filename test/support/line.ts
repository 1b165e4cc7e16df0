import { connect, type Socket } from 'node:net';

/** An open connection, and what it has received. */
export interface Line {
  readonly socket: Socket;
  readonly text: () => string;
  /**
   * Resolves with the received text when it matches the pattern, or when the connection has closed.
   */
  until(pattern: RegExp): Promise<string>;
  /** Resolves when the connection has closed. */
  readonly closed: Promise<void>;
}

/** Opens a connection and sends bytes. It stays open until one side ends it. */
export function dial(port: number, bytes: string | Uint8Array = ''): Line {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('error', () => {}).on('data', (chunk) => (text += chunk.toString('latin1')));
  socket.on('end', () => socket.end());
  if (bytes.length > 0) socket.write(bytes);
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text) && !socket.closed)
      await Promise.race([closed, new Promise((resolve) => socket.once('data', resolve))]);
    return text;
  };
  return { socket, text: () => text, until, closed };
}
