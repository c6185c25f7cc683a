import { keyVariablesSet, type ReadVariable } from '../core/providers/environment.ts';
import { resolveSecrets, type SecretFault } from '../core/providers/secrets.ts';
import { examineProviders, type FoundProvider } from '../storage/sqlite/examine/providers.ts';
import { findingsOfAddresses } from './addresses.ts';
import { countsByTenant, type Finding } from './findings.ts';
import { type KeyFinder, PUT_BACK_KEYS, type SealingKeySettings, sealingKeys } from './sealing-key.ts';

export interface ProviderSettings extends SealingKeySettings {
  variable: ReadVariable;
}

/** Which vendors' keys this environment has. Their names alone. */
export function findingOfKeys(variable: ReadVariable): Finding {
  const set = keyVariablesSet(variable).map(({ provider, name }) => `${name} (${provider})`);
  const message = set.length > 0 ? `${set.join(', ')}: they serve every tenant` : 'none is set in this environment';
  return { check: 'provider keys', status: 'ok', message };
}

/**
 * Whether the definitions of providers could be used with what is here. Nothing is changed, and no provider is asked. The
 * environment is that of this command: a variable that it lacks may be set for the server.
 */
export async function findingsOfProviders({ variable, ...settings }: ProviderSettings): Promise<Finding[]> {
  const check = 'provider configuration';
  const found = await examineProviders(settings.dataDir);
  if (found.length === 0) return [{ check, status: 'ok', message: 'no provider is defined' }];
  const keys = sealingKeys(settings);
  const faults = found.flatMap((one) => faultsOf(one, keys, variable));
  const sealed = faults.filter(({ kind }) => kind === 'sealed');
  const unset = faults.filter(({ kind }) => kind === 'variable');
  return [
    { check, status: 'ok', message: countsByTenant('providers', found) },
    ...sealed.map(
      ({ where, problem }): Finding => ({ check, status: 'failed', message: `${where}: ${problem}. ${MEND}` }),
    ),
    ...unset.map(
      ({ where, problem }): Finding => ({ check, status: 'warning', message: `${where}: ${problem}. ${LOOK}` }),
    ),
    ...(await findingsOfAddresses(found)),
  ];
}

const MEND = `${PUT_BACK_KEYS}, or apply the definition again`;
const LOOK = 'The server may have another environment than this command: see that it is set there';

interface LocatedFault extends SecretFault {
  where: string;
}

function faultsOf(
  { tenantId, tenant, provider }: FoundProvider,
  keys: KeyFinder,
  variable: ReadVariable,
): LocatedFault[] {
  const { faults } = resolveSecrets(provider.definition, { tenantId, name: provider.name, keys }, variable);
  return faults.map((fault) => ({ ...fault, where: `${provider.name} of tenant ${tenant}, ${fault.field}` }));
}
