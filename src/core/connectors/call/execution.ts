import { type Caller, requireScope } from '../../shared/caller.ts';
import type { Effects } from '../../shared/effects.ts';
import { invalid, RuntimeError } from '../../shared/errors.ts';
import { KeyedLimiter } from '../../shared/limiter.ts';
import type { CallCredentials } from '../credentials/call-credentials.ts';
import { withoutSecrets } from '../credentials/redaction.ts';
import type { EnvironmentName } from '../definition/environment-schema.ts';
import type { ConnectorDefinition } from '../definition/members.ts';
import type { Resource } from '../definition/resource-schema.ts';
import { buildRequest } from '../request/request.ts';
import { compiledResource } from '../request/validation.ts';
import type { ConnectorService } from '../service.ts';
import { dataOf, UnreadableAnswer } from './answer-data.ts';
import { type Attempted, attempt } from './attempts.ts';
import { CircuitBreakers } from './circuit-breakers.ts';
import { Deadline } from './deadline.ts';
import type { CallMetadata, ExecutedCall } from './execute-schema.ts';
import { type CallFault, FailedConnectorCall } from './failure.ts';
import type { CallRecorder } from './recorder.ts';
import { type ConnectorCall, RunningCall } from './running-call.ts';
import type { CallPolicy, Transport, UpstreamAnswer } from './transport.ts';

export interface ExecutionParts {
  connectors: Pick<ConnectorService, 'configured'>;
  credentials: CallCredentials;
  transport: Transport;
  /** The same, which follows redirects of GET and HEAD within their origin. */
  followingTransport: Transport;
  recorder: Pick<CallRecorder, 'record'>;
  effects: Effects;
  /** The environment of calls that name none; null: the connector's own. */
  defaultEnvironment: EnvironmentName | null;
  /** From 0 up to 1. */
  random?: () => number;
  /** How a call of a known resource ended. */
  onEnd?: (metadata: CallMetadata, error: string | null) => void;
}

const REFUSAL = 'too many calls of it are under way, and this one was not made; try again.';

/** Executes calls of configured connectors: what is asked is checked, sent with the tenant's credentials, and told of. */
export class ConnectorExecution {
  private readonly parts: ExecutionParts;
  private readonly breakers: CircuitBreakers;
  private readonly gates = new KeyedLimiter({ concurrency: 1, maxQueue: 1, rejection: REFUSAL });

  constructor(parts: ExecutionParts) {
    this.parts = parts;
    this.breakers = new CircuitBreakers(parts.effects);
  }

  /**
   * Throws a FailedConnectorCall once the resource is known, before that `not_found`. With `invalid`, `not_found`, and where its
   * metadata say `retrySafe`, the same call may be made again.
   */
  async execute(caller: Caller, call: ConnectorCall, signal: AbortSignal): Promise<ExecutedCall> {
    requireScope(caller, 'connectors:execute');
    const { definition } = await this.parts.connectors.configured(caller.tenantId, call.connector);
    const { resource } = compiledResource(definition, call.resource);
    const running = new RunningCall(caller, call, { definition, resourceSlug: call.resource, resource });
    try {
      const { answer, fault, ...how } = await this.run(running, signal);
      running.record(how);
      const { data, unreadable } = readable(running, answer);
      const failure = fault ?? unreadable;
      if (failure) throw running.failed(failure, data);
      return this.end(running, { success: true, data, metadata: running.metadata() });
    } catch (error) {
      throw this.endFailed(running, error);
    }
  }

  private async run(running: RunningCall, caller: AbortSignal): Promise<Attempted> {
    const { definition, resource, call } = running;
    const environment = this.environmentOf(definition, call.environment);
    running.environment = environment;
    const { timeout, useMock, credentials } = call.options ?? {};
    const ownTimeoutMs = resource.timeoutMs ?? definition.timeoutMs;
    const deadline = new Deadline({
      timeoutMs: timeout ?? ownTimeoutMs,
      isOfConnector: timeout === undefined || timeout >= ownTimeoutMs,
      caller,
    });
    try {
      const request = buildRequest({
        ...{ definition, environment, resourceSlug: running.resourceSlug },
        ...{ data: call.data, headers: call.options?.headers },
      });
      if (useMock) return mocked(running, resource);
      const { tenantId } = running.caller;
      const { allowPrivateNetworks } = definition;
      const policy: CallPolicy = { tenantId, allowPrivateNetworks };
      const asked = { policy, environment, named: credentials };
      const authority = await this.parts.credentials.authorityFor(definition, asked);
      running.authority = authority;
      const transport = definition.followRedirects ? this.parts.followingTransport : this.parts.transport;
      const send = async (signal: AbortSignal): Promise<UpstreamAnswer> => {
        const { secrets, ...authorized } = await authority.authorize(request, signal).catch((error: unknown) => {
          throw deadline.hasPassed ? notAsked(deadline.fault(definition.slug)) : error;
        });
        const answer = await transport.send(policy, { ...authorized, maxBytes: definition.maxResponseBytes, signal });
        return withoutSecrets(answer, secrets);
      };
      // With the address: a definition that is mended is asked at once.
      const circuit = `${tenantId} ${definition.slug} ${environment} ${definition.environments[environment]!.baseUrl}`;
      const { effects, random = Math.random } = this.parts;
      const planned = {
        ...{ connector: definition.slug, circuit, retry: definition.retry, deadline, send },
        isIdempotent: running.isIdempotent,
        refresh: () => authority.refresh(),
      };
      return await this.inTurn(running, deadline, () => attempt(planned, { breakers: this.breakers, effects, random }));
    } catch (error) {
      throw deadline.hasPassed && error === deadline.signal.reason
        ? running.failed(deadline.fault(definition.slug))
        : error;
    } finally {
      deadline.end();
    }
  }

  /** Waits for a place among the calls of this connector, as long as there is time. Work that has begun ends by itself when it is over. */
  private inTurn(
    { caller, definition, environment }: RunningCall,
    { signal }: Deadline,
    work: () => Promise<Attempted>,
  ): Promise<Attempted> {
    const { slug, maxConcurrent } = definition;
    const options = { concurrency: maxConcurrent, maxQueue: maxConcurrent, rejection: `"${slug}": ${REFUSAL}`, signal };
    return this.gates.run(`${caller.tenantId} ${slug} ${environment}`, work, options);
  }

  /** Throws `invalid` when the connector has not what is asked for: trying must never become doing. */
  private environmentOf(definition: ConnectorDefinition, asked: EnvironmentName | undefined): EnvironmentName {
    const { environments, defaultEnvironment, slug } = definition;
    const [first] = (['production', 'staging'] as const).filter((name) => environments[name] !== undefined);
    const wanted = asked ?? this.parts.defaultEnvironment ?? defaultEnvironment ?? first!;
    if (environments[wanted] !== undefined) return wanted;
    const why =
      asked === undefined
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

  /** What is no RuntimeError is a defect of ours, and is thrown as it came. */
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

/** A RuntimeError tells that the API was not asked: the time was over while a token was awaited. */
function notAsked({ code, message, retryAfter }: CallFault): RuntimeError {
  return new RuntimeError(code, message, { retryAfter });
}

function mocked(running: RunningCall, { mock }: Resource): Attempted {
  if (!mock) throw invalid(`options.useMock: ${running.call.resource} has no mock; its definition may give it one`);
  running.mock = { data: mock.body ?? null };
  const answer = { status: mock.status, headers: {}, body: Buffer.alloc(0) };
  return { answer, fault: null, status: mock.status, attempts: 0, mayBeDone: false };
}

function readable(running: RunningCall, answer: UpstreamAnswer | null): { data?: unknown; unreadable?: CallFault } {
  if (running.mock) return { data: running.mock.data };
  if (!answer) return {};
  try {
    return { data: dataOf(answer) };
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    const message = `"${running.definition.slug}" answered ${answer.status}, and cannot be read: ${error.message}.`;
    return { unreadable: { code: 'upstream', message } };
  }
}
