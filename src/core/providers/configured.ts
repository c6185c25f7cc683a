import type { Capabilities } from '../chat/capabilities.ts';
import type { Connection } from '../chat/provider.ts';
import type { Price } from '../chat/recording/record.ts';
import type { Vendor } from '../chat/vendors.ts';
import { RuntimeError } from '../shared/errors.ts';
import { awsRegion, connectionOfEnvironment, type ReadVariable } from './environment.ts';
import type { ChatDefaults, Fallback } from './schema.ts';
import { resolveSecrets, type SecretOwner } from './secrets.ts';
import type { StoredProvider } from './store.ts';

/** A provider with its secrets, for a chat. Never show, log or record it. */
export interface ConfiguredProvider {
  /** Null: the provider of the environment. */
  name: string | null;
  connection: Connection;
  /** Defaults for members that a request omits. */
  defaults: ChatDefaults;
  /** Overrides of the runtime's own table. */
  capabilities: Partial<Capabilities>;
  /** Null: the price in the public table, if any. */
  price: Price | null;
  /** Whether unsupported parameters are refused instead of dropped. */
  strict: boolean;
  /** Until the first content, before a fallback is tried; null: no limit of its own. */
  timeoutMs: number | null;
  /** In order of preference. */
  fallbacks: Fallback[];
}

/** Resolves the secrets of a stored provider. Throws `unavailable` when one cannot be read. */
export function configuredProvider(
  stored: StoredProvider,
  owner: SecretOwner,
  variable: ReadVariable,
): ConfiguredProvider {
  const { definition, faults } = resolveSecrets(stored.definition, owner, variable);
  const { provider, baseUrl, apiKey, headers, timeout, allowPrivateNetwork, allowPrivateImages } = definition;
  const { defaults, capabilities, strict, fallbacks } = definition;
  const { name } = owner;
  const [fault] = faults;
  if (fault) {
    const message = `Provider ${JSON.stringify(name)} cannot be used: ${fault.field}: ${fault.problem}.`;
    throw new RuntimeError('unavailable', message);
  }
  return {
    name,
    connection: {
      provider,
      baseUrl: baseUrl ?? null,
      apiKey: apiKey ?? null,
      headers: headers ?? {},
      region: provider === 'bedrock' ? (definition.region ?? awsRegion(variable)) : null,
      allowPrivateNetwork,
      allowPrivateImages,
    },
    defaults,
    capabilities,
    strict,
    fallbacks,
    price: definition.price ?? null,
    timeoutMs: timeout === undefined ? null : Math.round(timeout * 1_000),
  };
}

/** The vendor with the key of the environment. Throws `unprocessable` without a key. */
export function providerOfEnvironment(provider: Vendor, variable: ReadVariable): ConfiguredProvider {
  return {
    name: null,
    connection: connectionOfEnvironment(provider, variable),
    defaults: {},
    capabilities: {},
    price: null,
    strict: false,
    timeoutMs: null,
    fallbacks: [],
  };
}
