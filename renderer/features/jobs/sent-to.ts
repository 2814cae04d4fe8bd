/** To whom a request was sent, in a few words: the name of a single signer, else the addresses. Empty for what was not sent to anybody. */
export function sentToText(sentTo: string): string {
  const words = sentTo.split(/\s+/).filter((word) => word !== '');
  const addresses = words.filter((word) => word.includes('@'));
  const name = words.filter((word) => !word.includes('@')).join(' ');
  return addresses.length === 1 && name !== '' ? name : addresses.join(', ');
}
