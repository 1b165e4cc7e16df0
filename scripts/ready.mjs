/** Milliseconds: a busy machine takes many times the seconds of an idle one. */
const READY_WITHIN = 5 * 60_000;

/** Returns the address of a service that was started when it logs that it is ready. */
export function ready({ stdout }) {
  return new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(
      () => reject(new Error(`The service was not ready in time:\n${text}`)),
      READY_WITHIN,
    );
    stdout.on('data', (chunk) => {
      if (text === undefined) return;
      text += chunk;
      const line = text.split('\n').find((candidate) => candidate.includes('"msg":"ready"'));
      if (!line) return;
      clearTimeout(late);
      text = undefined;
      resolve(JSON.parse(line).baseUrl);
    });
  });
}
