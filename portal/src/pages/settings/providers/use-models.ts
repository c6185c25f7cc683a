import { api } from '../../../api/client.ts';
import { PROVIDERS, type Vendor } from './providers.ts';

export interface ModelPlace {
  /** Without one, the vendor at its own address. */
  name: string | null;
  vendor: Vendor;
}

/** Models that the public price table knows there, with their prices. */
export function useModels({ name, vendor }: ModelPlace) {
  const query = { limit: 200 };
  const ofProvider = { params: { path: { name: name ?? '' }, query } };
  const ofVendor = { params: { path: { vendor: vendor as Exclude<Vendor, 'custom'> }, query } };
  const own = api.useQuery('get', `${PROVIDERS}/{name}/models`, ofProvider, { enabled: name !== null });
  const common = api.useQuery('get', `${PROVIDERS}/vendors/{vendor}/models`, ofVendor, { enabled: name === null });
  return name === null ? common : own;
}
