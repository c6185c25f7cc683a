import { ConnectorExecution } from '../core/connectors/call/execution.ts';
import { CallRecorder } from '../core/connectors/call/recorder.ts';
import type { Transport } from '../core/connectors/call/transport.ts';
import { CallCredentials } from '../core/connectors/credentials/call-credentials.ts';
import { AccessTokens } from '../core/connectors/credentials/tokens.ts';
import type { Foundation } from './foundation.ts';

export function openConnectors(foundation: Foundation) {
  const { config, connectors, credentials, eventStore, tenants, metrics, log, effects } = foundation;
  const transport = transportOnUse();
  const recorder = new CallRecorder({
    events: eventStore,
    tenants,
    effects,
    onError: (error) => log.error({ err: error }, 'calls of connectors could not be recorded'),
    onLost: () => metrics.lostConnectorCalls.add(1),
  });
  const execution = new ConnectorExecution({
    connectors,
    transport,
    recorder,
    effects,
    credentials: new CallCredentials({
      credentials,
      tokens: new AccessTokens({ transport, effects }),
      variable: config.variable,
    }),
    defaultEnvironment: config.environment ?? null,
    onEnd: (metadata, error) => metrics.recordConnectorCall(metadata, error),
  });
  return {
    execution,
    close: () => recorder.close(),
  };
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
