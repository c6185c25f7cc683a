import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import type { RuntimeError } from '../../base/shared/errors.ts';
import { BUDGETS, type BudgetName, QUOTAS, quotaExceeded, toDollars, toNanos } from '../../limits/quotas/kinds.ts';
import type { QuotaNotices } from '../../limits/quotas/notices.ts';
import type { CallerLimits, QuotaSettings } from '../../limits/quotas/settings.ts';
import type { BudgetCheck, BudgetStore, RefusedReservation, Spending } from '../../limits/quotas/store.ts';
import { windowOf } from '../../limits/quotas/windows.ts';
import type { ChatMessage } from './message.ts';
import type { ChatCandidate } from './open-answer.ts';
import type { ChatUsage } from './provider.ts';
import { priceOf } from './recording/price.ts';
import type { EndedChat } from './recording/record.ts';
import type { ChatRequest } from './schema.ts';

/** UTF-8 bytes: about 4 in English, 3 where each character is a token. */
const BYTES_PER_TOKEN = 3;
const TOKENS_PER_MESSAGE = 8;
/** About the vendors' count for the largest image that they do not scale down. */
const TOKENS_PER_IMAGE = 1_600;
/** Characters of Base64: a PDF page has about 2,000 tokens and 30 KB. */
const FILE_CHARACTERS_PER_TOKEN = 15;
export const DEFAULT_OUTPUT_TOKENS = 4_096;
const THINKING_TOKENS = 16_384;

export interface ChatEstimate extends Spending {
  inputTokens: number;
}

type EstimatedCall = Pick<ChatCandidate, 'provider' | 'connection' | 'price' | 'request'>;

/** From the size of the request and `maxTokens` or a default. An unknown price counts as 0. */
export async function estimateOf(candidate: EstimatedCall, now: number): Promise<ChatEstimate> {
  const { request } = candidate;
  const inputTokens = inputTokensOf(request);
  const outputTokens = request.maxTokens ?? DEFAULT_OUTPUT_TOKENS + thinkingTokensOf(request);
  const nanos = await nanosOf(candidate, { inputTokens, outputTokens }, now);
  return { inputTokens, tokens: inputTokens + outputTokens, nanos };
}

async function nanosOf(
  { provider, connection, price, request }: EstimatedCall,
  usage: ChatUsage,
  now: number,
): Promise<number> {
  const { baseUrl } = connection;
  return toNanos((await priceOf({ provider, model: request.model, baseUrl, price, usage, startedAt: now })) ?? 0);
}

/** Thinking is part of `maxTokens`, but on top of the default. */
function thinkingTokensOf({ thinking }: ChatRequest): number {
  if (thinking === undefined || thinking.type === 'disabled') return 0;
  return Math.max(THINKING_TOKENS, thinking.budgetTokens ?? 0);
}

function inputTokensOf({ instructions = '', messages, tools = [], responseFormat }: ChatRequest): number {
  const around = tokensOfText(instructions) + tokensOfJson(tools) + tokensOfJson(responseFormat);
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), around + TOKENS_PER_MESSAGE);
}

function tokensOfMessage({ content, tool_calls: calls }: ChatMessage): number {
  const fixed = TOKENS_PER_MESSAGE + tokensOfJson(calls);
  if (!Array.isArray(content)) return fixed + tokensOfText(content ?? '');
  return content.reduce((sum, part) => {
    if (part.type === 'text') return sum + tokensOfText(part.text);
    if (part.type === 'image_url') return sum + TOKENS_PER_IMAGE;
    return sum + Math.ceil(part.file.file_data.length / FILE_CHARACTERS_PER_TOKEN);
  }, fixed);
}

function tokensOfJson(value: unknown): number {
  return value === undefined ? 0 : tokensOfText(JSON.stringify(value));
}

function tokensOfText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

export interface ChatReservation {
  /** Reserves this candidate's cost too. False if that exceeds a budget. */
  extend(candidate: ChatCandidate): Promise<boolean>;
  /** Counts the usage and frees the rest. Call it once. */
  settle(ended: EndedChat): void;
}

export interface ChatBudgetParts {
  settings: Pick<QuotaSettings, 'ofCaller'>;
  store: Pick<BudgetStore, 'reserve' | 'settle' | 'settleAbandoned' | 'spending' | 'prune'>;
  notices: Pick<QuotaNotices, 'note'>;
  effects: Effects;
  onError(error: unknown): void;
}

type NamedCheck = BudgetCheck & { quota: BudgetName };

const NO_RESERVATION: ChatReservation = { extend: async () => true, settle: () => undefined };
/** Vendors do not charge for these, because they did not accept the request. */
const UNPAID = new Set(['refused', 'credential', 'rate_limited', 'unavailable']);
/** Two months beyond the current one. */
const RETENTION_MS = 100 * 86_400_000;
const PRUNE_INTERVAL_MS = 86_400_000;

/** Reserves each chat's estimate durably: only a too small estimate can exceed a budget. */
export class ChatBudgets {
  private readonly parts: ChatBudgetParts;
  private readonly settling = new Set<Promise<void>>();
  private prunedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ChatBudgetParts) {
    this.parts = parts;
  }

  /**
   * Settles reservations left by a crash. Call it before the first chat, and when other processes
   * may have ended.
   */
  async recover(): Promise<void> {
    await this.parts.store.settleAbandoned();
  }

  /** Throws `rate_limited`, naming the exhausted budget. Durable when it resolves. */
  async reserve(caller: Caller, executionId: string, candidate: ChatCandidate): Promise<ChatReservation> {
    const limits = await this.parts.settings.ofCaller(caller);
    const at = this.parts.effects.now();
    const checks = checksOf(caller, limits, at);
    if (checks.length === 0) return NO_RESERVATION;
    const { tenantId, credential } = caller;
    const keyId = credential.kind === 'key' ? credential.id : null;
    const chat = { id: executionId, tenantId, keyId, at };
    let reserved = await estimateOf(candidate, at);
    const refused = await this.parts.store.reserve({ ...chat, ...spendingOf(reserved) }, checks);
    if (refused) throw this.refusal(caller, checks[refused.check]!, reserved, { ...refused, at });
    return {
      extend: async (other) => {
        const wanted = larger(reserved, await estimateOf(other, at));
        if (wanted.tokens === reserved.tokens && wanted.nanos === reserved.nanos) return true;
        if (await this.parts.store.reserve({ ...chat, ...spendingOf(wanted) }, checks)) return false;
        reserved = wanted;
        return true;
      },
      settle: (ended) => this.track(this.settle(executionId, ended, { estimate: reserved, checks })),
    };
  }

  async settled(): Promise<void> {
    await Promise.all(this.settling);
  }

  private track(settling: Promise<void>): void {
    const done = settling.catch(this.parts.onError).finally(() => this.settling.delete(done));
    this.settling.add(done);
  }

  private async settle(
    executionId: string,
    ended: EndedChat,
    { estimate, checks }: { estimate: ChatEstimate; checks: readonly NamedCheck[] },
  ): Promise<void> {
    const { store, effects } = this.parts;
    await store.settle(executionId, await spentBy(ended, estimate));
    await this.warn(ended.caller, checks);
    const now = effects.now();
    if (now - this.prunedAt < PRUNE_INTERVAL_MS) return;
    this.prunedAt = now;
    await store.prune(now - RETENTION_MS);
  }

  private async warn({ tenantId, timezone }: Caller, checks: readonly NamedCheck[]): Promise<void> {
    const { store, notices } = this.parts;
    for (const { quota, keyId, unit, limit, from, to } of checks) {
      const { used } = await store.spending(tenantId, keyId, from, to);
      const state = { tenantId, timezone, keyId, quota };
      notices.note({ ...state, limit: shownAmount(unit, limit), used: shownAmount(unit, used[unit]) });
    }
  }

  private refusal(
    { tenantId, timezone }: Caller,
    { quota, keyId, unit, limit, to }: NamedCheck,
    estimate: Spending,
    { taken, at }: RefusedReservation & { at: number },
  ): RuntimeError {
    const used = taken.used[unit] + taken.reserved[unit];
    const amounts = {
      limit: shownAmount(unit, limit),
      taken: shownAmount(unit, used),
      wanted: shownAmount(unit, estimate[unit]),
    };
    const everFits = estimate[unit] <= limit;
    const state = { tenantId, timezone, keyId, quota, limit: amounts.limit, used: shownAmount(unit, taken.used[unit]) };
    this.parts.notices.note({ ...state, refusedAt: amounts.taken });
    const remedy = everFits
      ? `The next ${QUOTAS[quota].window} begins at ${new Date(to).toISOString()}; a smaller maxTokens takes less.`
      : 'It would not fit an unused one either: ask for less, or set a smaller maxTokens.';
    const retryAfter = everFits ? Math.max(1, Math.ceil((to - at) / 1_000)) : undefined;
    return quotaExceeded({ quota, keyId, ...amounts, retryAfter, remedy });
  }
}

function checksOf(caller: Caller, limits: CallerLimits, at: number): NamedCheck[] {
  return BUDGETS.flatMap((quota) => {
    const { window, unit: shownUnit } = QUOTAS[quota];
    const unit = shownUnit === 'USD' ? 'nanos' : 'tokens';
    const owners = [
      { keyId: null, limit: limits.tenant[quota] },
      { keyId: caller.credential.id, limit: limits.key[quota] },
    ];
    return owners.flatMap(({ keyId, limit }) => {
      if (limit === undefined) return [];
      const { start: from, end: to } = windowOf(window, at, caller.timezone);
      return [{ quota, keyId, unit, limit: unit === 'nanos' ? toNanos(limit) : limit, from, to }];
    });
  });
}

/** A chat without an answer still counts its input when a provider may have read it. */
async function spentBy(ended: EndedChat, { inputTokens }: ChatEstimate): Promise<Spending> {
  const { attempts, fault, usage: counted } = ended;
  const isUnpaid = attempts === 0 || (fault !== null && UNPAID.has(fault.kind));
  const usage = counted ?? (isUnpaid ? null : { inputTokens, outputTokens: 0 });
  if (usage === null) return { tokens: 0, nanos: 0 };
  const nanos = toNanos((await priceOf({ ...ended, usage })) ?? 0);
  return { tokens: usage.inputTokens + usage.outputTokens, nanos };
}

function spendingOf({ tokens, nanos }: Spending): Spending {
  return { tokens, nanos };
}

function larger(one: ChatEstimate, other: ChatEstimate): ChatEstimate {
  return {
    inputTokens: Math.max(one.inputTokens, other.inputTokens),
    tokens: Math.max(one.tokens, other.tokens),
    nanos: Math.max(one.nanos, other.nanos),
  };
}

export function shownAmount(unit: keyof Spending, amount: number): number {
  return unit === 'nanos' ? toDollars(amount) : amount;
}
