import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { keyVariablesSet, type ReadVariable } from '../core/agents/providers/environment.ts';
import { resolveSecrets, type SecretFault } from '../core/agents/providers/secrets.ts';
import { BlockedAddress, guardedLookup, isPublicAddress } from '../outbound/guard.ts';
import type { FoundProvider } from '../storage/state/sql/examined.ts';
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

/** Short, since a user waits. */
const LOOKUP_TIMEOUT_MS = 3_000;

/** Does not connect. */
export async function findingsOfAddresses(
  found: readonly FoundProvider[],
  lookup = dns.lookup as LookupFunction,
): Promise<Finding[]> {
  const check = 'provider addresses';
  const named = found.filter(({ provider }) => provider.definition.baseUrl !== undefined);
  if (named.length === 0) return [];
  const findings = await Promise.all(
    named.map(async ({ tenant, provider: { name, definition } }): Promise<Finding[]> => {
      const { hostname } = new URL(definition.baseUrl!);
      const error = await faultOf(hostname, definition.allowPrivateNetwork, lookup);
      if (error === null) return [];
      const where = `${name} of tenant ${tenant}`;
      if (error instanceof BlockedAddress) return [{ check, status: 'failed', message: `${where}: ${error.message}` }];
      return [{ check, status: 'warning', message: `${where}: ${hostname} is not found from here (${error.code})` }];
    }),
  );
  const faults = findings.flat();
  if (faults.length > 0) return faults;
  return [{ check, status: 'ok', message: `found: ${named.length}; nothing was asked there` }];
}

/** Null if chats may go there. */
function faultOf(
  hostname: string,
  allowPrivateNetwork: boolean,
  lookup: LookupFunction,
): Promise<NodeJS.ErrnoException | null> {
  const mayReach = allowPrivateNetwork ? () => true : isPublicAddress;
  // A URL has brackets around an IPv6 address.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve) => {
    const timedOut = Object.assign(new Error(), { code: `no answer within ${LOOKUP_TIMEOUT_MS / 1_000} s` });
    const timer = setTimeout(resolve, LOOKUP_TIMEOUT_MS, timedOut);
    guardedLookup(lookup, mayReach)(host, { all: true }, (error) => {
      clearTimeout(timer);
      resolve(error);
    });
  });
}
