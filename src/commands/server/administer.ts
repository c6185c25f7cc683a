import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { State } from '../../app/state.ts';
import type { Config } from '../../config.ts';
import type { Tenant } from '../../core/access/auth/schema.ts';
import { STATE_FILE } from '../../storage/installation/names.ts';
import type { AdministrationOptions, OptionalTenantOptions, TenantOptions } from '../input/options.ts';

/** A server may run on the same directory. */
export async function administer<Result>(
  options: AdministrationOptions,
  work: (state: State, config: Config) => Promise<Result>,
  former: { previousSecretKey?: string | undefined } = {},
): Promise<Result> {
  const { loadConfig } = await import('../../config.ts');
  const config = loadConfig({ dataDir: options.dataDir });
  await announceNew(config);
  const { openState } = await import('../../app/state.ts');
  const state = await openState({ ...config, ...former });
  try {
    return await work(state, config);
  } finally {
    await state.close();
  }
}

export function administerTenant<Result>(
  options: TenantOptions,
  work: (tenant: Tenant, state: State, config: Config) => Promise<Result>,
): Promise<Result> {
  return administer(options, async (state, config) => work(await state.tenants.get(options.tenant), state, config));
}

export async function optionalTenant({ tenants }: State, { tenant }: OptionalTenantOptions): Promise<Tenant | null> {
  return tenant === undefined ? null : tenants.get(tenant);
}

/** Reveals a mistyped directory. */
export async function announceNew({ dataDir, nodes }: Pick<Config, 'dataDir' | 'nodes'>): Promise<void> {
  if (nodes !== null || existsSync(join(dataDir, STATE_FILE))) return;
  const { refuseCutOff } = await import('../../backup/replace.ts');
  refuseCutOff(dataDir);
  process.stderr.write(
    `There was no Agent Runtime data in ${dataDir}: a new, empty workspace is made there (--data-dir names another).\n`,
  );
}
