import type { Config } from './config.ts';
import type { AuthService } from './core/auth/service.ts';
import { CallCredentials } from './core/connectors/call-credentials.ts';
import { CallRecorder } from './core/connectors/call-recorder.ts';
import type { CredentialService } from './core/connectors/credentials.ts';
import { ConnectorExecution } from './core/connectors/execution.ts';
import { followRedirects } from './core/connectors/redirects.ts';
import type { ConnectorService } from './core/connectors/service.ts';
import { AccessTokens } from './core/connectors/tokens.ts';
import type { Effects } from './core/effects.ts';
import type { EventStore } from './core/events/store.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics/metrics.ts';
import { makeTransport } from './outbound/transport.ts';

export interface ConnectorParts {
  config: Config;
  connectors: ConnectorService;
  credentials: CredentialService;
  eventStore: EventStore;
  auth: AuthService;
  metrics: Metrics;
  log: Log;
  effects: Effects;
}

/** Puts the execution of connectors together. */
export function openConnectors({
  config,
  connectors,
  credentials,
  eventStore,
  auth,
  metrics,
  log,
  effects,
}: ConnectorParts) {
  const transport = makeTransport();
  const recorder = new CallRecorder({
    ...{ events: eventStore, auth, effects },
    onError: (error) => log.error({ err: error }, 'calls of connectors could not be recorded'),
    onLost: () => metrics.lostConnectorCalls.add(1),
  });
  const execution = new ConnectorExecution({
    ...{ connectors, transport, recorder, effects },
    credentials: new CallCredentials({
      credentials,
      tokens: new AccessTokens({ transport, effects }),
      variable: config.variable,
    }),
    followingTransport: followRedirects(transport),
    defaultEnvironment: config.environment ?? null,
    onEnd: (metadata, error) => metrics.called(metadata, error),
  });
  return {
    execution,
    close: () => recorder.close(),
  };
}
