import { StartError } from '../platform/database/database.js';
import { isReachableAddress } from '../platform/fetch/reachable.js';
import { IdentityProvider } from '../platform/identity/provider.js';
import type { ProviderSettings } from '../platform/identity/provider.types.js';

/** The three places for identity providers. */
export const SLOTS = ['A', 'B', 'C'] as const;
export type Slot = (typeof SLOTS)[number];

/** An identity provider as the configuration places it. */
export interface ConfiguredProvider {
  readonly slot: Slot;
  /** Adds the route /v1/<name>_login. */
  readonly name: string | undefined;
  readonly settings: ProviderSettings;
}

/** The variables of one slot, without `IDP_A_` in front. */
export interface SlotVariables {
  readonly NAME: string | undefined;
  readonly PRESET: PresetName | undefined;
  readonly ISSUER: string | undefined;
  readonly JWKS_URL: string | undefined;
  readonly AUDIENCE: readonly string[];
  readonly TOKENINFO_URL: string | undefined;
}

interface Preset {
  readonly authority: string;
  readonly issuers: readonly string[];
  readonly jwksUrl: string;
  readonly verifiedClaim: string;
}

/**
 * What a preset sets. It never contains the audience (our client ids). `verifiedClaim` is the
 * claim that vouches for the e-mail. Microsoft's tokens contain any address that a tenant's
 * administrator writes, so only `xms_edov` counts: an optional claim, which the application's
 * registration must ask for. Facebook vouches for no address. Its id tokens are those of Limited
 * Login. Its access tokens also need
 * IDP_x_TOKENINFO_URL, the address https://graph.facebook.com/debug_token with the query
 * `input_token={token}&access_token=APP_ID|APP_SECRET`.
 */
export const PRESETS = {
  google: {
    authority: 'https://accounts.google.com',
    issuers: ['https://accounts.google.com', 'accounts.google.com'],
    jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
    verifiedClaim: 'email_verified',
  },
  apple: {
    authority: 'https://appleid.apple.com',
    issuers: ['https://appleid.apple.com'],
    jwksUrl: 'https://appleid.apple.com/auth/keys',
    verifiedClaim: 'email_verified',
  },
  microsoft: {
    authority: 'https://login.microsoftonline.com',
    issuers: ['https://login.microsoftonline.com/{tid}/v2.0'],
    jwksUrl: 'https://login.microsoftonline.com/common/discovery/v2.0/keys',
    verifiedClaim: 'xms_edov',
  },
  facebook: {
    authority: 'https://www.facebook.com',
    issuers: ['https://www.facebook.com', 'https://limited.facebook.com'],
    jwksUrl: 'https://limited.facebook.com/.well-known/oauth/openid/jwks/',
    verifiedClaim: 'email_verified',
  },
} as const satisfies Record<string, Preset>;
export type PresetName = keyof typeof PRESETS;

/**
 * Returns the providers of the slots that are set. Throws a StartError for a slot that cannot work.
 */
export function readProviders(
  slots: Readonly<Record<Slot, SlotVariables>>,
): readonly ConfiguredProvider[] {
  const providers = SLOTS.flatMap((slot) => readSlot(slot, slots[slot]) ?? []);
  const names = providers.flatMap(({ name }) => name ?? []);
  if (new Set(names).size < names.length)
    throw new StartError('IDP_A_NAME, IDP_B_NAME and IDP_C_NAME must differ.');
  return providers;
}

function readSlot(slot: Slot, variables: SlotVariables): ConfiguredProvider | undefined {
  const { NAME: name, PRESET, ISSUER, JWKS_URL, AUDIENCE, TOKENINFO_URL } = variables;
  const isSet = Object.values(variables).some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined,
  );
  if (!isSet) return undefined;
  const preset: Preset | undefined = PRESET && PRESETS[PRESET];
  const issuers = ISSUER ? [ISSUER] : (preset?.issuers ?? []);
  if (issuers.length === 0 && !TOKENINFO_URL)
    throw new StartError(
      `IDP_${slot}_PRESET, IDP_${slot}_ISSUER or IDP_${slot}_TOKENINFO_URL is required for identity provider ${slot}.`,
    );
  if (issuers.length === 0 && JWKS_URL)
    throw new StartError(`IDP_${slot}_JWKS_URL needs IDP_${slot}_ISSUER.`);
  if (AUDIENCE.length === 0)
    throw new StartError(
      `IDP_${slot}_AUDIENCE is required: without it, tokens made for any application would sign in here.`,
    );
  for (const [variable, address] of Object.entries({ ISSUER, JWKS_URL, TOKENINFO_URL })) {
    if (address && !isReachableAddress(address))
      throw new StartError(
        `IDP_${slot}_${variable} must be https; plain http is for this machine alone.`,
      );
  }
  const jwksUrl = JWKS_URL ?? preset?.jwksUrl;
  const settings = {
    authority: preset?.authority ?? ISSUER ?? placeOf(TOKENINFO_URL as string),
    audiences: AUDIENCE,
    issuers,
    ...(jwksUrl && { jwksUrl }),
    verifiedClaim: preset?.verifiedClaim ?? 'email_verified',
    ...(TOKENINFO_URL && { tokenInfoUrl: TOKENINFO_URL }),
  };
  return { slot, name, settings };
}

/** Returns an address without its query, which may hold a secret. */
function placeOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/** Returns the providers by slot. */
export function makeProviders(
  configured: readonly ConfiguredProvider[],
  clock: () => number,
): ReadonlyMap<Slot, IdentityProvider> {
  return new Map(
    configured.map(({ slot, settings }) => [slot, new IdentityProvider(settings, clock)]),
  );
}
