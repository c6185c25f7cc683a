import { keyVariablesSet, type ReadVariable } from '../core/providers/environment.ts';
import { resolveSecrets, type SecretFault } from '../core/providers/secrets.ts';
import { InstallationSecret } from '../storage/secret-key.ts';
import { examineProviders, type FoundProvider } from '../storage/sqlite/examine-providers.ts';
import { isUnusableFile } from '../storage/unusable.ts';
import { findingsOfAddresses } from './addresses.ts';
import type { Finding } from './findings.ts';

export interface ProviderSettings {
  dataDir: string;
  secretKey?: string | undefined;
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
export async function findingsOfProviders({ dataDir, secretKey, variable }: ProviderSettings): Promise<Finding[]> {
  const check = 'provider configuration';
  const found = await examineProviders(dataDir);
  if (found.length === 0) return [{ check, status: 'ok', message: 'no provider is defined' }];
  const key = keyOf(new InstallationSecret({ dataDir, secretKey }));
  // Without a secret there is none that these could have been sealed with: any other key says so.
  const faults = found.flatMap((one) => faultsOf(one, () => key ?? new Uint8Array(32), variable));
  const sealed = faults.filter(({ kind }) => kind === 'sealed');
  const unset = faults.filter(({ kind }) => kind === 'variable');
  return [
    { check, status: 'ok', message: countsOf(found) },
    ...sealed.map(
      ({ where, problem }): Finding => ({ check, status: 'failed', message: `${where}: ${problem}. ${MEND}` }),
    ),
    ...unset.map(
      ({ where, problem }): Finding => ({ check, status: 'warning', message: `${where}: ${problem}. ${LOOK}` }),
    ),
    ...(await findingsOfAddresses(found)),
  ];
}

/** Null while there is none, and when it cannot be worked with: that is told of the file itself. */
function keyOf(secret: InstallationSecret): Uint8Array | null {
  try {
    return secret.existingKeyFor('stored secrets');
  } catch (error) {
    if (isUnusableFile(error)) return null;
    throw error;
  }
}

const MEND = 'Put back the secret.key or AGENT_RUNTIME_SECRET_KEY from before, or apply the definition again';
const LOOK = 'The server may have another environment than this command: see that it is set there';

interface LocatedFault extends SecretFault {
  where: string;
}

function faultsOf(
  { tenantId, tenant, provider }: FoundProvider,
  key: () => Uint8Array,
  variable: ReadVariable,
): LocatedFault[] {
  const { faults } = resolveSecrets(provider.definition, { tenantId, name: provider.name, key }, variable);
  return faults.map((fault) => ({ ...fault, where: `${provider.name} of tenant ${tenant}, ${fault.field}` }));
}

/** `acme 2, default 1`. */
function countsOf(found: FoundProvider[]): string {
  const byTenant = Map.groupBy(found, ({ tenant }) => tenant);
  return `providers by tenant: ${[...byTenant].map(([tenant, providers]) => `${tenant} ${providers.length}`).join(', ')}`;
}
