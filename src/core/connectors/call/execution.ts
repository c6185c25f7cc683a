/*
 * A call of a connector:
 *
 * 1. `execute` finds the definition and the resource, and begins a RunningCall, which collects what
 *    the metadata say of the call.
 * 2. `run` chooses the environment, starts the deadline, and checks the data by building the request.
 * 3. A call with `useMock` ends here with the mock of the resource.
 * 4. `authorityFor` finds the secrets; the request is sent once the KeyedLimiter lets it.
 * 5. `attempt` sends it, again where that is safe and useful. A circuit breaker stops calls to an API
 *    that keeps failing. `send` adds the credentials and removes them from the answer.
 * 6. `dataFrom` parses the answer. The call is recorded, whether it succeeded or failed.
 */

import { KeyedLimiter } from '../../concurrency/limiter.ts';
import { type Caller, requireScope } from '../../shared/caller.ts';
import type { Effects } from '../../shared/effects.ts';
import { invalid, RuntimeError } from '../../shared/errors.ts';
import type { CallAuthority, CallCredentials } from '../credentials/call-credentials.ts';
import { withoutSecrets } from '../credentials/redaction.ts';
import type { EnvironmentName } from '../definition/environment-schema.ts';
import type { ConnectorDefinition } from '../definition/members.ts';
import { type BuiltRequest, buildRequest } from '../request/request.ts';
import { compiledResource } from '../request/validation.ts';
import type { ConnectorService } from '../service.ts';
import { dataOf, UnreadableAnswer } from './answer-data.ts';
import { type Attempted, attempt, type PlannedCall } from './attempts.ts';
import { CircuitBreakers } from './circuit-breakers.ts';
import { Deadline } from './deadline.ts';
import type { CallMetadata, ExecutedCall } from './execute-schema.ts';
import { type CallFault, FailedConnectorCall } from './failure.ts';
import type { CallRecorder } from './recorder.ts';
import { type ConnectorCall, RunningCall } from './running-call.ts';
import type { Transport, UpstreamAnswer } from './transport.ts';

export interface ExecutionParts {
  connectors: Pick<ConnectorService, 'configured'>;
  credentials: CallCredentials;
  transport: Transport;
  /** A transport that follows redirects of GET and HEAD within their origin. */
  followingTransport: Transport;
  recorder: Pick<CallRecorder, 'record'>;
  effects: Effects;
  /** For calls without an environment; null: the default of the connector. */
  defaultEnvironment: EnvironmentName | null;
  /** As `Math.random`. */
  random?: () => number;
  /** Called when a call of a known resource ends. */
  onEnd?: (metadata: CallMetadata, error: string | null) => void;
}

const REJECTION = 'too many calls of it are under way, and this one was not made; try again.';

/** Executes calls of configured connectors. The overview is at the top of this file. */
export class ConnectorExecution {
  private readonly parts: ExecutionParts;
  private readonly breakers: CircuitBreakers;
  private readonly limiter = new KeyedLimiter({ concurrency: 1, maxQueue: 1, rejection: REJECTION });

  constructor(parts: ExecutionParts) {
    this.parts = parts;
    this.breakers = new CircuitBreakers(parts.effects);
  }

  /**
   * Throws `not_found` for an unknown connector or resource, then a FailedConnectorCall only. After
   * `invalid`, `not_found`, and where the metadata say `retrySafe`, the same call may be made again.
   */
  async execute(caller: Caller, call: ConnectorCall, signal: AbortSignal): Promise<ExecutedCall> {
    requireScope(caller, 'connectors:execute');
    const { definition } = await this.parts.connectors.configured(caller.tenantId, call.connector);
    const { resource } = compiledResource(definition, call.resource);
    const running = new RunningCall(caller, call, { definition, resourceSlug: call.resource, resource });
    try {
      const data = await this.run(running, signal);
      return this.end(running, { success: true, data, metadata: running.metadata() });
    } catch (error) {
      throw this.endFailed(running, error);
    }
  }

  /** The data of the answer. */
  private async run(running: RunningCall, caller: AbortSignal): Promise<unknown> {
    const { definition, resourceSlug, call } = running;
    const environment = this.environmentOf(definition, call.environment);
    running.environment = environment;
    const deadline = deadlineOf(running, caller);
    try {
      const { data, options } = call;
      const request = buildRequest({ definition, environment, resourceSlug, data, headers: options?.headers });
      if (options?.useMock) return mockOf(running);
      const requested = { policy: running.policy, environment, named: options?.credentials };
      running.authority = await this.parts.credentials.authorityFor(definition, requested);
      const planned = this.planned(running, { environment, request, authority: running.authority, deadline });
      const { effects, random = Math.random } = this.parts;
      const parts = { breakers: this.breakers, effects, random };
      running.attempted = await this.limited(running, deadline.signal, () => attempt(planned, parts));
      return dataFrom(running, running.attempted);
    } catch (error) {
      const isTimeout = deadline.hasPassed && error === deadline.signal.reason;
      throw isTimeout ? running.failed(deadline.fault(definition.slug)) : error;
    } finally {
      deadline.end();
    }
  }

  private planned(running: RunningCall, prepared: Prepared): PlannedCall {
    const { definition, policy, isIdempotent } = running;
    const { slug, environments, retry } = definition;
    const { environment, authority, deadline } = prepared;
    return {
      connector: slug,
      // With the address, so that a corrected definition starts with a closed circuit.
      circuit: `${policy.tenantId} ${slug} ${environment} ${environments[environment]!.baseUrl}`,
      retry,
      isIdempotent,
      deadline,
      send: (signal) => this.send(running, prepared, signal),
      refresh: () => authority.refresh(),
    };
  }

  private async send(
    { definition, policy }: RunningCall,
    { request, authority, deadline }: Prepared,
    signal: AbortSignal,
  ): Promise<UpstreamAnswer> {
    const transport = definition.followRedirects ? this.parts.followingTransport : this.parts.transport;
    const { secrets, ...authorized } = await authority.authorize(request, signal).catch((error: unknown) => {
      throw deadline.hasPassed ? notAsked(deadline.fault(definition.slug)) : error;
    });
    const answer = await transport.send(policy, { ...authorized, maxBytes: definition.maxResponseBytes, signal });
    return withoutSecrets(answer, secrets);
  }

  /** Waits for a slot of this connector and environment until the deadline. */
  private limited<Result>(
    { policy, definition, environment }: RunningCall,
    signal: AbortSignal,
    task: () => Promise<Result>,
  ): Promise<Result> {
    const { slug, maxConcurrent } = definition;
    const options = {
      concurrency: maxConcurrent,
      maxQueue: maxConcurrent,
      rejection: `"${slug}": ${REJECTION}`,
      signal,
    };
    return this.limiter.run(`${policy.tenantId} ${slug} ${environment}`, task, options);
  }

  /** Throws `invalid` when it is missing: a trial call must never reach production instead. */
  private environmentOf(definition: ConnectorDefinition, requested: EnvironmentName | undefined): EnvironmentName {
    const { environments, defaultEnvironment, slug } = definition;
    const [first] = (['production', 'staging'] as const).filter((name) => environments[name] !== undefined);
    const wanted = requested ?? this.parts.defaultEnvironment ?? defaultEnvironment ?? first!;
    if (environments[wanted] !== undefined) return wanted;
    const why =
      requested === undefined
        ? `the server's default is ${wanted}, which "${slug}" does not have`
        : `"${slug}" does not have it`;
    throw invalid(`environment: ${why}; it has ${Object.keys(environments).join(' and ')}`);
  }

  private end(running: RunningCall, executed: ExecutedCall): ExecutedCall {
    const { recorder, onEnd } = this.parts;
    const { caller, credential } = running;
    recorder.record({ caller, metadata: executed.metadata, credential, error: null, fallback: false });
    onEnd?.(executed.metadata, null);
    return executed;
  }

  /** Any other error than a RuntimeError is a defect, and stays as it is. */
  private endFailed(running: RunningCall, error: unknown): unknown {
    if (!(error instanceof RuntimeError)) return error;
    const failure = error instanceof FailedConnectorCall ? error : running.failed(error);
    const { code, message, outcome } = failure;
    const fallback = outcome.fallbackResponse !== undefined;
    const { caller, credential } = running;
    this.parts.recorder.record({ caller, metadata: outcome.metadata, credential, error: { code, message }, fallback });
    this.parts.onEnd?.(outcome.metadata, code);
    return failure;
  }
}

interface Prepared {
  environment: EnvironmentName;
  request: BuiltRequest;
  authority: CallAuthority;
  deadline: Deadline;
}

function deadlineOf({ definition, resource, call }: RunningCall, caller: AbortSignal): Deadline {
  const timeout = call.options?.timeout;
  const ownTimeoutMs = resource.timeoutMs ?? definition.timeoutMs;
  const isOfConnector = timeout === undefined || timeout >= ownTimeoutMs;
  return new Deadline({ timeoutMs: timeout ?? ownTimeoutMs, isOfConnector, caller });
}

/** A RuntimeError means that the API was not called: the token came too late. */
function notAsked({ code, message, retryAfter }: CallFault): RuntimeError {
  return new RuntimeError(code, message, { retryAfter });
}

function mockOf(running: RunningCall): unknown {
  const { mock } = running.resource;
  if (!mock) throw invalid(`options.useMock: ${running.resourceSlug} has no mock; its definition may give it one`);
  running.isMocked = true;
  running.attempted = { answer: null, fault: null, status: mock.status, attempts: 0, mayBeDone: false };
  return mock.body ?? null;
}

/** Throws a FailedConnectorCall, with the data of the answer where it can be parsed. */
function dataFrom(running: RunningCall, { answer, fault }: Attempted): unknown {
  let data: unknown;
  try {
    data = answer === null ? undefined : dataOf(answer);
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    const message = `"${running.definition.slug}" answered ${answer!.status}, and cannot be read: ${error.message}.`;
    throw running.failed(fault ?? { code: 'upstream', message });
  }
  if (fault) throw running.failed(fault, data);
  return data;
}
