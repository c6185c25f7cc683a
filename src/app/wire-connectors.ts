import type { Config } from '../config.ts';
import type { TenantService } from '../core/auth/tenants.ts';
import { ConnectorExecution } from '../core/connectors/call/execution.ts';
import { CallRecorder } from '../core/connectors/call/recorder.ts';
import { followRedirects } from '../core/connectors/call/redirects.ts';
import { CallCredentials } from '../core/connectors/credentials/call-credentials.ts';
import type { CredentialService } from '../core/connectors/credentials/service.ts';
import { AccessTokens } from '../core/connectors/credentials/tokens.ts';
import type { ConnectorService } from '../core/connectors/service.ts';
import type { EventStore } from '../core/events/store.ts';
import type { Effects } from '../core/shared/effects.ts';
import type { Log } from '../logging/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { makeTransport } from '../outbound/transport.ts';

export interface ConnectorParts {
  config: Config;
  connectors: ConnectorService;
  credentials: CredentialService;
  eventStore: EventStore;
  tenants: TenantService;
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
  tenants,
  metrics,
  log,
  effects,
}: ConnectorParts) {
  const transport = makeTransport();
  const recorder = new CallRecorder({
    ...{ events: eventStore, tenants, effects },
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
    onEnd: (metadata, error) => metrics.recordConnectorCall(metadata, error),
  });
  return {
    execution,
    close: () => recorder.close(),
  };
}
