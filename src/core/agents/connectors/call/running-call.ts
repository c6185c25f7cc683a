import type { EventOutbox } from '../../../analytics/events/outbox.ts';
import type { Caller } from '../../../base/shared/caller.ts';
import type { CallAuthority } from '../credentials/call-credentials.ts';
import type { EnvironmentName } from '../definition/environment-schema.ts';
import { IDEMPOTENT_METHODS, type Resource } from '../definition/resource-schema.ts';
import type { ConnectorDefinition } from '../definition/schema.ts';
import type { Attempted } from './attempts.ts';
import type { CallMetadata, ExecuteConnector } from './execute-schema.ts';
import { type CallFault, FailedConnectorCall } from './faults.ts';
import type { CallPolicy } from './transport.ts';
import type { TriedCall } from './trial-schema.ts';

export interface ConnectorCall extends ExecuteConnector {
  /** Slug or name. */
  connector: string;
  environment?: EnvironmentName | undefined;
}

interface Found {
  definition: ConnectorDefinition;
  resourceSlug: string;
  resource: Resource;
}

export class RunningCall {
  readonly caller: Caller;
  readonly call: ConnectorCall;
  readonly definition: ConnectorDefinition;
  readonly resourceSlug: string;
  readonly resource: Resource;
  environment: EnvironmentName | null = null;
  authority: CallAuthority | null = null;
  /** The request and the headers that a trial shows; null for other calls. */
  trial: Pick<TriedCall, 'sent' | 'headers'> | null = null;
  attempted: Attempted = { answer: null, fault: null, status: null, attempts: 0, mayBeDone: false };
  isMocked = false;
  private readonly startedAt = performance.now();

  constructor(caller: Caller, call: ConnectorCall, { definition, resourceSlug, resource }: Found) {
    this.caller = caller;
    this.call = call;
    this.definition = definition;
    this.resourceSlug = resourceSlug;
    this.resource = resource;
  }

  get policy(): CallPolicy {
    return { tenantId: this.caller.tenantId, allowPrivateNetworks: this.definition.allowPrivateNetworks };
  }

  get isIdempotent(): boolean {
    return this.resource.idempotent ?? IDEMPOTENT_METHODS.has(this.resource.method);
  }

  get credential(): string | null {
    return this.authority?.credential ?? null;
  }

  metadata(hasFailed = false): CallMetadata {
    const { attempts, mayBeDone, status } = this.attempted;
    return {
      connector: this.definition.slug,
      resource: this.resourceSlug,
      environment: this.environment,
      status,
      duration: Math.round((performance.now() - this.startedAt) * 10) / 10,
      attempts,
      mocked: this.isMocked,
      retrySafe: this.isIdempotent || this.isMocked || (hasFailed && !mayBeDone),
    };
  }

  failed(fault: CallFault, data?: unknown): FailedConnectorCall {
    const { fallbackResponse } = this.resource;
    return new FailedConnectorCall(fault, { metadata: this.metadata(true), data, fallbackResponse });
  }
}

const MAX_ERROR = 500;

export interface EndedCall {
  caller: Caller;
  metadata: CallMetadata;
  credential: string | null;
  error: { code: string; message: string } | null;
  fallback: boolean;
}

/** Records no data but the API's error message. */
export function recordCall(
  outbox: Pick<EventOutbox, 'record'>,
  { caller, metadata, credential, error, fallback }: EndedCall,
): void {
  const { connector, resource, environment, status, duration: durationMs, attempts, mocked } = metadata;
  const outcome = { connector, resource, environment, status, durationMs, attempts, mocked, fallback };
  const failure = error && { errorCode: error.code, error: error.message.slice(0, MAX_ERROR).toWellFormed() };
  const eventName = error ? 'runtime.connector_failed' : 'runtime.connector_executed';
  outbox.record(caller, eventName, { ...outcome, ...(credential !== null && { credential }), ...failure });
}
