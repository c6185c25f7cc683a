import { ConnectorExecution } from '../core/agents/connectors/call/execution.ts';
import type { Transport } from '../core/agents/connectors/call/transport.ts';
import { CallCredentials } from '../core/agents/connectors/credentials/call-credentials.ts';
import { AccessTokens } from '../core/agents/connectors/credentials/tokens.ts';
import { ImportPreviews } from '../core/agents/connectors/openapi/preview.ts';
import { OpenApiReader } from '../openapi/reader.ts';
import type { OpenStores } from './open-stores.ts';

export interface OpenConnectors {
  connectorExecution: ConnectorExecution;
  connectorImports: ImportPreviews;
  close(): Promise<void>;
}

export function openConnectors(stores: OpenStores): OpenConnectors {
  const reader = new OpenApiReader();
  return {
    connectorExecution: openExecution(stores),
    connectorImports: new ImportPreviews({
      connectors: stores.connectors,
      read: (...document) => reader.read(...document),
    }),
    close: () => reader.close(),
  };
}

function openExecution(stores: OpenStores): ConnectorExecution {
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
