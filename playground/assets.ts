/** Addresses of the built files by their plain names; the page has them in a JSON element. */
export const assets: Readonly<Record<string, string>> = JSON.parse(
  document.getElementById('care-assets')?.textContent ?? '{}',
);
