import { keyVariablesSet, type ReadVariable } from '../core/agents/providers/environment.ts';
import { resolveSecrets, type SecretFault } from '../core/agents/providers/secrets.ts';
import type { FoundProvider } from '../storage/state/sql/examined.ts';
import { findingsOfAddresses } from './addresses.ts';
import { CHECK_ENVIRONMENT, countsByTenant, type Finding } from './findings.ts';
import { type KeyFinder, putBackKeys, type SealingKeySettings, sealingKeys } from './sealing-key.ts';
import { readState } from './state-rows.ts';

export interface ProviderSettings extends SealingKeySettings {
  variable: ReadVariable;
}

export function findingOfKeys(variable: ReadVariable): Finding {
  const set = keyVariablesSet(variable).map(({ provider, name }) => `${name} (${provider})`);
  const message = set.length > 0 ? `${set.join(', ')}: they serve every tenant` : 'none is set in this environment';
  return { check: 'provider keys', status: 'ok', message };
}

export async function findingsOfProviders({ variable, ...settings }: ProviderSettings): Promise<Finding[]> {
  const check = 'provider configuration';
  const state = await readState(settings);
  const found = state.providers;
  if (found.length === 0) return [{ check, status: 'ok', message: 'no provider is defined' }];
  const keys = sealingKeys(settings, state);
  const faults = found.flatMap((one) => faultsOf(one, keys, variable));
  const sealed = faults.filter(({ kind }) => kind === 'sealed');
  const unset = faults.filter(({ kind }) => kind === 'variable');
  const findings = (status: Finding['status'], located: LocatedFault[], remedy: string) =>
    located.map(({ where, problem }): Finding => ({ check, status, message: `${where}: ${problem}. ${remedy}` }));
  return [
    { check, status: 'ok', message: countsByTenant('providers', found) },
    ...findings('failed', sealed, `${putBackKeys(state)}, or apply the definition again`),
    ...findings('warning', unset, CHECK_ENVIRONMENT),
    ...(await findingsOfAddresses(found)),
  ];
}

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
