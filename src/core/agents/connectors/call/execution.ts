import type { EventOutbox } from '../../../analytics/events/outbox.ts';
import { KeyedLimiter } from '../../../base/concurrency/limiter.ts';
import { type Caller, requireScope } from '../../../base/shared/caller.ts';
import type { Effects } from '../../../base/shared/effects.ts';
import { invalid, RuntimeError } from '../../../base/shared/errors.ts';
import type { CallAuthority, CallCredentials } from '../credentials/call-credentials.ts';
import { redactedAnswer, shownHeaders } from '../credentials/redaction.ts';
import { sentRequest } from '../credentials/sent-request.ts';
import { ENVIRONMENTS, type EnvironmentName } from '../definition/environment-schema.ts';
import type { ConnectorDefinition } from '../definition/schema.ts';
import { type BuiltRequest, buildRequest } from '../request/request.ts';
import { compiledTarget } from '../request/target.ts';
import { compiledResource } from '../request/validation.ts';
import type { ConnectorService } from '../service.ts';
import { dataOf, UnreadableAnswer } from './answer-data.ts';
import { type Attempted, attempt, Deadline, type PlannedCall } from './attempts.ts';
import { CircuitBreakers } from './circuit-breakers.ts';
import type { CallMetadata, ExecutedCall } from './execute-schema.ts';
import { type CallFault, FailedConnectorCall, failedCall } from './faults.ts';
import { type ConnectorCall, RunningCall, recordCall } from './running-call.ts';
import { followRedirects, type Transport, type UpstreamAnswer } from './transport.ts';
import type { Circuit, TriedCall } from './trial-schema.ts';

export interface ConnectorExecutionParts {
  connectors: Pick<ConnectorService, 'configured'>;
  credentials: CallCredentials;
  transport: Transport;
  outbox: Pick<EventOutbox, 'record'>;
  effects: Effects;
  /** The connector's default applies if null. */
  defaultEnvironment: EnvironmentName | null;
  random?: () => number;
  onEnd?: (metadata: CallMetadata, error: string | null) => void;
}

const REJECTION = 'too many calls of it are under way, and this one was not made; try again.';

export class ConnectorExecution {
  private readonly parts: ConnectorExecutionParts;
  private readonly breakers: CircuitBreakers;
  private readonly limiter = new KeyedLimiter({ concurrency: 1, maxQueue: 1, rejection: REJECTION });

  constructor(parts: ConnectorExecutionParts) {
    this.parts = parts;
    this.breakers = new CircuitBreakers(parts.effects);
  }

  /** Throws `not_found` for an unknown connector or resource, then only a FailedConnectorCall. */
  async execute(caller: Caller, call: ConnectorCall, signal: AbortSignal): Promise<ExecutedCall> {
    return this.finish(await this.begin(caller, call), signal);
  }

  /** For people who check a connector: also with the request and the headers of the answer. */
  async tryOut(caller: Caller, call: ConnectorCall, signal: AbortSignal): Promise<TriedCall> {
    const running = await this.begin(caller, call);
    const trial: NonNullable<RunningCall['trial']> = { sent: null, headers: null };
    running.trial = trial;
    const outcome = await this.finish(running, signal).catch((error: unknown) => {
      if (error instanceof FailedConnectorCall) return failedCall(error, error.message);
      throw error;
    });
    return { ...trial, call: outcome };
  }

  /** As this process sees them. Throws `not_found`. */
  async circuits(caller: Caller, slug: string): Promise<Circuit[]> {
    const { definition } = await this.parts.connectors.configured(caller, slug);
    return ENVIRONMENTS.filter((environment) => definition.environments[environment] !== undefined).map(
      (environment) => ({ environment, ...this.breakers.look(circuitOf(caller.tenantId, definition, environment)) }),
    );
  }

  private async begin(caller: Caller, call: ConnectorCall): Promise<RunningCall> {
    requireScope(caller, 'connectors:execute');
    const { definition } = await this.parts.connectors.configured(caller, call.connector);
    const { resource } = compiledResource(definition, call.resource);
    return new RunningCall(caller, call, { definition, resourceSlug: call.resource, resource });
  }

  private async finish(running: RunningCall, signal: AbortSignal): Promise<ExecutedCall> {
    try {
      const data = await this.run(running, signal);
      return this.end(running, { success: true, data, metadata: running.metadata() });
    } catch (error) {
      throw this.endFailed(running, error);
    }
  }

  private async run(running: RunningCall, caller: AbortSignal): Promise<unknown> {
    const { definition, resourceSlug, call } = running;
    const environment = this.environmentOf(definition, call.environment);
    running.environment = environment;
    const deadline = deadlineOf(running, caller);
    try {
      const { data, options } = call;
      const request = buildRequest({ definition, environment, resourceSlug, data, headers: options?.headers });
      if (running.trial) running.trial.sent = sentRequest(request, compiledTarget(definition, environment));
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
    const { slug, retry } = definition;
    const { environment, authority, deadline } = prepared;
    return {
      connector: slug,
      circuit: circuitOf(policy.tenantId, definition, environment),
      retry,
      isIdempotent,
      deadline,
      send: (signal) => this.send(running, prepared, signal),
      refresh: () => authority.refresh(),
    };
  }

  private async send(
    running: RunningCall,
    { request, authority, deadline }: Prepared,
    signal: AbortSignal,
  ): Promise<UpstreamAnswer> {
    const { definition, policy } = running;
    const { transport: direct } = this.parts;
    const transport = definition.followRedirects ? followRedirects(direct) : direct;
    const { secrets, ...authorized } = await authority.authorize(request, signal).catch((error: unknown) => {
      throw deadline.hasPassed ? notAsked(deadline.fault(definition.slug)) : error;
    });
    const answer = await transport.send(policy, { ...authorized, maxBytes: definition.maxResponseBytes, signal });
    if (running.trial) running.trial.headers = shownHeaders(answer, secrets);
    return redactedAnswer(answer, secrets);
  }

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

  /** Throws `invalid` when it is missing: a trial call must never reach production. */
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
    const { outbox, onEnd } = this.parts;
    const { caller, credential } = running;
    recordCall(outbox, { caller, metadata: executed.metadata, credential, error: null, fallback: false });
    onEnd?.(executed.metadata, null);
    return executed;
  }

  /** Other errors than a RuntimeError are defects. */
  private endFailed(running: RunningCall, error: unknown): unknown {
    if (!(error instanceof RuntimeError)) return error;
    const failure = error instanceof FailedConnectorCall ? error : running.failed(error);
    const { code, message, outcome } = failure;
    const fallback = outcome.fallbackResponse !== undefined;
    const { caller, credential } = running;
    const ended = { caller, metadata: outcome.metadata, credential, error: { code, message }, fallback };
    recordCall(this.parts.outbox, ended);
    this.parts.onEnd?.(outcome.metadata, code);
    return failure;
  }
}

/** With the address, so that a corrected definition starts with a closed circuit. */
function circuitOf(tenantId: string, { slug, environments }: ConnectorDefinition, environment: EnvironmentName) {
  return `${tenantId} ${slug} ${environment} ${environments[environment]!.baseUrl}`;
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

/** Throws a FailedConnectorCall, with the data of the answer if it is readable. */
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
