import type { AuditLog } from '../../base/audit/log.ts';
import { type Caller, requirePortal } from '../../base/shared/caller.ts';
import { invalid, RuntimeError } from '../../base/shared/errors.ts';
import type { Buckets, Rate } from '../../limits/rates/buckets.ts';
import type { ProviderDefinitions } from '../providers/definitions.ts';
import { TEST_MODELS } from '../providers/known-models.ts';
import type { ProviderService } from '../providers/service.ts';
import type { Vendor } from './capabilities.ts';
import type { ProviderTest } from './provider-test-schema.ts';
import { priceOf } from './recording/price.ts';
import type { EndedChat } from './recording/record.ts';
import type { ChatRequest } from './schema.ts';
import type { ChatService } from './service.ts';

/** For each tenant. */
const TESTS: Rate = { perMinute: 6, burst: 10 };
const FIRST_CONTENT_MS = 20_000;
/** A server may answer without end. */
const WHOLE_MS = 30_000;
/** OpenAI's Responses API takes no fewer. */
const MAX_TOKENS = 16;
const PROJECT = 'provider-test';

interface ProviderTestParts {
  chat: Pick<ChatService, 'begin'>;
  providers: Pick<ProviderService, 'configured' | 'ofEnvironment'>;
  definitions: Pick<ProviderDefinitions, 'get'>;
  audit: Pick<AuditLog, 'record'>;
  buckets: Buckets;
}

interface Tested {
  provider: Vendor;
  providerName: string | null;
  model: string;
}

/** One short chat, recorded and paid like any other, that tells whether a provider works. */
export class ProviderTests {
  private readonly parts: ProviderTestParts;

  constructor(parts: ProviderTestParts) {
    this.parts = parts;
  }

  /** Throws `not_found`, `invalid` without a model, `rate_limited` also for a spent budget. */
  async ofDefinition(
    caller: Caller,
    name: string,
    model: string | undefined,
    signal: AbortSignal,
  ): Promise<ProviderTest> {
    const { definition, testModel } = await this.parts.definitions.get(caller, name);
    const { provider } = definition;
    return this.test(caller, { provider, providerName: name, model: modelOrDefault(model, testModel) }, signal);
  }

  async ofVendor(
    caller: Caller,
    provider: Vendor,
    model: string | undefined,
    signal: AbortSignal,
  ): Promise<ProviderTest> {
    requirePortal(caller, 'administrator');
    return this.test(
      caller,
      { provider, providerName: null, model: modelOrDefault(model, TEST_MODELS[provider]) },
      signal,
    );
  }

  private async test(caller: Caller, tested: Tested, signal: AbortSignal): Promise<ProviderTest> {
    this.admit(caller);
    const result = (await this.unusable(caller, tested)) ?? (await this.chat(caller, tested, signal));
    const { provider, providerName, model } = tested;
    const { reason, cost } = result;
    await this.parts.audit.record(caller, caller.tenantId, 'provider.tested', providerName ?? provider, {
      ...{ provider, model, outcome: reason ?? 'works' },
      ...(cost === null ? {} : { cost }),
    });
    return result;
  }

  private admit({ tenantId }: Caller): void {
    const lacking = this.parts.buckets.takeEach([{ name: tenantId, rate: TESTS }]);
    if (!lacking) return;
    throw new RuntimeError(
      'rate_limited',
      `Too many tests of providers: ${TESTS.burst} at once, then ${TESTS.perMinute} a minute are allowed in a tenant.`,
      { retryAfter: lacking.retryAfter },
    );
  }

  /** A result without a chat if there is no key to send. */
  private async unusable({ tenantId }: Caller, tested: Tested): Promise<ProviderTest | null> {
    const { providers } = this.parts;
    const { provider, providerName } = tested;
    try {
      if (providerName === null) providers.ofEnvironment(provider);
      else await providers.configured(tenantId, providerName);
      return null;
    } catch (error) {
      const isKey = error instanceof RuntimeError && ['unprocessable', 'unavailable'].includes(error.code);
      if (!isKey || error.retryAfter !== undefined) throw error;
      return { ...tested, works: false, reason: 'key', message: error.message, ...NOTHING };
    }
  }

  private async chat(caller: Caller, tested: Tested, signal: AbortSignal): Promise<ProviderTest> {
    let ended: EndedChat | null = null;
    const deadline = AbortSignal.timeout(WHOLE_MS);
    const probe = {
      timeoutMs: FIRST_CONTENT_MS,
      onEnd: (chat: EndedChat) => {
        ended = chat;
      },
    };
    try {
      const run = await this.parts.chat.begin(caller, requestOf(tested), AbortSignal.any([signal, deadline]), probe);
      for await (const _ of (await run.answer()).events);
    } catch (error) {
      if (signal.aborted || ended === null) throw error;
      if (!deadline.aborted && !(error instanceof RuntimeError)) throw error;
    }
    // The compiler does not see that the callback assigns it.
    return resultOf(tested, ended as unknown as EndedChat, deadline.aborted);
  }
}

const NOTHING = { executionId: null, latencyMs: null, usage: null, cost: null };

function modelOrDefault(model: string | undefined, usual: string | null): string {
  const named = model ?? usual;
  if (named === null) throw invalid('model: is required here: name a model that the server knows');
  return named;
}

function requestOf({ provider, providerName, model }: Tested): ChatRequest {
  return {
    projectId: PROJECT,
    ...{ provider, model, maxTokens: MAX_TOKENS },
    ...(providerName === null ? {} : { providerName }),
    messages: [{ role: 'user', content: 'Answer with OK.' }],
  };
}

async function resultOf(tested: Tested, ended: EndedChat, isLate: boolean): Promise<ProviderTest> {
  const { executionId, usage, startedAt, completedAt, fault } = ended;
  const verdict = isLate ? LATE : fault === null ? WORKS : verdictOf(fault, tested);
  return {
    ...tested,
    works: verdict.reason === null,
    ...verdict,
    executionId,
    latencyMs: completedAt - startedAt,
    usage: usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
    cost: await priceOf(ended),
  };
}

type Verdict = Pick<ProviderTest, 'reason' | 'message'>;

const WORKS: Verdict = { reason: null, message: 'It works.' };
const LATE: Verdict = {
  reason: 'timeout',
  message: `The answer did not end within ${WHOLE_MS / 1_000} seconds. Try again, or another model.`,
};
/** As Bedrock and gateways say it, with 400. */
const NO_MODEL =
  /model (identifier|name|id)\b.*\b(invalid|unknown|not)\b|\b(unknown|invalid|no such) model\b|model .*(not found|does not exist)/i;

/** The message of the fault is redacted. */
function verdictOf(
  { kind, status, message }: NonNullable<EndedChat['fault']>,
  { providerName, ...tested }: Tested,
): Verdict {
  const { provider, model } = tested;
  const name = providerName ?? provider;
  const said = status === null ? '' : ` It answered ${status}: ${message}`;
  switch (kind) {
    case 'credential':
      if (status === null) return { reason: 'key', message: `${name} cannot be called: ${message}` };
      return { reason: 'key', message: `${name} does not accept the key. Replace it, or give it the right.${said}` };
    case 'refused':
      if (status === 404 || (status === 400 && NO_MODEL.test(message))) {
        return {
          reason: 'model',
          message: `${name} does not know the model ${model}, the key may not use it, or the base URL is wrong.${said}`,
        };
      }
      return { reason: 'refused', message: `${name} refuses the request.${said || ` ${message}`}` };
    case 'rate_limited':
      return { reason: 'quota', message: `${name} takes no more for now, or the quota of the key is spent.${said}` };
    case 'timeout':
      return { reason: 'timeout', message: `${name} did not answer in time. Try again, or another model.` };
    case 'unavailable':
      if (status === null) {
        return { reason: 'network', message: `${message} Check the base URL, and that this server may reach it.` };
      }
      return { reason: 'unavailable', message: `${name} fails just now. Try again later.${said}` };
    case 'broken':
      return { reason: 'broken', message: `${name} did not send a whole answer: ${message}` };
    default:
      throw new RuntimeError('unavailable', 'The test was cut off. Try again.', { retryAfter: 1 });
  }
}
