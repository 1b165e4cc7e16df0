import { failureText } from './advice.js';
import { Observed } from './observed.js';
import { type Answered, type Asking, type Sent, send } from './sending.js';
import { ended } from './session.js';

/** The answers of this tab by the text that GraphiQL shows of them, the newest last. */
const sent = new Map<string, Sent>();
const MOST = 20;
ended.watch(() => sent.clear());

/** What a running request says of itself. */
export const progress = new Observed('');

/** Returns what is known of an answer by the text that GraphiQL shows of it. */
export const sentOf = (text: string | null): Sent | undefined => sent.get(text ?? '');

/** Sends what GraphiQL asks, and keeps what the status line says of it. */
export async function sendAndKeep(
  asking: Asking,
  headers: Readonly<Record<string, string>>,
): Promise<Answered> {
  progress.set('Asking');
  try {
    const result = await send(asking, headers, (text) => progress.set(text));
    const text = JSON.stringify(result.answer, null, 2);
    sent.delete(text);
    sent.set(text, result);
    const [oldest] = sent.keys();
    if (sent.size > MOST && oldest !== undefined) sent.delete(oldest);
    return result.answer;
  } catch (error) {
    throw new Error(failureText(error));
  } finally {
    progress.set('');
  }
}
