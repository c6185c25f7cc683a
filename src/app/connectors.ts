import { ConnectorExecution } from '../core/agents/connectors/call/execution.ts';
import type { Transport } from '../core/agents/connectors/call/transport.ts';
import { CallCredentials } from '../core/agents/connectors/credentials/call-credentials.ts';
import { AccessTokens } from '../core/agents/connectors/credentials/tokens.ts';
import type { OpenStores } from './open-stores.ts';

export function openConnectors(stores: OpenStores): ConnectorExecution {
  const { config, connectors, credentials, outbox, metrics, effects } = stores;
  const transport = transportOnUse();
  return new ConnectorExecution({
    connectors,
    transport,
    outbox,
    effects,
    credentials: new CallCredentials({
      credentials,
      tokens: new AccessTokens({ transport, effects }),
      variable: config.variable,
    }),
    defaultEnvironment: config.environment ?? null,
    onEnd: (metadata, error) => metrics.recordConnectorCall(metadata, error),
  });
}

/** undici is large, and loaded with the first call. */
function transportOnUse(): Transport {
  let made: Promise<Transport> | undefined;
  const load = async () => (await import('../outbound/transport.ts')).makeTransport();
  return {
    send: async (policy, request) => {
      made ??= load();
      return (await made).send(policy, request);
    },
  };
}
