import { createHash } from 'node:crypto';
import type { Deps } from '../../core/deps.js';
import { decrypt, encrypt, type Keys } from '../../platform/keys.js';
import type { Grant } from '../../platform/mail/outlook.js';

/** The purpose of the keys that encrypt the secrets of a connection. */
export const PURPOSE = 'mail connection';
/** Names of the encrypted texts. A text can only be decrypted under its own name. */
export const REFRESH_TOKEN = 'refresh token';
export const ACCESS_TOKEN = 'access token';
export const VERIFIER = 'verifier';

/** Encrypts a text with the current key. Each call returns a different text. */
export const seal = (keys: Keys, about: string, text: string) =>
  encrypt(keys.current(PURPOSE).bytes, text, about);

/** Decrypts a text that was encrypted with any current key. Returns undefined for another key. */
export const open = (keys: Keys, about: string, sealed: string) =>
  keys
    .all(PURPOSE)
    .map(({ bytes }) => decrypt(bytes, sealed, about))
    .find((text) => text !== undefined)
    ?.toString();

/** Returns the columns of an access token: encrypted, with the instant at which it expires. */
export const accessOf = ({ keys, clock }: Deps, { accessToken, expiresIn }: Grant) => ({
  accessToken: seal(keys, ACCESS_TOKEN, accessToken),
  accessExpiresAt: new Date(clock() + expiresIn * 1000),
});

/** Returns the hash of a state, as it is stored. */
export const digest = (state: string) => createHash('sha256').update(state).digest('base64url');

/** Returns the code of an OAuth error. Its message may contain what was sent. */
export const codeOf = (error: unknown) =>
  String((error as { code?: unknown }).code ?? (error as Error).name);
