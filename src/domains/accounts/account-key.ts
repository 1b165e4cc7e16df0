/** How a user name or an e-mail address is compared: case, ways to compose a letter, and spaces around it do not count. */
export function accountKey(name: string): string {
  return name.trim().normalize('NFC').toLowerCase().replaceAll('\0', '');
}
