import type { Caller } from '../../shared/caller.ts';
import type { CallAuthority } from '../credentials/call-credentials.ts';
import type { EnvironmentName } from '../definition/environment-schema.ts';
import type { ConnectorDefinition } from '../definition/members.ts';
import { IDEMPOTENT_METHODS, type Resource } from '../definition/resource-schema.ts';
import type { Attempted } from './attempts.ts';
import type { CallMetadata, ExecuteConnector } from './execute-schema.ts';
import { type CallFault, FailedConnectorCall } from './failure.ts';

/** What is asked of a connector. */
export interface ConnectorCall extends ExecuteConnector {
  /** Its slug or its name. */
  connector: string;
  environment?: EnvironmentName | undefined;
}

/** One resource of one connector, found. */
interface Found {
  definition: ConnectorDefinition;
  resourceSlug: string;
  resource: Resource;
}

/** What is known of a call while it runs. */
export class RunningCall {
  readonly caller: Caller;
  readonly call: ConnectorCall;
  readonly definition: ConnectorDefinition;
  readonly resourceSlug: string;
  readonly resource: Resource;
  environment: EnvironmentName | null = null;
  authority: CallAuthority | null = null;
  mock: { data: unknown } | null = null;
  private readonly startedAt = performance.now();
  private how: Omit<Attempted, 'answer' | 'fault'> = { status: null, attempts: 0, mayBeDone: false };

  constructor(caller: Caller, call: ConnectorCall, { definition, resourceSlug, resource }: Found) {
    this.caller = caller;
    this.call = call;
    this.definition = definition;
    this.resourceSlug = resourceSlug;
    this.resource = resource;
  }

  get isIdempotent(): boolean {
    return this.resource.idempotent ?? IDEMPOTENT_METHODS.has(this.resource.method);
  }

  /** The name of the stored credential that it was made with. */
  get credential(): string | null {
    return this.authority?.credential ?? null;
  }

  record(how: RunningCall['how']): void {
    this.how = how;
  }

  metadata(hasFailed = false): CallMetadata {
    const { attempts, mayBeDone, status } = this.how;
    return {
      connector: this.definition.slug,
      resource: this.resourceSlug,
      environment: this.environment,
      status,
      duration: Math.round((performance.now() - this.startedAt) * 10) / 10,
      attempts,
      mocked: this.mock !== null,
      retrySafe: this.isIdempotent || this.mock !== null || (hasFailed && !mayBeDone),
    };
  }

  failed(fault: CallFault, data?: unknown): FailedConnectorCall {
    const { fallbackResponse } = this.resource;
    return new FailedConnectorCall(fault, { metadata: this.metadata(true), data, fallbackResponse });
  }
}
