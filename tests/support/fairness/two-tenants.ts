import { openState } from '../../../src/app/state.ts';
import { loadConfig } from '../../../src/config.ts';

export interface TwoKeys {
  noisyKey: string;
  quietKey: string;
}

/**
 * Makes the tenants `noisy` and `quiet` in a data directory that is not served yet, with a full-scope
 * key each. The noisy one has a provider `endless`, the quiet one a provider `local`, at these URLs.
 */
export async function makeTwoTenants(dataDir: string, endlessUrl: string, localUrl: string): Promise<TwoKeys> {
  const state = await openState(loadConfig({ dataDir }, {}, {}));
  const makeTenant = async (name: string, provider: string, baseUrl: string) => {
    const { id } = await state.tenants.create({ name });
    await state.providers.apply(id, { name: provider, provider: 'custom', baseUrl, allowPrivateNetwork: true });
    const asked = { agentId: null, label: name, scopes: ['*' as const], expiresAt: null };
    return (await state.keys.create(id, asked, null)).key;
  };
  try {
    const noisyKey = await makeTenant('noisy', 'endless', endlessUrl);
    return { noisyKey, quietKey: await makeTenant('quiet', 'local', localUrl) };
  } finally {
    await state.close();
  }
}
