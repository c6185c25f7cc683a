import { isPrivateUrl } from '../../providers/address.ts';
import { webAddressSchema } from './environment-schema.ts';

/** Whether an address may stand in a definition: `private` where only with allowPrivateNetworks. */
export function kindOfAddress(address: string): 'public' | 'private' | 'none' {
  const url = webAddressSchema.safeParse(address).success ? URL.parse(address) : null;
  if (url === null) return 'none';
  return isPrivateUrl(url) ? 'private' : 'public';
}
