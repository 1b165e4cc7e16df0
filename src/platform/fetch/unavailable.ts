/** The provider cannot be asked now, or gives an invalid answer. The reason contains no address. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}
