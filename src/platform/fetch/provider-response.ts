import { inCall } from '../tracing/tracing.js';
import { isReachableAddress } from './reachable.js';
import { ProviderUnavailable } from './unavailable.js';

/**
 * Fetches a JSON answer of a provider of identities, polls or the like. Throws ProviderUnavailable
 * when the address is not https, the provider cannot be reached, or the response is not JSON of at
 * most `most` bytes before `signal` is aborted. A response with another status than 200 may have no
 * JSON; `body` is then undefined.
 */
export async function fetchResponse(
  address: string,
  {
    most,
    signal,
    headers = {},
  }: { most: number; signal: AbortSignal; headers?: Record<string, string> },
): Promise<{ status: number; body: unknown }> {
  if (!isReachableAddress(address)) throw new ProviderUnavailable('its address is not https');
  // The error and its cause are dropped: they may contain the address, and the address may contain
  // a token.
  const response = await inCall('provider', () =>
    fetch(address, {
      redirect: 'error',
      signal,
      headers: { accept: 'application/json', ...headers },
    }),
  ).catch(() => {
    throw new ProviderUnavailable(
      signal.aborted ? 'it did not answer in time' : 'it cannot be reached',
    );
  });
  const text = await readText(response, most, signal).catch((error: unknown) => {
    throw error instanceof ProviderUnavailable
      ? error
      : new ProviderUnavailable('its response broke off');
  });
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    if (response.status !== 200) return { status: response.status, body: undefined };
    throw new ProviderUnavailable('its response is not JSON');
  }
}

/**
 * Reads the body until the signal is aborted. The signal given to fetch may have no effect after
 * the headers have arrived; reading would then never end.
 */
async function readText({ body }: Response, most: number, signal: AbortSignal): Promise<string> {
  const reader = body?.getReader();
  const stop = () => void reader?.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    length += read.value.length;
    if (length > most) stop();
    else chunks.push(read.value);
  }
  signal.removeEventListener('abort', stop);
  if (signal.aborted) throw new ProviderUnavailable('it did not answer in time');
  if (length > most) throw new ProviderUnavailable('its response is too large');
  return Buffer.concat(chunks).toString();
}
