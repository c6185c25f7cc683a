import { isIP } from 'node:net';
import { z } from 'zod';
import { isWithin, withoutPort } from './addresses.ts';

/** An address or a network in CIDR notation; the result is a network. */
export const trustedProxySchema = z.string().transform((text, context) => {
  const network = networkOf(text);
  if (network !== null) return network;
  context.addIssue({
    code: 'custom',
    message: `"${text}" is not the address or the network of a proxy. Write 10.0.0.7, 10.0.0.0/8 or fd00::/8, separated by commas; /0 would be everyone.`,
  });
  return z.NEVER;
});

function networkOf(text: string): string | null {
  const [, address = '', bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const mostBits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const length = Number(bits ?? mostBits);
  return length >= 1 && length <= mostBits ? `${address}/${length}` : null;
}

/** The owner socket has no address and is not a proxy. */
export type IsTrustedProxy = (address: string | undefined) => boolean;

export function trustedProxies(networks: readonly string[]): IsTrustedProxy {
  return (address = '') => {
    const plain = withoutPort(address);
    return isIP(plain) !== 0 && isWithin(plain, networks);
  };
}
